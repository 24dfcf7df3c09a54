// SPDX-License-Identifier: Apache-2.0
// concatenate: dims add up along one axis and agree along all others (StableHLO spec, concatenate C2, C4, C6).
#include "solver/ops/rules/common/rules.h"

// Copies each operand's rows into their position: outer is the product of the dims before the axis.
static void concatenate_elements(rule_context *c, uint32_t axis) {
  const value_info *out = rule_value(c, graph_result(c->graph, c->op, 0));
  if (axis >= out->rank) return;  // of another rank than declared
  int64_t shape[ELEMENTS_MAX_RANK], own[ELEMENTS_MAX_RANK];
  uint32_t total, own_total;
  if (!dtype_is_integer(rule_result_dtype(c, 0)) || !elements_shape(c, out, shape, &total)) return;
  if (!total) {
    rule_set_elements(c, 0, NULL, 0);
    return;
  }
  bool any = false;
  for (uint32_t i = 0; i < rule_operand_count(c); i++) {
    const value_info *v = rule_operand(c, i);
    if (!elements_shape(c, v, own, &own_total)) return;
    if (v->elements && v->element_count != own_total) return;
    any = any || v->elements;
  }
  if (!any || !elements_afford(c, total)) return;
  term_id few[RULE_FEW], *elements = rule_room(c, few, total);
  uint64_t outer = 1, row = total;
  for (uint32_t i = 0; i < axis; i++) outer *= (uint64_t)shape[i];
  row = total / outer;
  uint64_t offset = 0;
  for (uint32_t i = 0; i < rule_operand_count(c); i++) {
    const value_info *v = rule_operand(c, i);
    elements_shape(c, v, own, &own_total);
    uint64_t width = own_total / outer;
    if (offset + width > row) return;
    for (uint64_t o = 0; o < outer; o++) {
      for (uint64_t k = 0; k < width; k++)
        elements[o * row + offset + k] = v->elements ? v->elements[o * width + k] : TERM_NONE;
    }
    offset += width;
  }
  if (offset == row) rule_set_elements(c, 0, elements, total);
}

rule_status rule_concatenate(rule_context *c) {
  const char *name = c->row->param == CONCATENATE_DIM ? "dim" : "dimension";
  uint32_t count = rule_operand_count(c), rank = 0;
  int64_t axis = -1;
  bool ranked = false;
  for (uint32_t i = 0; i < count && !ranked; i++) {
    ranked = rule_operand(c, i)->ranked;
    rank = rule_operand(c, i)->rank;
  }
  if (!rule_int(c, name, &axis) || !ranked) {
    if (axis < 0 && rule_attr(c, name) != ATTR_NONE)
      rule_error(c, "axis", "dimension %lld is not an axis", (long long)axis);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (rule_assume_rank(c, i, rank)) continue;
    rule_error(c, "rank", "operand #%u has rank %u, another has rank %u", i,
               rule_operand(c, i)->rank, rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (axis < 0 || axis >= (int64_t)rank) {
    rule_error(c, "axis", "dimension %lld is not an axis of operands of rank %u", (long long)axis,
               rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id few[RULE_FEW], few_along[RULE_FEW];
  term_id *dims = rule_room(c, few, rank), *along = rule_room(c, few_along, count);
  for (uint32_t i = 0; i < count; i++) {
    const value_info *v = rule_operand(c, i);
    along[i] = v->dims[axis];
    for (uint32_t k = 0; k < rank; k++) {
      if (i == 0) {
        dims[k] = v->dims[k];
      } else if (k != (uint32_t)axis) {
        rule_require_eq(c, dims[k], v->dims[k], "the operands agree along every other axis");
        if (term_kind_of(c->terms, v->dims[k]) == TERM_CONST) dims[k] = v->dims[k];
      }
    }
  }
  dims[axis] = term_sum_of(c->terms, along, count);
  rule_set_dims(c, 0, dims, rank);
  concatenate_elements(c, (uint32_t)axis);
  return RULE_DONE;
}
