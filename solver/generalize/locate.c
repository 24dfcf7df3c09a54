// SPDX-License-Identifier: Apache-2.0
// Where something of the written model is in the one that was read: text has new lines in front of the first operation
// and of those that got a list, and dynamic operations where literals were rewritten; nodes of ONNX have names.
#include <assert.h>
#include <string.h>

#include "solver/generalize/state.h"
#include "solver/ops/registry.h"

// What computes dims has no location there. False: it is such.
static bool read_line(const generalization *g, uint32_t *line) {
  uint32_t before = 0;
  for (uint32_t i = 0; i < g->added_count; i++) {
    const added_lines *a = &g->added[i];
    assert(a->at && a->count);
    if (*line < a->at + before) break;
    if (*line < a->at + before + a->count) return false;
    before += a->count;
  }
  *line -= before;
  return true;
}

static bool is_new_node(const generalization *g, const char *node) {
  const shape_graph *old = shape_run_graph(g->from.a.program);
  return *node && intern_find(&old->names, node, strlen(node)) == NAME_NONE &&
         old->format == GRAPH_ONNX && strncmp(node, "shape_dim_", 10) == 0;
}

static const char *old_name(const generalization *g, const char *name, uint32_t line) {
  for (uint32_t i = 0; i < g->rewritten_count; i++) {
    const rewritten_literal *r = &g->rewritten[i];
    if (r->at.line == line && strstr(name, ".dynamic_") && r->operand == LITERAL_TYPE)
      return r->at.op;
  }
  return name;
}

model_location locate_op(const generalization *g, op_id op) {
  const shape_graph *graph = shape_run_graph(g->model_analysis.program);
  uint32_t length;
  if (op >= graph->op_count) return (model_location){0};
  const char *node = graph_node_name(graph, op, &length);
  shape_arena *arena = (shape_arena *)&g->arena;
  model_location at = {.node = arena_strndup(arena, node ? node : "", node ? length : 0),
                       .line = graph_line(graph, graph->ops[op].name_span)};
  if (is_new_node(g, at.node) || !read_line(g, &at.line)) return (model_location){0};
  const char *name = old_name(g, graph_op_name(graph, op), at.line);
  at.op = arena_strndup(arena, name, strlen(name));
  return at;
}

// Several operations come from one statement of Python.
static bool has_rule(const shape_graph *g, op_id op, const char *rule) {
  const char *name = graph_op_name(g, op);
  const op_row *row = registry_find(name, strlen(name), g->onnx_opset);
  return !rule || (row && strcmp(row->rule_name, rule) == 0);
}

model_location locate_reason(const generalization *g, const report_because *why) {
  const shape_graph *graph = shape_run_graph(g->model_analysis.program);
  op_id found = ID_NONE;
  if (span_is_none(why->span)) return (model_location){0};
  // Operations are in the order of their first byte, or nearly so: of a model whose nodes were sorted they are not.
  for (op_id op = 0; op < graph->op_count; op++) {
    const graph_op *o = &graph->ops[op];
    if (o->span.begin != why->span.begin &&
        (o->name_span.begin != why->span.begin || span_is_none(o->name_span)))
      continue;
    if (has_rule(graph, op, why->rule)) return locate_op(g, op);
    if (found == ID_NONE) found = op;
  }
  return found == ID_NONE ? (model_location){0} : locate_op(g, found);
}
