// SPDX-License-Identifier: Apache-2.0
// CHLO, ragged_dot: a dot_general in which one axis of lhs is cut into groups.
#include <assert.h>

#include "solver/ops/rules/stablehlo/dot.h"

// Where the ragged axis is: among the free axes of lhs (rhs has an axis of groups), among the contracting ones (the
// result gets an axis of groups in front), or among the batching ones.
typedef enum ragged_mode { RAGGED_FREE, RAGGED_CONTRACTING, RAGGED_BATCH } ragged_mode;

static bool check_ragged(rule_context *c, const dot_axes *x, axis_list ragged, axis_list groups,
                         ragged_mode *mode) {
  if (ragged.count != 1) {
    rule_error(c, "attribute", "lhs_ragged_dimensions has %u axes, one is needed", ragged.count);
    return false;
  }
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1);
  if (!verify_in_range(c, "lhs_ragged_dimensions", ragged, a->rank) ||
      !verify_in_range(c, "rhs_group_dimensions", groups, b->rank) ||
      !verify_disjoint(c, "rhs_group_dimensions", groups, "rhs_batching_dimensions",
                       x->rhs_batch) ||
      !verify_disjoint(c, "rhs_group_dimensions", groups, "rhs_contracting_dimensions",
                       x->rhs_contract))
    return false;
  *mode = axis_in(x->lhs_contract, ragged.axes[0]) ? RAGGED_CONTRACTING
          : axis_in(x->lhs_batch, ragged.axes[0])  ? RAGGED_BATCH
                                                   : RAGGED_FREE;
  uint32_t want = *mode == RAGGED_FREE ? 1 : 0;
  if (groups.count == want) return true;
  rule_error(c, "attribute", "rhs_group_dimensions has %u axes, %u needed", groups.count, want);
  return false;
}

rule_status rule_ragged_dot(rule_context *c) {
  assert(rule_operand_count(c) >= 3 && rule_result_count(c) == 1);
  attr_id dict = rule_attr(c, "ragged_dot_dimension_numbers");
  attr_id inner =
      dict == ATTR_NONE ? ATTR_NONE : graph_attr_entry(c->graph, dict, "dot_dimension_numbers");
  axis_list ragged = verify_dict_axes(c, dict, "lhs_ragged_dimensions");
  axis_list groups = verify_dict_axes(c, dict, "rhs_group_dimensions");
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1), *g = rule_operand(c, 2);
  dot_axes x;
  ragged_mode mode;
  verify_precision(c);
  if (!dot_read_axes(c, inner == ATTR_NONE ? dict : inner, &x) || !a->ranked || !b->ranked ||
      !dot_check_axes(c, &x, true) || !check_ragged(c, &x, ragged, groups, &mode)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  bool fine = true;
  for (uint32_t i = 0; i < x.lhs_batch.count; i++)
    fine = rule_require_eq(c, a->dims[x.lhs_batch.axes[i]], b->dims[x.rhs_batch.axes[i]],
                           "the batching dims are equal") &&
           fine;
  for (uint32_t i = 0; i < x.lhs_contract.count; i++)
    fine = rule_require_eq(c, a->dims[x.lhs_contract.axes[i]], b->dims[x.rhs_contract.axes[i]],
                           "the contracting dims are equal") &&
           fine;
  term_id group_count = g->ranked && g->rank > 0 ? g->dims[g->rank - 1] : rule_fresh_size(c);
  if (mode == RAGGED_FREE)
    fine = rule_require_eq(c, b->dims[groups.axes[0]], group_count, "rhs has a matrix per group") &&
           fine;
  if (!fine) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id *dims = arena_alloc(c->arena, ((size_t)a->rank + b->rank + 1) * sizeof(term_id));
  uint32_t rank = 0;
  if (mode == RAGGED_CONTRACTING) dims[rank++] = group_count;
  for (uint32_t i = 0; i < x.lhs_batch.count; i++) dims[rank++] = a->dims[x.lhs_batch.axes[i]];
  for (uint32_t i = 0; i < a->rank; i++) {
    if (!axis_in(x.lhs_batch, i) && !axis_in(x.lhs_contract, i)) dims[rank++] = a->dims[i];
  }
  for (uint32_t i = 0; i < b->rank; i++) {
    if (!axis_in(x.rhs_batch, i) && !axis_in(x.rhs_contract, i) && !axis_in(groups, i))
      dims[rank++] = b->dims[i];
  }
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}
