// SPDX-License-Identifier: Apache-2.0
// transpose: result axis i is the operand's axis permutation[i] (StableHLO spec, transpose C2, C3).
#include <assert.h>

#include "solver/ops/rules/common/rules.h"

static void transpose_elements(rule_context *c, const int64_t *permutation) {
  const value_info *in = rule_operand(c, 0), *out = rule_value(c, graph_result(c->graph, c->op, 0));
  int64_t in_shape[ELEMENTS_MAX_RANK], shape[ELEMENTS_MAX_RANK], strides[ELEMENTS_MAX_RANK];
  int64_t index[ELEMENTS_MAX_RANK] = {0};
  uint32_t in_total, total;
  if (!elements_shape(c, in, in_shape, &in_total) || !elements_shape(c, out, shape, &total) ||
      total != in_total || total != in->element_count)
    return;
  if (!elements_afford(c, total)) return;
  elements_strides(in_shape, in->rank, strides);
  term_id *elements = arena_alloc(c->arena, (total + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < total; i++) {
    int64_t at = 0;
    for (uint32_t k = 0; k < out->rank; k++) at += index[k] * strides[permutation[k]];
    elements[i] = in->elements[at];
    elements_next(index, shape, out->rank);
  }
  rule_set_elements(c, 0, elements, total);
}

rule_status rule_transpose(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const int64_t *permutation;
  uint32_t count = 0;
  if (!rule_ints(c, "permutation", &permutation, &count) || !rule_assume_rank(c, 0, count)) {
    if (rule_attr(c, "permutation") != ATTR_NONE && rule_operand(c, 0)->ranked)
      rule_error(c, "attribute-length", "permutation has %u entries for an operand of rank %u",
                 count, rule_operand(c, 0)->rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  const value_info *in = rule_operand(c, 0);
  term_id few[RULE_FEW], few_seen[RULE_FEW];
  term_id *dims = rule_room(c, few, count), *seen = rule_room(c, few_seen, count);
  memset(seen, 0, count * sizeof *seen);
  for (uint32_t i = 0; i < count; i++) {
    if (permutation[i] < 0 || permutation[i] >= (int64_t)count || seen[permutation[i]]) {
      bool twice = permutation[i] >= 0 && permutation[i] < (int64_t)count;
      rule_error(c, "axis", "permutation holds %lld%s, the operand has rank %u",
                 (long long)permutation[i], twice ? " twice" : "", count);
      rule_set_unknown(c, 0);
      return RULE_DONE;
    }
    seen[permutation[i]] = 1;
    dims[i] = in->dims[permutation[i]];
  }
  rule_set_dims(c, 0, dims, count);
  if (in->elements) transpose_elements(c, permutation);
  return RULE_DONE;
}
