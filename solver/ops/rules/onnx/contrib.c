// SPDX-License-Identifier: Apache-2.0
// Operators of the domain com.microsoft that are those of ONNX with other operands: quantised ones have scales and zero
// points between their tensors. Source: ONNX Runtime, docs/ContribOperators.md.
#include <assert.h>

#include "solver/ops/rules/onnx/onnx.h"

// QGemm: A and B are operands 0 and 3.
rule_status rule_onnx_ms_qgemm(rule_context *c) {
  assert(rule_operand_count(c) >= 6 && rule_result_count(c) == 1);
  if (!onnx_rank(c, 0, 2) || !onnx_rank(c, 3, 2)) return onnx_unknown(c);
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 3);
  uint32_t outer_a = onnx_int(c, "transA", 0) != 0, outer_b = onnx_int(c, "transB", 0) == 0;
  rule_require_eq(c, a->dims[!outer_a], b->dims[!outer_b], "the contracted dims are equal");
  term_id dims[2] = {a->dims[outer_a], b->dims[outer_b]};
  rule_set_dims(c, 0, dims, 2);
  return RULE_DONE;
}

// QLinearWhere: the condition and two tensors broadcast.
rule_status rule_onnx_ms_qlinear_where(rule_context *c) {
  assert(rule_operand_count(c) >= 5 && rule_result_count(c) == 1);
  const value_info *shapes[3] = {rule_operand(c, 0), rule_operand(c, 1), rule_operand(c, 4)};
  term_id *dims;
  uint32_t rank;
  if (!onnx_broadcast_dims(c, shapes, 3, &dims, &rank)) return onnx_unknown(c);
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

// QLinearConcat: after the scale and the zero point of the result come tensors, each with those of its own.
rule_status rule_onnx_ms_qlinear_concat(rule_context *c) {
  enum { FIRST = 2, STEP = 3 };
  uint32_t count = rule_operand_count(c), axis;
  assert(count > FIRST && rule_result_count(c) == 1);
  const value_info *first = rule_operand(c, FIRST);
  if (!first->ranked || !onnx_axis(c, onnx_int(c, "axis", 0), first->rank, &axis))
    return onnx_unknown(c);
  uint32_t rank = first->rank, parts = 0;
  term_id *dims = onnx_copy_dims(c, first);
  term_id *along = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *along);
  for (uint32_t i = FIRST; i < count; i += STEP) {
    if (!onnx_rank(c, i, rank)) return onnx_unknown(c);
    const value_info *v = rule_operand(c, i);
    along[parts++] = v->dims[axis];
    for (uint32_t k = 0; k < rank; k++)
      if (k != axis)
        rule_require_eq(c, dims[k], v->dims[k], "the operands agree along every other axis");
  }
  dims[axis] = term_sum_of(c->terms, along, parts);
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

// QLinearGlobalAveragePool: the spatial axes get the dim 1; with channels_last the channels are after them.
rule_status rule_onnx_ms_global_pool(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked || in->rank < 2) return onnx_unknown(c);
  uint32_t last = onnx_int(c, "channels_last", 0) != 0;
  term_id *dims = onnx_copy_dims(c, in);
  for (uint32_t i = 2 - last; i < in->rank - last; i++) dims[i] = TERM_ONE;
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// The scales of GatherBlockQuantized: one for each block along quantize_axis.
static void require_blocks(rule_context *c, int64_t in_byte) {
  const value_info *in = rule_operand(c, 0);
  uint32_t axis;
  int64_t block = onnx_int(c, "block_size", 128);
  if (block < 1 || !onnx_axis(c, onnx_int(c, "quantize_axis", 1), in->rank, &axis)) return;
  term_id *dims = onnx_copy_dims(c, in), count = rule_int_term(c, in_byte);
  dims[in->rank - 1] = term_mul(c->terms, dims[in->rank - 1], count);
  dims[axis] = term_ceildiv(c->terms, store_canon(c->store, dims[axis]), rule_int_term(c, block));
  onnx_require_dims(c, 2, dims, in->rank, "there is a scale for each block");
  if (onnx_has(c, 3)) rule_unchecked(c, "the zero points fit the scales", "they may be packed");
}

// GatherBlockQuantized: a Gather along gather_axis. Bytes hold several elements along the last axis.
rule_status rule_onnx_ms_gather_block(rule_context *c) {
  assert(rule_operand_count(c) >= 3 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0), *at = rule_operand(c, 1);
  uint32_t axis;
  if (!in->ranked || !at->ranked || !in->rank ||
      !onnx_axis(c, onnx_int(c, "gather_axis", 0), in->rank, &axis))
    return onnx_unknown(c);
  int64_t bits = onnx_int(c, "bits", 4);
  shape_dtype dtype = rule_operand_dtype(c, 0);
  bool packed = dtype == DTYPE_UI8 && bits >= 1 && bits < 8;
  if (dtype == DTYPE_OTHER || (packed && (8 % bits || axis + 1 == in->rank)))
    return onnx_unknown(c);
  uint32_t rank = in->rank - 1 + at->rank, used = 0;
  term_id *dims = arena_alloc(c->arena, ((size_t)rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < axis; i++) dims[used++] = in->dims[i];
  for (uint32_t i = 0; i < at->rank; i++) dims[used++] = at->dims[i];
  for (uint32_t i = axis + 1; i < in->rank; i++) dims[used++] = in->dims[i];
  assert(used == rank);
  if (packed) dims[rank - 1] = term_mul(c->terms, dims[rank - 1], rule_int_term(c, 8 / bits));
  onnx_require_indices(c, at, 0, 1, in->dims[axis], "the index is within the axis");
  require_blocks(c, packed ? 8 / bits : 1);
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

// UnfoldTensor: windows of `size` along an axis, each with an axis of its own at the end.
rule_status rule_onnx_ms_unfold(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  int64_t size = onnx_int(c, "size", 0), step = onnx_int(c, "step", 1);
  uint32_t axis;
  if (size < 1 || step < 1) {
    rule_error(c, "attribute", "size is %lld and step %lld, at least 1 is needed", (long long)size,
               (long long)step);
    return onnx_unknown(c);
  }
  if (!in->ranked || !onnx_axis(c, onnx_int(c, "dim", -1), in->rank, &axis)) return onnx_unknown(c);
  term_id *dims = arena_alloc(c->arena, ((size_t)in->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < in->rank; i++) dims[i] = in->dims[i];
  term_id window = rule_int_term(c, size);
  rule_require(c, predicate_make(REL_GE, in->dims[axis], window), "the window fits");
  term_id past = store_canon(c->store, term_sub(c->terms, in->dims[axis], window));
  dims[axis] = term_add(c->terms, term_floordiv(c->terms, past, rule_int_term(c, step)), TERM_ONE);
  dims[in->rank] = window;
  rule_set_dims(c, 0, dims, in->rank + 1);
  return RULE_DONE;
}
