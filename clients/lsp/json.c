// SPDX-License-Identifier: Apache-2.0
// Parameters and results: positions, ranges, edits.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "clients/lsp/call.h"

// --- reading

const cJSON *lsp_member(const cJSON *object, const char *key) {
  return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

const cJSON *lsp_member_at(const cJSON *object, const char *path) {
  char key[64];
  while (object && *path) {
    size_t n = strcspn(path, ".");
    if (n >= sizeof key) return NULL;
    memcpy(key, path, n);
    key[n] = 0;
    object = lsp_member(object, key);
    path += n + (path[n] == '.');
  }
  return object;
}

const char *lsp_text_member(const cJSON *object, const char *key) {
  const cJSON *node = lsp_member(object, key);
  return cJSON_IsString(node) ? node->valuestring : NULL;
}

// Numbers beyond what a line or character can be mean the end.
static bool read_uint(const cJSON *node, uint32_t *out) {
  if (!cJSON_IsNumber(node) || !(node->valuedouble >= 0)) return false;
  *out = node->valuedouble < 2147483647.0 ? (uint32_t)node->valuedouble : 2147483647u;
  return true;
}

static bool lsp_position_read(const cJSON *node, lsp_position *out) {
  return read_uint(lsp_member(node, "line"), &out->line) &&
         read_uint(lsp_member(node, "character"), &out->character);
}

static uint32_t offset_of(const lsp_call *call, lsp_position position) {
  const lsp_text *text = &call->document->text;
  return lsp_offset_of(&text->lines, text->data, text->length, call->server->encoding, position);
}

bool lsp_range_read(const lsp_call *call, const cJSON *node, source_span *out) {
  lsp_position begin, end;
  if (!lsp_position_read(lsp_member(node, "start"), &begin) ||
      !lsp_position_read(lsp_member(node, "end"), &end)) {
    return false;
  }
  *out = (source_span){offset_of(call, begin), offset_of(call, end)};
  if (out->end < out->begin) *out = (source_span){out->end, out->begin};
  return true;
}

bool lsp_offset_of_node(const lsp_call *call, const cJSON *node, uint32_t *out) {
  lsp_position position;
  if (!lsp_position_read(node, &position)) return false;
  *out = offset_of(call, position);
  return true;
}

bool lsp_offset_read(const lsp_call *call, uint32_t *out) {
  return lsp_offset_of_node(call, lsp_member(call->params, "position"), out);
}

// --- writing

void lsp_put_pair(json_writer *w, const char *key, const char *text) {
  json_key_string(w, key);
  json_string(w, text);
}

void lsp_put_text(json_writer *w, const char *key, report_text text) {
  json_key_string(w, key);
  json_text(w, text.text, text.length);
}

void lsp_put_position(lsp_server *s, lsp_document *d, json_writer *w, uint32_t offset) {
  lsp_position position =
      lsp_position_of(&d->text.lines, d->text.data, d->text.length, s->encoding, offset);
  json_begin_object(w);
  json_put_int(w, "line", position.line);
  json_put_int(w, "character", position.character);
  json_end_object(w);
}

void lsp_put_range(lsp_server *s, lsp_document *d, json_writer *w, source_span span) {
  if (span_is_none(span) || span.begin > d->text.length) span = (source_span){0, 0};
  if (span.end < span.begin) span.end = span.begin;
  json_begin_object(w);
  json_key(w, "start");
  lsp_put_position(s, d, w, span.begin);
  json_key(w, "end");
  lsp_put_position(s, d, w, span.end);
  json_end_object(w);
}

void lsp_put_location(lsp_server *s, lsp_document *d, json_writer *w, source_span span) {
  json_begin_object(w);
  lsp_put_pair(w, "uri", d->uri);
  json_key(w, "range");
  lsp_put_range(s, d, w, span);
  json_end_object(w);
}

static bool is_plain_in_uri(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c && strchr("-._~/", c));
}

void lsp_put_uri(shape_strbuf *out, const lsp_document *d, report_text path) {
  const char *slash = d ? strrchr(d->uri, '/') : NULL;
  if (path.length && path.text[0] == '/') {
    strbuf_puts(out, "file://");
  } else if (slash) {
    strbuf_add(out, d->uri, (size_t)(slash + 1 - d->uri));
  }
  for (uint32_t i = 0; i < path.length; i++) {
    if (is_plain_in_uri(path.text[i])) {
      strbuf_putc(out, path.text[i]);
    } else {
      strbuf_printf(out, "%%%02X", (unsigned char)path.text[i]);
    }
  }
}

void lsp_put_source(lsp_document *d, json_writer *w, const report_location *at) {
  shape_strbuf uri;
  assert(at->line);
  strbuf_init(&uri, &d->model->scratch);
  lsp_put_uri(&uri, d, at->text);
  json_begin_object(w);
  lsp_put_text(w, "uri", (report_text){uri.data, uri.length});
  json_key_object(w, "range");
  for (int end = 0; end < 2; end++) {
    json_key_string(w, end ? "end" : "start");
    json_begin_object(w);
    json_put_int(w, "line", at->line - 1);
    json_put_int(w, "character", at->column ? at->column - 1 : 0);
    json_end_object(w);
  }
  json_end_object(w);
  json_end_object(w);
}

void lsp_put_markup(const lsp_server *s, json_writer *w, shape_strbuf *text) {
  json_begin_object(w);
  lsp_put_pair(w, "kind", s->client.markdown ? "markdown" : "plaintext");
  lsp_put_text(w, "value", (report_text){text->data ? text->data : "", text->length});
  json_end_object(w);
}

// Edits that overlap are not edits of the protocol: as when they are applied, the first one in the text wins.
static int by_position(const void *a, const void *b) {
  const text_edit *p = a, *q = b;
  if (p->span.begin != q->span.begin) return p->span.begin < q->span.begin ? -1 : 1;
  if (p->span.end != q->span.end) return p->span.end > q->span.end ? -1 : 1;
  return p->order < q->order ? -1 : p->order > q->order;
}

void lsp_put_edits(lsp_call *call, json_writer *w, const text_edits *edits) {
  text_edit *items = arena_alloc(call->arena, ((size_t)edits->count + 1) * sizeof *items);
  if (edits->count) memcpy(items, edits->items, edits->count * sizeof *items);
  qsort(items, edits->count, sizeof *items, by_position);
  uint32_t at = 0;
  json_begin_array(w);
  for (uint32_t i = 0; i < edits->count; i++) {
    if (items[i].span.begin < at) continue;
    at = items[i].span.end;
    json_begin_object(w);
    json_key(w, "range");
    lsp_put_range(call->server, call->document, w, items[i].span);
    json_key(w, "newText");
    json_text(w, items[i].text, items[i].length);
    json_end_object(w);
  }
  json_end_array(w);
}

void lsp_put_workspace_edit(lsp_call *call, json_writer *w, const text_edits *edits) {
  const lsp_document *d = call->document;
  json_begin_object(w);
  if (call->server->client.versioned_edits) {
    json_key_array(w, "documentChanges");
    json_begin_object(w);
    json_key_object(w, "textDocument");
    lsp_put_pair(w, "uri", d->uri);
    json_put_int(w, "version", d->version);
    json_end_object(w);
    json_key(w, "edits");
    lsp_put_edits(call, w, edits);
    json_end_object(w);
    json_end_array(w);
  } else {
    json_key_object(w, "changes");
    json_key_text(w, d->uri, strlen(d->uri));
    lsp_put_edits(call, w, edits);
    json_end_object(w);
  }
  json_end_object(w);
}
