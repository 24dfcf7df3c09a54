// SPDX-License-Identifier: Apache-2.0
// An ONNX model with free dims: the dims that literals have become are computed by the first nodes of the graph, from
// the shapes of its inputs, each as a tensor of one int64.
#include <assert.h>
#include <string.h>

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
  dim_writer dims;
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

static uint32_t add_constant(void *to, int64_t number) {
  rewriter *w = to;
  int64_t *value = arena_alloc(w->arena, sizeof *value);
  *value = number;
  return add(
      w, (onnx_new_node){.op_type = "Constant", .value = value, .value_rank = 1, .value_count = 1});
}

static uint32_t add_dim(void *to, uint32_t argument, uint32_t axis) {
  rewriter *w = to;
  uint32_t shape, length;
  if (!imap_get(&w->shapes, argument, &shape)) {
    const char *text = graph_value_text(w->graph, w->x->loose->from->arguments + argument, &length);
    shape = add(
        w, (onnx_new_node){.op_type = "Shape", .inputs = {arena_strndup(w->arena, text, length)}});
    imap_put(&w->shapes, w->arena, argument, shape);
  }
  uint32_t index = add_constant(w, axis);
  return add(w, (onnx_new_node){.op_type = "Gather",
                                .inputs = {name_of(w, shape), name_of(w, index)},
                                .has_axis = true});
}

static uint32_t add_step(void *to, dim_step step, uint32_t a, uint32_t b) {
  static const char *const OPS[DIM_STEPS] = {"Add", "Sub", "Mul", "Div", "Min"};
  return add(to, (onnx_new_node){.op_type = OPS[step], .inputs = {name_of(to, a), name_of(to, b)}});
}

static uint32_t add_broadcast(void *to, uint32_t a, uint32_t b, uint32_t one) {
  uint32_t test =
      add(to, (onnx_new_node){.op_type = "Equal", .inputs = {name_of(to, a), name_of(to, one)}});
  return add(to, (onnx_new_node){.op_type = "Where",
                                 .inputs = {name_of(to, test), name_of(to, b), name_of(to, a)}});
}

// Div truncates.
static const dim_forms FORMS = {
    .number = add_constant, .argument = add_dim, .step = add_step, .broadcast = add_broadcast};

static void rewrite_site(rewriter *w, const literal_site *s, uint32_t at) {
  assert(s->row->operand != LITERAL_TYPE && s->rank);
  const char **parts = arena_alloc(w->arena, s->rank * sizeof *parts);
  for (uint32_t i = 0; i < s->rank; i++) {
    term_id term = s->stays[i] ? term_int(w->x->terms, s->written[i]) : s->now[i];
    parts[i] = name_of(w, dim_put(&w->dims, term));
  }
  uint32_t made = add(
      w,
      (onnx_new_node){.op_type = "Concat", .more = parts, .more_count = s->rank, .has_axis = true});
  w->inputs[at] = (onnx_new_input){s->op, s->row->operand, name_of(w, made)};
}

static bool is_used(const shape_graph *g, const char *prefix) {
  for (name_id n = 0; n < g->names.count; n++) {
    if (strncmp(intern_text(&g->names, n), prefix, strlen(prefix)) == 0) return true;
  }
  return false;
}

void rewrite_onnx_model(const resolving *x, const onnx_sink *sink) {
  shape_graph *g = x->graph;
  const literal_sites *sites = &x->loose->sites;
  assert(g->format == GRAPH_ONNX);
  rewriter w = {
      .x = x, .graph = g, .arena = g->arena, .prefix = dim_prefix(g, "shape_dim_", is_used)};
  dim_writer_init(&w.dims, x, &FORMS, &w);
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
