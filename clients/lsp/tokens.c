// SPDX-License-Identifier: Apache-2.0
// Semantic tokens: each ? in a type, by what is known of it, and the names of sizes.
#include "clients/lsp/call.h"

// Bits of the modifiers, in the order of the legend in methods.def; the first, of declarations, is never set.
enum { READONLY = 2, STATIC = 4 };

typedef struct token_writer {
  lsp_call *call;
  lsp_position last;
} token_writer;

static void put_token(token_writer *t, source_span span, int modifiers) {
  lsp_document *d = t->call->document;
  lsp_encoding encoding = t->call->server->encoding;
  lsp_position at =
      lsp_position_of(&d->text.lines, d->text.data, d->text.length, encoding, span.begin);
  bool same = at.line == t->last.line;
  json_writer *w = t->call->w;
  json_int(w, at.line - t->last.line);
  json_int(w, same ? at.character - t->last.character : at.character);
  json_int(w, lsp_units(d->text.data + span.begin, span.end - span.begin, encoding));
  json_int(w, 0);
  json_int(w, modifiers);
  t->last = at;
}

static bool is_number(report_text text) {
  for (uint32_t i = 0; i < text.length; i++) {
    if (text.text[i] < '0' || text.text[i] > '9') return false;
  }
  return text.length > 0;
}

// A size that is fixed although the type does not say so, or that the arguments decide.
static int modifiers_of(const lsp_model *m, report_text dim) {
  if (is_number(dim)) return STATIC | READONLY;
  return lsp_model_determined(m, dim) ? READONLY : 0;
}

static bool is_suffix(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$' || c == '-';
}

static void put_names(token_writer *t, uint32_t at, uint32_t end) {
  const char *text = t->call->model->graph->source.text;
  while (at < end) {
    if (text[at] != '@') {
      at++;
      continue;
    }
    uint32_t from = at++;
    while (at < end && is_suffix(text[at])) at++;
    put_token(t, (source_span){from, at}, 0);
  }
}

static void put_type(token_writer *t, const lsp_type_location *location) {
  enum { DIMS_MAX = 64 };
  lsp_call *call = t->call;
  const char *text = call->model->graph->source.text;
  const lsp_shape *shape = lsp_model_shape(call->model, location->value);
  source_span sizes[DIMS_MAX];
  uint32_t count = lsp_type_dims(call->model, location->span, sizes, DIMS_MAX),
           at = location->span.begin;
  if (count > DIMS_MAX) return;
  for (uint32_t i = 0; i < count; i++) {
    at = sizes[i].end;
    if (text[sizes[i].begin] != '?') continue;
    bool known = shape && shape->ranked && shape->rank == count;
    put_token(t, sizes[i], known ? modifiers_of(call->model, shape->dims[i]) : 0);
  }
  put_names(t, at, location->span.end);
}

bool lsp_semantic_tokens(lsp_call *call) {
  lsp_model *m = call->model;
  source_span range = {0, call->document->text.length};
  const cJSON *node = lsp_member(call->params, "range");
  if (node && !lsp_range_read(call, node, &range)) {
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.range is not a range");
  }
  token_writer t = {call, {0, 0}};
  lsp_model_index(m);
  json_begin_object(call->w);
  json_key_array(call->w, "data");
  uint32_t end = 0;
  for (uint32_t i = lsp_model_first_type(m, range.begin); i < m->index.type_count; i++) {
    if (m->index.types[i].span.begin > range.end) break;
    if (m->index.types[i].span.begin < end) continue;  // one type of several values
    put_type(&t, &m->index.types[i]);
    end = m->index.types[i].span.end;
  }
  json_end_array(call->w);
  json_end_object(call->w);
  return true;
}

bool lsp_semantic_tokens_range(lsp_call *call) {
  source_span range;
  if (!lsp_range_read(call, lsp_member(call->params, "range"), &range))
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.range is not a range");
  return lsp_semantic_tokens(call);
}
