// SPDX-License-Identifier: Apache-2.0
// An ONNX model with free dims: the dims that literals have become are computed by the first nodes of the graph, from
// the shapes of its inputs, each as a tensor of one int64.
#include <assert.h>
#include <string.h>

#include "solver/emit/instructions.h"
#include "solver/formats/onnx/reform.h"
#include "solver/generalize/work.h"

typedef struct rewriter {
  const resolving *x;
  shape_graph *graph;
  shape_arena *arena;
  const char *prefix;
  onnx_new_node *nodes;
  uint32_t node_count, node_capacity;
  onnx_new_input *inputs;
  instructions computed;
  shape_imap shapes;  // argument -> number of its shape
} rewriter;

static const char *name_of(const rewriter *w, uint32_t number) {
  shape_strbuf text;
  strbuf_init(&text, w->arena);
  strbuf_printf(&text, "%s%u", w->prefix, number);
  return strbuf_text(&text);
}

// Returns the number of its output.
static uint32_t add(rewriter *w, onnx_new_node node) {
  node.output = name_of(w, w->node_count);
  w->nodes = arena_grow(w->arena, w->nodes, w->node_count, (size_t)w->node_count + 1,
                        &w->node_capacity, sizeof *w->nodes);
  w->nodes[w->node_count] = node;
  return w->node_count++;
}

static uint32_t add_op(rewriter *w, const char *op, uint32_t a, uint32_t b) {
  return add(w, (onnx_new_node){.op_type = op, .inputs = {name_of(w, a), name_of(w, b)}});
}

static uint32_t put(rewriter *w, term_id term) { return instructions_put(&w->computed, term); }

static uint32_t add_constant(rewriter *w, int64_t number) {
  int64_t *value = arena_alloc(w->arena, sizeof *value);
  *value = number;
  return add(
      w, (onnx_new_node){.op_type = "Constant", .value = value, .value_rank = 1, .value_count = 1});
}

static uint32_t make_number(void *data, num n) {
  int64_t value = 0;
  bool fits = num_to_int(n, &value);
  assert(fits);
  (void)fits;
  return add_constant(data, value);
}

static uint32_t make_step(void *data, bool product, uint32_t a, uint32_t b) {
  return add_op(data, product ? "Mul" : "Add", a, b);
}

static uint32_t make_dim(rewriter *w, uint32_t symbol) {
  const infer_origin *o = &w->x->report->infer->origins[symbol];
  assert(o->kind == ORIGIN_ARGUMENT_SIZE);
  uint32_t shape, length;
  if (!imap_get(&w->shapes, o->argument, &shape)) {
    const char *text =
        graph_value_text(w->graph, w->x->loose->from->arguments + o->argument, &length);
    shape = add(
        w, (onnx_new_node){.op_type = "Shape", .inputs = {arena_strndup(w->arena, text, length)}});
    imap_put(&w->shapes, w->arena, o->argument, shape);
  }
  uint32_t index = add_constant(w, o->axis);
  return add(w, (onnx_new_node){.op_type = "Gather",
                                .inputs = {name_of(w, shape), name_of(w, index)},
                                .has_axis = true});
}

// Div truncates: a remainder that is less than zero is made up for.
static uint32_t make_floordiv(rewriter *w, term_id dividend, term_id divisor) {
  interval range = store_range(w->x->report->infer->store, dividend);
  uint32_t a = put(w, dividend), b = put(w, divisor);
  if (range.has_lo && num_sign(range.lo) >= 0) return add_op(w, "Div", a, b);
  uint32_t q = add_op(w, "Mul", add_op(w, "Div", a, b), b), rest = add_op(w, "Sub", a, q);
  uint32_t up = add_op(w, "Add", rest, b);
  uint32_t q2 = add_op(w, "Mul", add_op(w, "Div", up, b), b);
  return add_op(w, "Div", add_op(w, "Sub", a, add_op(w, "Sub", up, q2)), b);
}

static uint32_t make_bcast(rewriter *w, term_id left, term_id right) {
  uint32_t a = put(w, left), b = put(w, right), test = add_op(w, "Equal", a, put(w, TERM_ONE));
  return add(w, (onnx_new_node){.op_type = "Where",
                                .inputs = {name_of(w, test), name_of(w, b), name_of(w, a)}});
}

static uint32_t make_atom(void *data, term_id atom) {
  rewriter *w = data;
  const term_node node = *term_get(w->x->terms, atom);
  const term_id *args = node.as.args;
  switch ((term_kind)node.kind) {
  case TERM_SYMBOL: return make_dim(w, node.as.symbol);
  case TERM_FLOORDIV: return make_floordiv(w, args[0], args[1]);
  case TERM_BCAST: return make_bcast(w, args[0], args[1]);
  default: break;
  }
  assert(node.kind == TERM_MIN);
  uint32_t least = put(w, args[0]);
  for (uint32_t i = 1; i < node.count; i++) least = add_op(w, "Min", least, put(w, args[i]));
  return least;
}

static void rewrite_site(rewriter *w, const literal_site *s, uint32_t at) {
  assert(s->row->operand != LITERAL_TYPE && s->rank);
  const char **parts = arena_alloc(w->arena, s->rank * sizeof *parts);
  for (uint32_t i = 0; i < s->rank; i++) {
    term_id term = s->stays[i] ? term_int(w->x->terms, s->written[i]) : s->now[i];
    parts[i] = name_of(w, put(w, term));
  }
  uint32_t made = add(
      w,
      (onnx_new_node){.op_type = "Concat", .more = parts, .more_count = s->rank, .has_axis = true});
  w->inputs[at] = (onnx_new_input){s->op, s->row->operand, name_of(w, made)};
}

// Of names that the model does not use.
static const char *choose_prefix(const shape_graph *g) {
  for (uint32_t i = 0;; i++) {
    shape_strbuf text;
    strbuf_init(&text, g->arena);
    strbuf_puts(&text, "shape_dim_");
    if (i) strbuf_printf(&text, "%u_", i);
    const char *prefix = strbuf_text(&text);
    bool taken = false;
    for (name_id n = 0; n < g->names.count && !taken; n++)
      taken = strncmp(intern_text(&g->names, n), prefix, strlen(prefix)) == 0;
    if (!taken) return prefix;
  }
}

void rewrite_onnx_model(const resolving *x, const onnx_sink *sink) {
  shape_graph *g = x->graph;
  const literal_sites *sites = &x->loose->sites;
  assert(g->format == GRAPH_ONNX);
  rewriter w = {.x = x, .graph = g, .arena = g->arena, .prefix = choose_prefix(g)};
  w.computed = (instructions){.terms = x->terms,
                              .arena = g->arena,
                              .number = make_number,
                              .atom = make_atom,
                              .step = make_step,
                              .writer = &w};
  w.inputs = arena_alloc(g->arena, (sites->count + 1) * sizeof *w.inputs);
  uint32_t changed = 0;
  for (uint32_t i = 0; i < sites->count; i++) {
    if (sites->items[i].changed) rewrite_site(&w, &sites->items[i], changed++);
  }
  const onnx_reform reform = {.graph = g,
                              .types = loose_types(x),
                              .nodes = w.nodes,
                              .node_count = w.node_count,
                              .inputs = w.inputs,
                              .input_count = changed};
  onnx_reform_write(&reform, sink);
}
