// SPDX-License-Identifier: Apache-2.0
// custom_call targets that only speak to shape refinement (StableHLO dynamism RFC), and what changes nothing.
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

// --- broadcasts that change nothing

// Of the entry's own block: in a region dims are what its requirements make them (infer/regions.c).
static const value_info *stated(const refine_rewrite *r, value_id value) {
  const infer_result *infer = r->types->report->infer;
  const shape_graph *g = r->graph;
  if (value == VALUE_NONE || !infer || infer->entry == ID_NONE) return NULL;
  const infer_frame *f = &infer->frames[0];
  const graph_value *v = &g->values[value];
  block_id block = v->is_argument ? v->def : g->ops[v->def].parent;
  if (block != g->regions[g->funcs[infer->entry].body].first_block) return NULL;
  const value_info *info = &f->values[value - f->value_base];
  return info->visited && info->ranked && !info->in_conflict ? info : NULL;
}

static bool is_required(const refine_rewrite *r, op_id op) {
  return r->types->report->unproven && r->types->report->unproven[op];
}

static bool is_identity(const refine_rewrite *r, op_id op) {
  const shape_graph *g = r->graph;
  const graph_op *o = &g->ops[op];
  const int64_t *axes;
  uint32_t count;
  if (!r->folds || !op_has(g, op, TRAIT_BROADCASTS) || o->result_count != 1 || !o->operand_count)
    return false;
  value_id operand = graph_operand(g, op, 0);
  const value_info *in = stated(r, operand), *out = stated(r, o->results);
  if (!in || !out || in->rank != out->rank || is_required(r, op)) return false;
  if (r->value_types[operand] != r->value_types[o->results] || rewrite_is_open(r, op)) return false;
  if (rewrite_keeps(r, op) || rewrite_feeds(r, o->results)) return false;
  if (!graph_attr_ints(g, graph_attr_named(g, op, "broadcast_dimensions"), &axes, &count))
    return !in->rank;
  for (uint32_t i = 0; i < in->rank; i++) {
    if (count != in->rank || axes[i] != i) return false;
    if (in->dims[i] == TERM_NONE || in->dims[i] != out->dims[i]) return false;
  }
  return true;
}

// --- checks

// Of the entry's own block, which the analysis has followed.
static bool is_reached(const refine_rewrite *r, op_id op) {
  const shape_graph *g = r->graph;
  const infer_result *infer = r->types->report->infer;
  return infer && infer->entry != ID_NONE &&
         g->ops[op].parent == g->regions[g->funcs[infer->entry].body].first_block;
}

// shape.cstr_* of what is known without it: its witness holds.
static void fold_constraint(refine_rewrite *r, op_id op) {
  const shape_graph *g = r->graph;
  static const char *const NAMES[] = {"shape.cstr_broadcastable", "shape.cstr_eq",
                                      "shape.cstr_require"};
  bool found = false;
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    found |= strcmp(graph_op_name(g, op), NAMES[i]) == 0;
  if (!found || !r->folds || is_required(r, op) || rewrite_is_open(r, op)) return;
  if (rewrite_keeps(r, op) || rewrite_feeds(r, g->ops[op].results)) return;
  if (g->ops[op].result_count != 1 || !mlir_op_end(r->uses, op) || !is_reached(r, op)) return;
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  strbuf_puts(&text, "shape.const_witness true");
  rewrite_replace(r, op, &text);
  r->graph->ops[op].operand_count = 0;
}

static bool holds(const refine_rewrite *r, op_id op) {
  bool assertion = r->folds && op_has(r->graph, op, TRAIT_ASSERTS) && !rewrite_is_open(r, op);
  if (!assertion && strcmp(target_of(r->graph, op), "shape_assertion") != 0) return false;
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
    fold_constraint(r, op);
    if (!is_wrapper(r, op) && !is_identity(r, op)) continue;
    if (!instead) {
      instead = arena_alloc(g->arena, (g->value_count + 1) * sizeof *instead);
      for (value_id v = 0; v < g->value_count; v++) instead[v] = VALUE_NONE;
    }
    instead[g->ops[op].results] = graph_operand(g, op, 0);
    rewrite_remove(r, op);
  }
  if (instead) use_instead(r, instead);
}
