// SPDX-License-Identifier: Apache-2.0
// ONNX operators that reduce axes: Reduce*, ArgMax, ArgMin, TopK; and those that run along one: Softmax, CumSum.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

// The value of a reduction of a tracked vector to one element.
static void reduce_elements(rule_context *c, const value_info *in) {
  if (!in->elements || in->rank > 1 || c->row->param == MATH_NONE || !in->element_count) return;
  term_id value = in->elements[0];
  shape_dtype dtype = rule_result_dtype(c, 0);
  for (uint32_t i = 1; i < in->element_count; i++)
    value = math_binary(c, (math_op)c->row->param, dtype, value, in->elements[i]);
  if (value != TERM_NONE) rule_set_elements(c, 0, &value, 1);
}

static rule_status set_reduced(rule_context *c, const value_info *in, const uint8_t *set,
                               bool keep) {
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof *dims);
  uint32_t rank = 0, reduced = 0;
  for (uint32_t i = 0; i < in->rank; i++) {
    reduced += set[i] != 0;
    if (set[i] && !keep) continue;
    dims[rank++] = set[i] ? TERM_ONE : in->dims[i];
  }
  rule_set_dims(c, 0, dims, rank);
  if (reduced == in->rank) {
    reduce_elements(c, in);
  } else if (!reduced && in->elements) {
    rule_share_elements(c, 0, in);
  }
  return RULE_DONE;
}

// Axes that are not constants: with keepdims each size is 1 or what it was; without, only their number determines the rank.
static rule_status reduce_some(rule_context *c, const value_info *in, bool keep) {
  const value_info *axes = rule_operand(c, 1);
  int64_t count = -1;
  onnx_require_axes(c, 1, in->rank);
  if (axes->ranked && axes->rank == 1) onnx_constant_int(c, axes->dims[0], &count);
  if (!keep && (count < 0 || count > in->rank)) return onnx_unknown(c);
  if (!count) return onnx_unknown(c);
  uint32_t rank = keep ? in->rank : in->rank - (uint32_t)count;
  term_id *dims = arena_alloc(c->arena, (rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < rank; i++) {
    dims[i] = onnx_kept_size(c, 0, rank, i);
    if (keep)
      rule_fact(
          c,
          predicate_make(REL_LE, dims[i],
                         term_add(c->terms, in->dims[i],
                                  term_is_zero(c->terms, store_canon(c->store, in->dims[i])))),
          "a reduced dim is 1, or what it was");
  }
  rule_set_dims(c, 0, dims, rank);
  return RULE_AGAIN;
}

// ONNX: Reduce* (13 for ReduceSum, 18: the axes are an operand; noop_with_empty_axes).
rule_status rule_onnx_reduce(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  bool keep = onnx_int(c, "keepdims", 1) != 0, operand = c->row->max_operands == 2;
  if (!in->ranked) return onnx_unknown(c);
  uint8_t *set = arena_zalloc(c->arena, in->rank + 1);
  const int64_t *axes;
  uint32_t count = 0;
  bool given = operand ? onnx_has(c, 1) : rule_attr(c, "axes") != ATTR_NONE;
  if (given && !onnx_axes(c, operand ? 1 : 0, &axes, &count)) return reduce_some(c, in, keep);
  if (given && count && !onnx_axis_set(c, axes, count, in->rank, set)) return onnx_unknown(c);
  if (!count && !onnx_int(c, "noop_with_empty_axes", 0)) {
    for (uint32_t i = 0; i < in->rank; i++) set[i] = 1;
  }
  return set_reduced(c, in, set, keep);
}

// ONNX: ArgMax, ArgMin.
rule_status rule_onnx_arg(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  uint32_t axis, rank = 0;
  if (!in->ranked) return onnx_unknown(c);
  bool keep = onnx_int(c, "keepdims", 1) != 0;
  if (!onnx_axis(c, onnx_int(c, "axis", 0), in->rank, &axis)) return onnx_unknown(c);
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < in->rank; i++) {
    if (i != axis || keep) dims[rank++] = i == axis ? TERM_ONE : in->dims[i];
  }
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

// ONNX: TopK (10: k is an operand).
rule_status rule_onnx_top_k(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  uint32_t axis, count;
  term_id k;
  if (c->row->param == FORM_STATIC) {
    k = rule_int_term(c, onnx_int(c, "k", 0));
  } else {
    const term_id *given = rule_size_elements(c, 1, &count);
    k = given && count == 1 ? elements_as_sizes(c, given, 1, "k is >= 0")[0] : TERM_NONE;
  }
  if (c->row->param != FORM_STATIC) onnx_require_one(c, 1, "k is one number");
  if (!in->ranked) return onnx_unknown(c);
  if (!onnx_axis(c, onnx_int(c, "axis", -1), in->rank, &axis)) return onnx_unknown(c);
  if (k == TERM_NONE) rule_unchecked(c, "k is at most the dim of the axis", ONNX_NO_VALUES);
  if (k == TERM_NONE) k = onnx_kept_size(c, 0, in->rank, axis);
  rule_require(c, predicate_make(REL_LE, k, in->dims[axis]), "k is at most the dim of the axis");
  term_id *dims = onnx_copy_dims(c, in);
  dims[axis] = k;
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_dims(c, i, dims, in->rank);
  return RULE_DONE;
}

// Softmax, LogSoftmax, Hardmax (1: everything from axis 1 on; 13: the last axis), LpNormalization.
rule_status rule_onnx_axis_like(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  uint32_t axis;
  if (!in->ranked) return onnx_unknown(c);
  // Version 1 accepts axis == rank: then every element is a row of its own.
  int64_t given = onnx_int(c, "axis", -1);
  if (given != in->rank || c->graph->onnx_opset >= 13 || !in->rank)
    onnx_axis(c, given, in->rank, &axis);
  rule_set_dims_like(c, 0, in);
  return RULE_DONE;
}

// ONNX: CumSum, CumProd: sums of a tracked vector are tracked.
rule_status rule_onnx_cumulative(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0), *at = rule_operand(c, 1);
  int64_t axis;
  uint32_t ignored;
  if (!in->ranked) return onnx_unknown(c);
  rule_set_dims_like(c, 0, in);
  if (at->ranked && at->rank > 1)
    rule_error(c, "rank", "axis must be a scalar, it has rank %u", at->rank);
  if (!onnx_scalar_int(c, 1, &axis))
    onnx_require_axes(c, 1, in->rank);
  else
    onnx_axis(c, axis, in->rank, &ignored);
  return RULE_DONE;
}
