// SPDX-License-Identifier: Apache-2.0
// Refined types go into the text where the old ones were.
#include <assert.h>
#include <string.h>

#include "solver/formats/mlir/edit.h"
#include "solver/transform/types.h"

typedef struct rewriting {
  const refined_types *types;
  const shape_graph *graph;
  text_edits *edits;
} rewriting;

static bool has_symbols(const graph_type *type) {
  for (uint32_t i = 0; type->kind == TYPE_TENSOR && i < type->rank; i++) {
    if (dim_is_symbol(type->dims[i])) return true;
  }
  return false;
}

static void print(const rewriting *w, shape_strbuf *out, type_id type) {
  if (w->types->encoded) {
    mlir_put_type(out, w->graph, type);
  } else {
    type_print(&w->graph->types, out, type);
  }
}

static void replace(rewriting *w, source_span span, const shape_strbuf *text) {
  edits_add(w->edits, &w->graph->source, span, text->data, text->length);
}

// Where names of dims begin, one for each size: at the comma of ", [". NULL: they are elsewhere, as in shaped.dims.
static const char *names_in(const char *from, const char *end) {
  for (const char *at = from; at < end; at++) {
    const char *next = at + 1;
    while (*at == ',' && next < end && *next == ' ') next++;
    if (*at == ',' && next < end && *next == '[') return at;
  }
  return NULL;
}

// Names of dims stay, also where a size is a number.
static void replace_named(rewriting *w, source_span span, shape_strbuf *text) {
  const char *end = w->graph->source.text + span.end;
  const char *comma = names_in(w->graph->source.text + span.begin, end);
  if (comma) {
    text->length--;  // '>'
    strbuf_add(text, comma, (size_t)(end - comma));
  }
  replace(w, span, text);
}

// Whether names go into a type that is otherwise as it was: they are in shaped.dims, not in its text.
static bool lacks_names(const rewriting *w, source_span span, type_id type) {
  const char *text = w->graph->source.text;
  return w->types->encoded && has_symbols(type_get(&w->graph->types, type)) &&
         !names_in(text + span.begin, text + span.end);
}

static void replace_type(rewriting *w, source_span span, type_id was, type_id now) {
  if (now == TYPE_NONE || was == TYPE_NONE || span_is_none(span)) return;
  if (now == was && !lacks_names(w, span, now)) return;
  shape_strbuf text;
  strbuf_init(&text, w->graph->arena);
  print(w, &text, now);
  if (!w->types->encoded && has_symbols(type_get(&w->graph->types, was))) {
    replace_named(w, span, &text);
  } else {
    replace(w, span, &text);
  }
}

static void replace_value(rewriting *w, source_span span, value_id value) {
  if (value == VALUE_NONE) return;
  replace_type(w, span, w->graph->values[value].type, refined_value(w->types, value));
}

// --- one type for several values

static bool is_new(const rewriting *w, value_id value) {
  type_id now = refined_value(w->types, value);
  return now != w->graph->values[value].type ||
         (w->types->encoded && now != TYPE_NONE && has_symbols(type_get(&w->graph->types, now)));
}

static bool changed(const rewriting *w, op_id op) {
  const graph_op *o = &w->graph->ops[op];
  for (uint32_t i = 0; i < o->operand_count; i++) {
    value_id value = graph_operand(w->graph, op, i);
    if (value == VALUE_NONE) return false;
    if (is_new(w, value)) return true;
  }
  for (uint32_t i = 0; i < o->result_count; i++) {
    if (is_new(w, o->results + i)) return true;
  }
  return false;
}

// Operands from `first` on and the results have one type.
static bool agree(const rewriting *w, op_id op, uint32_t first, type_id *out) {
  const graph_op *o = &w->graph->ops[op];
  type_id type = TYPE_NONE;
  for (uint32_t i = first; i < o->operand_count + o->result_count; i++) {
    value_id value =
        i < o->operand_count ? graph_operand(w->graph, op, i) : o->results + (i - o->operand_count);
    type_id now = refined_value(w->types, value);
    if (type != TYPE_NONE && now != type) return false;
    type = now;
  }
  *out = type;
  return type != TYPE_NONE;
}

static bool is_real_part(const rewriting *w, type_id real, type_id complex) {
  const graph_type *x = type_get(&w->graph->types, real), *y = type_get(&w->graph->types, complex);
  if (x->kind != y->kind || x->rank != y->rank || x->has_bounds != y->has_bounds) return false;
  for (uint32_t i = 0; i < x->rank; i++) {
    if (x->dims[i] != y->dims[i] || (x->has_bounds && x->bounds[i] != y->bounds[i])) return false;
  }
  return true;
}

