// SPDX-License-Identifier: Apache-2.0
// The texts that are open, and their edits.
#include <stdlib.h>
#include <string.h>

#include "clients/lsp/call.h"

lsp_document *lsp_find_document(lsp_server *s, const char *uri) {
  for (uint32_t i = 0; i < s->document_count; i++) {
    if (strcmp(s->documents[i]->uri, uri) == 0) return s->documents[i];
  }
  return NULL;
}

static lsp_document *add_document(lsp_server *s, const char *uri) {
  if (s->document_count == s->document_capacity) {
    uint32_t capacity = s->document_capacity ? 2 * s->document_capacity : 8;
    lsp_document **list = realloc(s->documents, capacity * sizeof *list);
    if (!list) return NULL;
    s->documents = list;
    s->document_capacity = capacity;
  }
  lsp_document *d = calloc(1, sizeof *d);
  char *copy = malloc(strlen(uri) + 1);
  if (!d || !copy) {
    free(d);
    free(copy);
    return NULL;
  }
  d->uri = strcpy(copy, uri);
  size_t length = strlen(uri);
  d->python =
      length >= 3 && strcmp(uri + length - 3, ".py") == 0 && strncmp(uri, "shaped:", 7) != 0;
  s->documents[s->document_count++] = d;
  return d;
}

static void take_version(lsp_document *d, const cJSON *item) {
  const cJSON *version = lsp_member(item, "version");
  if (cJSON_IsNumber(version)) d->version = (int64_t)version->valuedouble;
}

static void drop(lsp_server *s, lsp_document *d) {
  uint32_t i = 0;
  while (s->documents[i] != d) i++;
  lsp_forget_model(d);
  lsp_forget_syntax(d);
  lsp_earlier_free(d->earlier);
  lsp_text_free(&d->text);
  free(d->uri);
  free(d);
  s->documents[i] = s->documents[--s->document_count];
}

// What cannot be kept would make every later answer wrong: the text is dropped, and the user is notified.
static void lose(lsp_server *s, lsp_document *d, const char *why) {
  lsp_notify_text(s, "window/showMessage", LSP_ERROR, why);
  if (d) drop(s, d);
}

bool lsp_did_open(lsp_call *call) {
  const cJSON *item = lsp_member(call->params, "textDocument");
  const char *uri = lsp_text_member(item, "uri"), *text = lsp_text_member(item, "text");
  if (!uri || !text) return lsp_fail(call, LSP_INVALID_PARAMS, "no uri or text");
  lsp_document *d = lsp_find_document(call->server, uri);
  if (!d) d = add_document(call->server, uri);
  if (d) {
    lsp_forget_model(d);
    lsp_forget_syntax(d);
    lsp_earlier_free(d->earlier);
    d->earlier = NULL;
    d->is_read = d->was_read = false;
  }
  if (!d || !lsp_text_set(&d->text, text, strlen(text))) {
    lose(call->server, d, "shape-lsp: the text is too long");
    return true;
  }
  take_version(d, item);
  return true;
}

static bool apply(lsp_call *call, const cJSON *change, bool first) {
  lsp_document *d = call->document;
  lsp_text *text = &d->text;
  const char *with = lsp_text_member(change, "text");
  const cJSON *range = lsp_member(change, "range");
  source_span span;
  if (!with) return false;
  if (!range) {
    lsp_forget_syntax(d);
    return lsp_text_set(text, with, strlen(with));
  }
  if (!lsp_range_read(call, range, &span)) return false;
  lsp_edit_syntax(d, span, (uint32_t)strlen(with), first);
  return lsp_text_replace(text, span.begin, span.end, with, strlen(with));
}

bool lsp_did_change(lsp_call *call) {
  const cJSON *item = lsp_member(call->params, "textDocument");
  const cJSON *changes = lsp_member(call->params, "contentChanges");
  const char *uri = lsp_text_member(item, "uri");
  lsp_document *d = uri ? lsp_find_document(call->server, uri) : NULL;
  if (!d) return lsp_fail(call, LSP_INVALID_PARAMS, "the text is not open");
  call->document = d;
  lsp_forget_model(d);
  for (const cJSON *c = cJSON_IsArray(changes) ? changes->child : NULL; c; c = c->next) {
    if (apply(call, c, c == changes->child)) continue;
    lose(call->server, d, "shape-lsp: an edit makes no sense; close the text and open it again");
    return true;
  }
  take_version(d, item);
  return true;
}

static void write_none(json_writer *w, void *data) {
  json_begin_object(w);
  lsp_put_pair(w, "uri", data);
  json_key_array(w, "diagnostics");
  json_end_array(w);
  json_end_object(w);
}

bool lsp_did_close(lsp_call *call) {
  const char *uri = lsp_text_member(lsp_member(call->params, "textDocument"), "uri");
  lsp_document *d = uri ? lsp_find_document(call->server, uri) : NULL;
  if (!d) return lsp_fail(call, LSP_INVALID_PARAMS, "the text is not open");
  if (!call->server->client.pulls)
    lsp_notify(call->server, "textDocument/publishDiagnostics", write_none, (void *)uri);
  drop(call->server, d);
  return true;
}
