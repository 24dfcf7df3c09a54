// SPDX-License-Identifier: Apache-2.0
// dot, dot_general: sums of products over contracting axes.
#include "solver/ops/rules/stablehlo/dot.h"

#include <assert.h>

// --- dot (deprecated): matrices and vectors

rule_status rule_dot(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  verify_precision(c);
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1);
  if (!a->ranked || !b->ranked) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (a->rank < 1 || a->rank > 2 || b->rank < 1 || b->rank > 2) {
    rule_error(c, "rank", "the operands have ranks %u and %u: 1 or 2 needed", a->rank, b->rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  rule_require_eq(c, a->dims[a->rank - 1], b->dims[0], "the contracting dims are equal");
  term_id dims[2];
  uint32_t rank = 0;
  if (a->rank == 2) dims[rank++] = a->dims[0];
  if (b->rank == 2) dims[rank++] = b->dims[1];
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

// --- dot_general (C1..C23)

// Combinations of precisions that some hardware supports (StableHLO spec, DotAlgorithm). `operations` is a bit per
// count of primitive operations; f8 is every float of 8 bits.
typedef struct dot_algorithm {
  shape_dtype operand, accumulation;
  uint32_t operations;
} dot_algorithm;

static const dot_algorithm algorithms[] = {
    {DTYPE_F16, DTYPE_F16, 1 << 1},
    {DTYPE_F16, DTYPE_F32, 1 << 1},
    {DTYPE_BF16, DTYPE_BF16, 1 << 1},
    {DTYPE_BF16, DTYPE_F32, 1 << 1 | 1 << 3 | 1 << 6 | 1 << 9},
    {DTYPE_TF32, DTYPE_F32, 1 << 1 | 1 << 3},
    {DTYPE_F32, DTYPE_F32, 1 << 1},
    {DTYPE_F64, DTYPE_F64, 1 << 1},
};

static bool type_entry(const rule_context *c, attr_id dict, const char *name, shape_dtype *out) {
  const graph_attr *a = graph_attr_get(c->graph, graph_attr_entry(c->graph, dict, name));
  if (!a || a->kind != ATTR_TYPE || a->type == TYPE_NONE) return false;
  *out = (shape_dtype)type_get(&c->graph->types, a->type)->dtype;
  return true;
}

static bool known_algorithm(rule_context *c, attr_id id) {
  shape_dtype lhs, rhs, sum;
  int64_t operations = 1;
  verify_dict_int(c, id, "num_primitive_operations", &operations);
  if (!type_entry(c, id, "lhs_precision_type", &lhs) ||
      !type_entry(c, id, "rhs_precision_type", &rhs) ||
      !type_entry(c, id, "accumulation_type", &sum))
    return true;
  bool f8 =
      dtype_is_float(lhs) && dtype_is_float(rhs) && dtype_bits(lhs) == 8 && dtype_bits(rhs) == 8;
  if (f8) return sum == DTYPE_F32;
  for (uint32_t i = 0; i < sizeof(algorithms) / sizeof(algorithms[0]); i++) {
    const dot_algorithm *a = &algorithms[i];
    if (lhs == a->operand && rhs == a->operand && sum == a->accumulation && operations < 32 &&
        (a->operations >> operations & 1))
      return true;
  }
  return false;
}

static bool check_algorithm(rule_context *c) {
  attr_id id = rule_attr(c, "algorithm");
  if (id == ATTR_NONE || c->graph->attributes.items[id].kind != ATTR_DICT) return true;
  const graph_attr *precision = graph_attr_get(c->graph, rule_attr(c, "precision_config"));
  for (uint32_t i = 0; precision && precision->kind == ATTR_ARRAY && i < precision->count; i++) {
    const char *text = graph_attr_text(c->graph, attr_item_at(precision, i));
    if (!text || text[0] == 'D') continue;  // (C21)
    rule_error(c, "attribute",
               "precision_config has %s although an algorithm is set: DEFAULT needed", text);
    return false;
  }
  static const char *const counts[] = {"lhs_component_count", "rhs_component_count",
                                       "num_primitive_operations"};
  for (uint32_t i = 0; i < 3; i++) {  // (C22, C23)
    int64_t value;
    if (!verify_dict_int(c, id, counts[i], &value) || value >= 1) continue;
    rule_error(c, "attribute", "%s of the algorithm is %lld, at least 1 is needed", counts[i],
               (long long)value);
    return false;
  }
  if (known_algorithm(c, id)) return true;
  rule_error(c, "attribute", "no hardware is known to support this algorithm");
  return false;
}

bool dot_read_axes(rule_context *c, attr_id dict, dot_axes *x) {
  x->lhs_batch = verify_dict_axes(c, dict, "lhs_batching_dimensions");
  x->rhs_batch = verify_dict_axes(c, dict, "rhs_batching_dimensions");
  x->lhs_contract = verify_dict_axes(c, dict, "lhs_contracting_dimensions");
  x->rhs_contract = verify_dict_axes(c, dict, "rhs_contracting_dimensions");
  return dict != ATTR_NONE;
}

static bool check_side(rule_context *c, const char *batch_name, axis_list batch,
                       const char *contract_name, axis_list contract, const value_info *v) {
  int64_t rank = v->ranked ? v->rank : VALUE_MAX_RANK;
  bool fine = verify_in_range(c, batch_name, batch, rank);
  fine = verify_in_range(c, contract_name, contract, rank) && fine;
  fine = verify_distinct(c, batch_name, batch) && fine;
  fine = verify_distinct(c, contract_name, contract) && fine;
  return verify_disjoint(c, batch_name, batch, contract_name, contract) && fine;
}

bool dot_check_axes(rule_context *c, const dot_axes *x, bool same_contracting) {
  bool fine = true;
  if (x->lhs_batch.count != x->rhs_batch.count) {  // (C1)
    rule_error(c, "attribute", "lhs_batching_dimensions has %u axes, rhs_batching_dimensions %u",
               x->lhs_batch.count, x->rhs_batch.count);
    fine = false;
  }
  if (same_contracting && x->lhs_contract.count != x->rhs_contract.count) {  // (C2)
    rule_error(c, "attribute",
               "lhs_contracting_dimensions has %u axes, rhs_contracting_dimensions %u",
               x->lhs_contract.count, x->rhs_contract.count);
    fine = false;
  }
  fine = check_side(c, "lhs_batching_dimensions", x->lhs_batch, "lhs_contracting_dimensions",
                    x->lhs_contract, rule_operand(c, 0)) &&
         fine;
  return check_side(c, "rhs_batching_dimensions", x->rhs_batch, "rhs_contracting_dimensions",
                    x->rhs_contract, rule_operand(c, 1)) &&
         fine;
}

rule_status rule_dot_general(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  dot_axes x;
  verify_precision(c);
  check_algorithm(c);
  bool fine =
      dot_read_axes(c, rule_attr(c, "dot_dimension_numbers"), &x) && dot_check_axes(c, &x, true);
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1);
  if (fine && a->ranked && b->ranked) {
    for (uint32_t i = 0; i < x.lhs_batch.count; i++)  // (C9)
      fine = rule_require_eq(c, a->dims[x.lhs_batch.axes[i]], b->dims[x.rhs_batch.axes[i]],
                             "the batching dims are equal") &&
             fine;
    for (uint32_t i = 0; i < x.lhs_contract.count; i++)  // (C10)
      fine = rule_require_eq(c, a->dims[x.lhs_contract.axes[i]], b->dims[x.rhs_contract.axes[i]],
                             "the contracting dims are equal") &&
             fine;
  }
  if (!fine || !a->ranked || !b->ranked) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id few[RULE_FEW], *dims = rule_room(c, few, a->rank + b->rank);
  uint32_t rank = 0;
  for (uint32_t i = 0; i < x.lhs_batch.count; i++) dims[rank++] = a->dims[x.lhs_batch.axes[i]];
  for (uint32_t i = 0; i < a->rank; i++) {
    if (!axis_in(x.lhs_batch, i) && !axis_in(x.lhs_contract, i)) dims[rank++] = a->dims[i];
  }
  for (uint32_t i = 0; i < b->rank; i++) {
    if (!axis_in(x.rhs_batch, i) && !axis_in(x.rhs_contract, i)) dims[rank++] = b->dims[i];
  }
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}
