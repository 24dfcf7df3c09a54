// SPDX-License-Identifier: Apache-2.0
// custom_call targets that only speak to shape refinement (StableHLO dynamism RFC).
#include <string.h>

#include "solver/transform/rewrite.h"

static const char *target_of(const shape_graph *g, op_id op) {
  if (!op_has(g, op, TRAIT_CUSTOM_CALL)) return "";
  const char *target = graph_attr_text(g, graph_attr_named(g, op, "call_target_name"));
  return target ? target : "";
}

static bool is_wrapper(const refine_rewrite *r, op_id op) {
  const graph_op *o = &r->graph->ops[op];
  const char *target = target_of(r->graph, op);
  if (strcmp(target, "stablehlo.shape_refinement_operand_wrapper") != 0 &&
      strcmp(target, "shape_refinement_operand_wrapper") != 0)
    return false;
  if (!o->operand_count || o->result_count != 1 || rewrite_is_open(r, op)) return false;
  if (rewrite_feeds(r, o->results)) return false;
  value_id operand = graph_operand(r->graph, op, 0);
  return operand != VALUE_NONE && r->value_types[operand] == r->value_types[o->results];
}

static bool holds(const refine_rewrite *r, op_id op) {
  if (strcmp(target_of(r->graph, op), "shape_assertion") != 0) return false;
  const constant_value *condition = rewrite_constant(r, graph_operand(r->graph, op, 0));
  return !r->graph->ops[op].result_count && condition && condition->count == 1 &&
         condition->items[0];
}

// Operands that name a wrapper's result name what it wraps; `instead` leads on where wrappers wrap wrappers.
static void use_instead(refine_rewrite *r, const value_id *instead) {
  shape_graph *g = r->graph;
  for (uint32_t i = 0; i < g->operand_count; i++) {
    value_id value = g->operands[i];
    if (value == VALUE_NONE || instead[value] == VALUE_NONE) continue;
    while (instead[value] != VALUE_NONE) value = instead[value];
    g->operands[i] = value;
    uint32_t at = i < r->uses->operand_count ? r->uses->operands[i] : UINT32_MAX;
    if (at == UINT32_MAX) continue;
    shape_strbuf text;
    strbuf_init(&text, g->arena);
    mlir_writer w;
    mlir_writer_init(&w, g, r->uses, r->value_types, &text);
    mlir_write_value(&w, value);
    edits_add(r->edits, &g->source, edit_value_span(&g->source, at), text.data, text.length);
  }
}

void rewrite_wrappers(refine_rewrite *r) {
  shape_graph *g = r->graph;
  value_id *instead = NULL;
  for (op_id op = 0; op < g->op_count; op++) {
    if (holds(r, op) && !rewrite_keeps(r, op)) rewrite_remove(r, op);
    if (!is_wrapper(r, op)) continue;
    if (!instead) {
      instead = arena_alloc(g->arena, (g->value_count + 1) * sizeof *instead);
      for (value_id v = 0; v < g->value_count; v++) instead[v] = VALUE_NONE;
    }
    instead[g->ops[op].results] = graph_operand(g, op, 0);
    rewrite_remove(r, op);
  }
  if (instead) use_instead(r, instead);
}
