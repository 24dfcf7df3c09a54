// SPDX-License-Identifier: Apache-2.0
// Call hierarchy: which functions of a text call which.
#include <string.h>

#include "clients/lsp/call.h"
#include "clients/lsp/operations.h"
#include "clients/lsp/syntax/context.h"

static bool is_function(const syn_index *x, uint32_t op) {
  return op != SYN_NONE && syn_word_flags(x, x->ops[op].name) & SYN_FUNCTION &&
         x->ops[op].symbol != SYN_NONE;
}

// The function whose definition that is, or that is called; SYN_NONE: none.
static uint32_t function_of(const syn_index *x, uint32_t name) {
  uint32_t target = name == SYN_NONE ? SYN_NONE : x->names[name].target;
  if (target == SYN_NONE || x->names[target].kind != SYN_SYMBOL) return SYN_NONE;
  uint32_t op = x->names[target].op;
  return is_function(x, op) && x->ops[op].symbol == target ? op : SYN_NONE;
}

// The outermost function around an operation; SYN_NONE: none.
static uint32_t holder_of(const syn_index *x, uint32_t op) {
  uint32_t found = SYN_NONE;
  for (uint32_t o = op; o != SYN_NONE; o = x->regions[x->ops[o].region].op) {
    if (o != op && is_function(x, o)) found = o;
  }
  return found;
}

// Whether the operation calls the function that it names: all do that no table knows as something else.
static bool calls(const syn_index *x, uint32_t op) {
  uint32_t name = op == SYN_NONE ? SYN_NONE : x->ops[op].name;
  if (name == SYN_NONE) return false;
  uint32_t begin = x->tokens[name].begin, end = x->tokens[name].end;
  if (x->tokens[name].kind == SYN_STRING && end - begin >= 2) begin++, end--;
  const op_row *row = op_row_of(x->text + begin, end - begin);
  return !row || row->structure == OP_CALL;
}

static source_span span_of_op(const syn_index *x, uint32_t op) {
  return (source_span){x->tokens[x->ops[op].first].begin, x->tokens[x->ops[op].last].end};
}

static void put_item(lsp_call *call, uint32_t op) {
  enum { FUNCTION = 12 };
  const syn_index *x = call->syntax;
  json_writer *w = call->w;
  uint32_t symbol = x->ops[op].symbol, length;
  const char *name = syn_name_text(x, symbol, &length);
  json_begin_object(w);
  lsp_put_text(w, "name", (report_text){name, length});
  json_put_int(w, "kind", FUNCTION);
  lsp_put_pair(w, "uri", call->document->uri);
  json_key(w, "range");
  lsp_put_range(call->server, call->document, w, span_of_op(x, op));
  json_key(w, "selectionRange");
  lsp_put_range(call->server, call->document, w,
                (source_span){x->names[symbol].begin, x->names[symbol].end});
  json_key_object(w, "data");
  json_put_int(w, "version", call->document->version);
  json_end_object(w);
  json_end_object(w);
}

bool lsp_prepare_call_hierarchy(lsp_call *call) {
  uint32_t name;
  if (!lsp_read_name(call, &name)) return false;
  uint32_t op = function_of(call->syntax, name);
  if (op == SYN_NONE) {
    json_null(call->w);
    return true;
  }
  json_begin_array(call->w);
  put_item(call, op);
  json_end_array(call->w);
  return true;
}

// The function that params.item is; false after failing the call.
static bool read_item(lsp_call *call, uint32_t *op) {
  const cJSON *item = lsp_member(call->params, "item"), *data = lsp_member(item, "data");
  const cJSON *version = lsp_member(data, "version");
  const char *uri = lsp_text_member(item, "uri");
  source_span at;
  if (!uri || !lsp_need_syntax(call, uri)) {
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.item is of no text that is open");
  }
  if (!lsp_range_read(call, lsp_member(item, "selectionRange"), &at))
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.item has no range");
  if (cJSON_IsNumber(version) && version->valuedouble != (double)call->document->version)
    return lsp_fail(call, LSP_CONTENT_MODIFIED, "the text has changed");
  *op = function_of(call->syntax, syn_name_at(call->syntax, at.begin));
  return *op != SYN_NONE || lsp_fail(call, LSP_INVALID_PARAMS, "params.item is not a function");
}

// --- calls, one item for each function with all ranges

typedef struct edge {
  uint32_t function, name;
} edge;

static void put_edges(lsp_call *call, const edge *list, uint32_t count, const char *key) {
  const syn_index *x = call->syntax;
  uint8_t *done = arena_zalloc(call->arena, (size_t)x->op_count + 1);
  json_begin_array(call->w);
  for (uint32_t i = 0; i < count; i++) {
    if (done[list[i].function]) continue;
    done[list[i].function] = 1;
    json_begin_object(call->w);
    json_key_string(call->w, key);
    put_item(call, list[i].function);
    json_key_array(call->w, "fromRanges");
    for (uint32_t k = i; k < count; k++) {
      if (list[k].function != list[i].function) continue;
      const syn_name *n = &x->names[list[k].name];
      lsp_put_range(call->server, call->document, call->w, (source_span){n->begin, n->end});
    }
    json_end_array(call->w);
    json_end_object(call->w);
  }
  json_end_array(call->w);
}

bool lsp_incoming_calls(lsp_call *call) {
  uint32_t op, count = 0, capacity = 0;
  edge *list = NULL;
  if (!read_item(call, &op)) return false;
  const syn_index *x = call->syntax;
  for (uint32_t i = x->ops[op].symbol; i != SYN_NONE; i = x->names[i].next) {
    uint32_t holder = x->names[i].defines ? SYN_NONE : holder_of(x, x->names[i].op);
    if (holder == SYN_NONE || !calls(x, x->names[i].op)) continue;
    list = arena_grow(call->arena, list, count, (size_t)count + 1, &capacity, sizeof *list);
    list[count++] = (edge){holder, i};
  }
  put_edges(call, list, count, "from");
  return true;
}

bool lsp_outgoing_calls(lsp_call *call) {
  uint32_t op, count = 0, capacity = 0;
  edge *list = NULL;
  if (!read_item(call, &op)) return false;
  const syn_index *x = call->syntax;
  source_span span = span_of_op(x, op);
  for (uint32_t i = x->ops[op].symbol + 1; i < x->name_count && x->names[i].begin < span.end; i++) {
    uint32_t called = x->names[i].defines ? SYN_NONE : function_of(x, i);
    if (called == SYN_NONE || holder_of(x, x->names[i].op) != op || !calls(x, x->names[i].op))
      continue;
    list = arena_grow(call->arena, list, count, (size_t)count + 1, &capacity, sizeof *list);
    list[count++] = (edge){called, i};
  }
  put_edges(call, list, count, "to");
  return true;
}
