// SPDX-License-Identifier: Apache-2.0
// pad and dynamic_pad (StableHLO spec, pad C2, C3, C4): a result axis has the size
// low + size + max(size - 1, 0) * interior + high. The max is kept unless the size is proven to be at least 1, or the
// interior padding is 0.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"

static term_id padded_size(rule_context *c, term_id size, term_id low, term_id high,
                           term_id interior) {
  term_table *t = c->terms;
  term_id sum = term_add(t, size, term_add(t, low, high));
  if (interior == TERM_ZERO) return sum;
  if (!rule_require(c, predicate_make(REL_GE, interior, TERM_ZERO), "interior padding is >= 0"))
    return TERM_NONE;
  term_id gaps = math_max(c, term_sub(t, size, TERM_ONE), TERM_ZERO);
  return term_add(t, sum, term_mul(t, gaps, interior));
}

// Elements of a pad whose amounts are all constants: the padding value everywhere, the operand's where they land.
static void pad_elements(rule_context *c, const term_id *low, const term_id *interior) {
  const value_info *in = rule_operand(c, 0), *fill = rule_operand(c, 1);
  const value_info *out = rule_value(c, graph_result(c->graph, c->op, 0));
  int64_t shape[ELEMENTS_MAX_RANK], own[ELEMENTS_MAX_RANK], strides[ELEMENTS_MAX_RANK];
  int64_t index[ELEMENTS_MAX_RANK] = {0}, start[ELEMENTS_MAX_RANK], step[ELEMENTS_MAX_RANK];
  uint32_t total, own_total;
  if (!in->elements || !elements_shape(c, out, shape, &total) ||
      !elements_shape(c, in, own, &own_total) || own_total != in->element_count ||
      out->rank != in->rank)
    return;
  for (uint32_t i = 0; i < in->rank; i++) {
    if (!term_int_value(c->terms, low[i], &start[i]) ||
        !term_int_value(c->terms, interior[i], &step[i]))
      return;
    if (step[i] < 0 || step[i] > VALUE_MAX_ELEMENTS || start[i] < -VALUE_MAX_ELEMENTS ||
        start[i] > VALUE_MAX_ELEMENTS)
      return;
  }
  if (!elements_afford(c, total)) return;
  term_id value = fill->elements && fill->element_count == 1 ? fill->elements[0] : TERM_NONE;
  term_id *elements = arena_alloc(c->arena, (total + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < total; i++) elements[i] = value;
  elements_strides(shape, in->rank, strides);
  for (uint32_t i = 0; i < own_total; i++) {
    int64_t at = 0;
    bool inside = true;
    for (uint32_t k = 0; k < in->rank; k++) {
      int64_t position = start[k] + index[k] * (step[k] + 1);
      inside = inside && position >= 0 && position < shape[k];
      at += position * strides[k];
    }
    if (inside) elements[at] = in->elements[i];
    elements_next(index, own, in->rank);
  }
  rule_set_elements(c, 0, elements, total);
}

static rule_status set_padded(rule_context *c, const term_id *low, const term_id *high,
                              const term_id *interior, uint32_t count) {
  const value_info *in = rule_operand(c, 0);
  assert(in->rank == count);
  term_id *dims = arena_alloc(c->arena, (count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < count; i++) {
    dims[i] = TERM_NONE;
    if (low[i] != TERM_NONE && high[i] != TERM_NONE && interior[i] != TERM_NONE)
      dims[i] = padded_size(c, in->dims[i], low[i], high[i], interior[i]);
    if (dims[i] != TERM_NONE &&
        rule_require(c, predicate_make(REL_GE, dims[i], TERM_ZERO), "the padded dim is >= 0"))
      continue;
    dims[i] = rule_unknown_size(c, 0, count, i);
  }
  rule_set_dims(c, 0, dims, count);
  pad_elements(c, low, interior);
  return RULE_DONE;
}

rule_status rule_pad(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  static const char *const names[3] = {"edge_padding_low", "edge_padding_high", "interior_padding"};
  const term_id *parts[3] = {NULL, NULL, NULL};
  uint32_t counts[3] = {0, 0, 0};
  bool dynamic = c->row->param == FORM_DYNAMIC;
  if (!rule_assume_rank(c, 1, 0)) rule_error(c, "rank", "the padding value is no scalar");
  for (uint32_t i = 0; i < 3; i++) {
    if (dynamic) {
      const value_info *v = rule_operand(c, i + 2);
      if (v->ranked && v->rank != 1) {
        rule_error(c, "rank", "%s has rank %u, not 1", names[i], v->rank);
      } else {
        parts[i] = rule_size_elements(c, i + 2, &counts[i]);
      }
      continue;
    }
    const int64_t *values;
    if (!rule_ints(c, names[i], &values, &counts[i])) continue;
    term_id *terms = arena_alloc(c->arena, (counts[i] + 1) * sizeof(term_id));
    for (uint32_t k = 0; k < counts[i]; k++) terms[k] = term_int(c->terms, values[k]);
    parts[i] = terms;
  }
  if (!parts[0] || !parts[1] || !parts[2]) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (counts[0] != counts[1] || counts[0] != counts[2] || !rule_assume_rank(c, 0, counts[0])) {
    rule_error(c, "attribute-length",
               "edge_padding_low, edge_padding_high and interior_padding have %u, %u and %u "
               "entries for an operand "
               "of rank %u",
               counts[0], counts[1], counts[2], rule_operand(c, 0)->rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  return set_padded(c, parts[0], parts[1], parts[2], counts[0]);
}
