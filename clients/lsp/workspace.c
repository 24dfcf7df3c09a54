// SPDX-License-Identifier: Apache-2.0
// Symbols of the workspace: functions of the texts that are open, and of the .mlir files in the folders of the workspace.
#include <stdlib.h>
#include <string.h>

#include "clients/lsp/call.h"

// --- folders

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

char *lsp_path_of(const char *rest) {
  const char *at = strncmp(rest, "//", 2) == 0 ? strchr(rest + 2, '/') : rest;
  char *path = at && *at == '/' ? malloc(strlen(at) + 1) : NULL, *to = path;
  if (!path) return NULL;
  while (*at) {
    int high = *at == '%' ? hex(at[1]) : -1, low = high >= 0 ? hex(at[2]) : -1;
    *to++ = low >= 0 ? (char)(high * 16 + low) : *at;
    at += low >= 0 ? 3 : 1;
  }
  *to = 0;
  return path;
}

// NULL: it is not a file.
static char *path_of(const char *uri) {
  static const char SCHEME[] = "file:";
  bool file = strncmp(uri, SCHEME, sizeof SCHEME - 1) == 0;
  return file ? lsp_path_of(uri + sizeof SCHEME - 1) : NULL;
}

static void add_folder(lsp_folders *folders, const char *uri) {
  char *path = uri ? path_of(uri) : NULL;
  if (path && folders->count < LSP_FOLDERS_MAX) {
    folders->paths[folders->count++] = path;
  } else {
    free(path);
  }
}

static void remove_folder(lsp_folders *folders, const char *uri) {
  char *path = uri ? path_of(uri) : NULL;
  for (uint32_t i = 0; path && i < folders->count;) {
    if (strcmp(folders->paths[i], path) == 0) {
      free(folders->paths[i]);
      folders->paths[i] = folders->paths[--folders->count];
    } else {
      i++;
    }
  }
  free(path);
}

static void each_folder(lsp_folders *folders, const cJSON *list,
                        void (*change)(lsp_folders *folders, const char *uri)) {
  for (const cJSON *f = cJSON_IsArray(list) ? list->child : NULL; f; f = f->next)
    change(folders, lsp_text_member(f, "uri"));
}

void lsp_read_folders(lsp_server *s, const cJSON *params) {
  const cJSON *list = lsp_member(params, "workspaceFolders");
  if (cJSON_IsArray(list)) {
    each_folder(&s->folders, list, add_folder);
  } else {
    add_folder(&s->folders, lsp_text_member(params, "rootUri"));
  }
}

void lsp_free_folders(lsp_folders *folders) {
  for (uint32_t i = 0; i < folders->count; i++) free(folders->paths[i]);
  folders->count = 0;
}

bool lsp_did_change_workspace_folders(lsp_call *call) {
  const cJSON *event = lsp_member(call->params, "event");
  each_folder(&call->server->folders, lsp_member(event, "removed"), remove_folder);
  each_folder(&call->server->folders, lsp_member(event, "added"), add_folder);
  return true;
}

// --- symbols

enum { SYMBOLS_MAX = 5000 };

typedef struct search {
  lsp_call *call;
  const char *query;
  uint32_t count;
} search;

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static bool has_part(const char *text, uint32_t length, const char *part) {
  size_t n = strlen(part);
  for (uint32_t i = 0; i + n <= length; i++) {
    size_t k = 0;
    while (k < n && lower(text[i + k]) == lower(part[k])) k++;
    if (k == n) return true;
  }
  return false;
}

static report_text module_of(const syn_index *x, uint32_t op) {
  uint32_t holder = x->regions[x->ops[op].region].op, length;
  if (holder == SYN_NONE || x->ops[holder].symbol == SYN_NONE) return (report_text){"", 0};
  const char *name = syn_name_text(x, x->ops[holder].symbol, &length);
  return (report_text){name, length};
}

static void put_symbol(search *s, const syn_index *x, uint32_t op, lsp_document *d) {
  enum { FUNCTION = 12 };
  json_writer *w = s->call->w;
  uint32_t symbol = x->ops[op].symbol, length;
  const char *name = syn_name_text(x, symbol, &length);
  report_text module = module_of(x, op);
  if (!has_part(name, length, s->query) || s->count++ >= SYMBOLS_MAX) return;
  json_begin_object(w);
  lsp_put_text(w, "name", (report_text){name, length});
  json_put_int(w, "kind", FUNCTION);
  if (module.length) lsp_put_text(w, "containerName", module);
  json_key(w, "location");
  lsp_put_location(s->call->server, d, w,
                   (source_span){x->names[symbol].begin, x->names[symbol].end});
  json_end_object(w);
}

static void search_index(search *s, const syn_index *x, lsp_document *d) {
  for (uint32_t op = 0; op < x->op_count; op++) {
    bool function = x->ops[op].symbol != SYN_NONE && x->ops[op].name != SYN_NONE &&
                    syn_word_flags(x, x->ops[op].name) & SYN_FUNCTION;
    if (function) put_symbol(s, x, op, d);
  }
}

static bool is_open(const lsp_server *server, const char *path) {
  bool open = false;
  for (uint32_t i = 0; i < server->document_count && !open; i++) {
    char *known = path_of(server->documents[i]->uri);
    open = known && strcmp(known, path) == 0;
    free(known);
  }
  return open;
}

typedef struct file_index {
  shape_arena arena;
  const char *text;
  uint32_t length;
  syn_index *x;
} file_index;

static void make_index(void *data) {
  file_index *i = data;
  i->x = syn_make(&i->arena, i->text, i->length);
}

// A file as the text of a document that lives as long as this call.
static void search_file(void *to, const char *path, const char *text, size_t length) {
  search *s = to;
  shape_strbuf uri;
  lsp_document d = {0};
  if (length > LSP_TEXT_MAX || is_open(s->call->server, path)) return;
  strbuf_init(&uri, s->call->arena);
  lsp_put_uri(&uri, NULL, (report_text){path, (uint32_t)strlen(path)});
  d.uri = arena_strndup(s->call->arena, uri.data, uri.length);
  d.text.data = (char *)text;
  d.text.length = (uint32_t)length;
  if (!lsp_lines_make(&d.text.lines, text, (uint32_t)length)) return;
  file_index index = {.text = text, .length = (uint32_t)length};
  arena_init(&index.arena, 0);
  if (arena_protect(&index.arena, make_index, &index) == SHAPE_OK) search_index(s, index.x, &d);
  arena_destroy(&index.arena);
  lsp_lines_free(&d.text.lines);
}

bool lsp_workspace_symbol(lsp_call *call) {
  lsp_server *server = call->server;
  search s = {.call = call, .query = lsp_text_member(call->params, "query")};
  if (!s.query) return lsp_fail(call, LSP_INVALID_PARAMS, "params.query is not text");
  json_begin_array(call->w);
  for (uint32_t i = 0; i < server->document_count; i++) {
    lsp_document *d = server->documents[i];
    if (!lsp_need_syntax(call, d->uri)) continue;
    search_index(&s, call->syntax, d);
  }
  for (uint32_t i = 0; i < server->folders.count && server->host.files; i++)
    server->host.files(server->host.data, server->folders.paths[i], search_file, &s);
  json_end_array(call->w);
  return true;
}