static bool complex_agrees(const rewriting *w, op_id op, type_id *out) {
  const graph_op *o = &w->graph->ops[op];
  if (!o->result_count) return false;
  *out = refined_value(w->types, o->results);
  for (uint32_t i = 0; i < o->operand_count; i++) {
    type_id real = refined_value(w->types, graph_operand(w->graph, op, i));
    if (!is_real_part(w, real, *out)) return false;
  }
  return true;
}

// (A, B) -> C: StableHLO's parsers take it wherever they take the short form.
static void print_signature(const rewriting *w, shape_strbuf *out, op_id op) {
  const graph_op *o = &w->graph->ops[op];
  strbuf_putc(out, '(');
  for (uint32_t i = 0; i < o->operand_count; i++) {
    if (i) strbuf_puts(out, ", ");
    print(w, out, refined_value(w->types, graph_operand(w->graph, op, i)));
  }
  strbuf_puts(out, ") -> ");
  if (o->result_count != 1) strbuf_putc(out, '(');
  for (uint32_t i = 0; i < o->result_count; i++) {
    if (i) strbuf_puts(out, ", ");
    print(w, out, refined_value(w->types, o->results + i));
  }
  if (o->result_count != 1) strbuf_putc(out, ')');
}

static void replace_shared(rewriting *w, const mlir_type_use *use) {
  op_id op = use->subject;
  assert(op < w->graph->op_count);
  if (!changed(w, op)) return;
  type_id type = TYPE_NONE;
  bool short_form = use->kind == MLIR_USE_SAME     ? agree(w, op, 0, &type)
                    : use->kind == MLIR_USE_SELECT ? agree(w, op, 1, &type)
                                                   : complex_agrees(w, op, &type);
  shape_strbuf text;
  strbuf_init(&text, w->graph->arena);
  if (!short_form) {
    print_signature(w, &text, op);
  } else {
    if (use->kind == MLIR_USE_SELECT && use->index == 2) {
      print(w, &text, refined_value(w->types, graph_operand(w->graph, op, 0)));
      strbuf_puts(&text, ", ");
    }
    print(w, &text, type);
  }
  replace(w, use->span, &text);
}

static void replace_use(rewriting *w, const mlir_type_use *use) {
  const shape_graph *g = w->graph;
  switch ((mlir_use_kind)use->kind) {
  case MLIR_USE_VALUE: replace_value(w, use->span, use->subject); return;
  case MLIR_USE_RESULT:
    if (use->index < g->ops[use->subject].result_count) {
      replace_value(w, use->span, g->ops[use->subject].results + use->index);
    }
    return;
  case MLIR_USE_FUNCTION:
    replace_type(w, use->span, g->funcs[use->subject].type,
                 refined_function(w->types, use->subject));
    return;
  case MLIR_USE_SAME:
  case MLIR_USE_SELECT:
  case MLIR_USE_COMPLEX: replace_shared(w, use); return;
  case MLIR_USE_TAKEN:
  case MLIR_USE_MADE:
  case MLIR_USE_DECLARED:
  case MLIR_USE_BODY:
  case MLIR_USE_PINNED:
  case MLIR_USE_PINNED_RESULTS: return;
  }
}

void refine_edits(const refined_types *types, const mlir_uses *uses, text_edits *edits) {
  shape_graph *g = types->graph;
  rewriting w = {.types = types, .graph = g, .edits = edits};
  for (uint32_t i = 0; i < uses->count; i++) replace_use(&w, &uses->items[i]);
  for (func_id f = 0; f < g->func_count; f++) {
    const graph_func *func = &g->funcs[f];
    if (!func->result_spans || func->is_declaration) continue;
    graph_type type = *type_get(&g->types, func->type);
    for (uint32_t i = 0; i + type.split < type.param_count; i++) {
      replace_type(&w, func->result_spans[i], type.params[type.split + i],
                   refined_result(types, f, i));
    }
  }
}

void refine_graph(const refined_types *types) {
  shape_graph *g = types->graph;
  type_id *values = arena_alloc(g->arena, (g->value_count + 1) * sizeof *values);
  type_id *funcs = arena_alloc(g->arena, (g->func_count + 1) * sizeof *funcs);
  // All of them first: what is declared is the measure of what is refined.
  for (value_id v = 0; v < g->value_count; v++) values[v] = refined_value(types, v);
  for (func_id f = 0; f < g->func_count; f++) {
    funcs[f] = g->funcs[f].type == TYPE_NONE ? TYPE_NONE : refined_function(types, f);
  }
  for (value_id v = 0; v < g->value_count; v++) g->values[v].type = values[v];
  for (func_id f = 0; f < g->func_count; f++) g->funcs[f].type = funcs[f];
}
