// SPDX-License-Identifier: Apache-2.0
// A name for a dim, where its argument is declared: {shaped.dims = ["batch", ""]}. Nothing else of the text changes.
#include <string.h>

#include "clients/lsp/call.h"
#include "clients/lsp/syntax/context.h"

static const char KEY[] = "shaped.dims";

static bool is_name(const char *name) {
  bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || *name == '_';
  for (const char *c = name; *c; c++) {
    if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
          *c == '_')) {
      return false;
    }
  }
  return letter;
}

// Where the argument is named; UINT32_MAX: the symbol is not a dim of one.
static uint32_t argument_at(const lsp_model *m, const lsp_symbol *s, uint32_t *rank) {
  const shape_graph *g = m->graph;
  if (strcmp(s->origin, "argument_size") != 0 || s->function >= g->func_count) return UINT32_MAX;
  region_id body = g->funcs[s->function].body;
  if (body == ID_NONE || !g->regions[body].block_count) return UINT32_MAX;
  const graph_block *entry = &g->blocks[g->regions[body].first_block];
  if (s->argument >= entry->argument_count) return UINT32_MAX;
  value_id value = entry->arguments + s->argument;
  const graph_type *type = graph_value_type(g, value);
  if (!type || type->kind != TYPE_TENSOR || s->axis >= type->rank) return UINT32_MAX;
  *rank = type->rank;
  return g->values[value].at;
}

bool lsp_can_name(const lsp_model *m, const lsp_symbol *symbol) {
  uint32_t rank;
  return argument_at(m, symbol, &rank) != UINT32_MAX;
}

static bool is_char(const syn_index *x, uint32_t token, char c) {
  return syn_kind_is(x, token, SYN_PUNCT) && syn_char(x, token) == c;
}

static void add(lsp_call *call, text_edits *edits, uint32_t begin, uint32_t end,
                shape_strbuf *text) {
  source_text source = {.text = call->syntax->text, .length = call->syntax->length};
  edits_add(edits, &source, (source_span){begin, end}, strbuf_text(text), text->length);
}

static void put_list(shape_strbuf *out, uint32_t rank, uint32_t axis, const char *name) {
  strbuf_printf(out, "%s = [", KEY);
  for (uint32_t i = 0; i < rank; i++)
    strbuf_printf(out, "%s\"%s\"", i ? ", " : "", i == axis ? name : "");
  strbuf_putc(out, ']');
}

// The name in a list that is there: `open` is its bracket.
static void edit_list(lsp_call *call, text_edits *edits, uint32_t open, uint32_t axis,
                      const char *name, shape_strbuf *text) {
  const syn_index *x = call->syntax;
  uint32_t count = 0, t = open + 1;
  for (; t < x->token_count && !is_char(x, t, ']'); t++) {
    if (!syn_kind_is(x, t, SYN_STRING)) continue;
    if (count++ != axis) continue;
    strbuf_printf(text, "\"%s\"", name);
    add(call, edits, x->tokens[t].begin, x->tokens[t].end, text);
    return;
  }
  if (t >= x->token_count) return;
  for (; count <= axis; count++)
    strbuf_printf(text, "%s\"%s\"", count ? ", " : "", count == axis ? name : "");
  add(call, edits, x->tokens[t].begin, x->tokens[t].begin, text);
}

static bool edit_argument(lsp_call *call, uint32_t at, uint32_t rank, uint32_t axis,
                          const char *name, text_edits *edits) {
  const syn_index *x = call->syntax;
  uint32_t occurrence = syn_name_at(x, at);
  syn_type type = {SYN_NONE, SYN_NONE};
  shape_strbuf text;
  if (occurrence != SYN_NONE) type = syn_type_of(x, occurrence, 0);
  if (type.last == SYN_NONE) return false;
  strbuf_init(&text, call->arena);
  uint32_t open = type.last + 1;
  if (!is_char(x, open, '{')) {
    strbuf_puts(&text, " {");
    put_list(&text, rank, axis, name);
    strbuf_putc(&text, '}');
    add(call, edits, x->tokens[type.last].end, x->tokens[type.last].end, &text);
    return true;
  }
  uint32_t depth = 0;
  for (uint32_t t = open; t < x->token_count; t++) {
    if (is_char(x, t, '{')) depth++;
    if (is_char(x, t, '}') && --depth == 0) break;
    if (!syn_is(x, t, KEY) || !is_char(x, t + 1, '=') || !is_char(x, t + 2, '[')) continue;
    edit_list(call, edits, t + 2, axis, name, &text);
    return true;
  }
  put_list(&text, rank, axis, name);
  if (!is_char(x, open + 1, '}')) strbuf_puts(&text, ", ");
  add(call, edits, x->tokens[open].end, x->tokens[open].end, &text);
  return true;
}

bool lsp_name_is_taken(const lsp_model *m, const char *name) {
  return lsp_model_symbol(m, name, strlen(name)) ||
         graph_find_func(m->graph, 0, name, strlen(name)) != ID_NONE;
}

bool lsp_edit_name(lsp_call *call, const char *symbol, const char *name, text_edits *edits) {
  const lsp_model *m = call->model;
  uint32_t rank = 0;
  if (!lsp_is_ready(call)) return false;
  const lsp_symbol *s = lsp_model_symbol(m, symbol, strlen(symbol));
  if (!s) return lsp_fail(call, LSP_INVALID_PARAMS, "there is no such symbol");
  if (!is_name(name)) {
    return lsp_fail(call, LSP_INVALID_PARAMS, "a name is letters, digits and _, no digit first");
  }
  if (lsp_name_is_taken(m, name)) {
    return lsp_fail(call, LSP_INVALID_PARAMS, "the name is taken");
  }
  uint32_t at = argument_at(m, s, &rank);
  if (at == UINT32_MAX || !edit_argument(call, at, rank, s->axis, name, edits))
    return lsp_fail(call, LSP_REQUEST_FAILED, "only a dim of an argument can have a name");
  return true;
}
