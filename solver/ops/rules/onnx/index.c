// SPDX-License-Identifier: Apache-2.0
// ONNX operators that read or write by indices, and those whose dims depend on data: GatherElements, GatherND,
// Scatter*, NonZero, Unique, Compress, OneHot.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

static const char WITHIN[] = "an index is within the axis";
static const char TUPLES[] = "index tuples are no longer than the rank";

// Indices with the rank of the operand: along every other axis they lie within it.
static void require_elements_indices(rule_context *c, uint32_t axis) {
  const value_info *in = rule_operand(c, 0), *at = rule_operand(c, 1);
  assert(axis < in->rank);
  for (uint32_t i = 0; at->ranked && i < in->rank; i++) {
    if (i != axis)
      rule_require(c, predicate_make(REL_LE, at->dims[i], in->dims[i]),
                   "the indices are no larger than the operand");
  }
  onnx_require_indices(c, at, 0, 1, in->dims[axis], WITHIN);
}

// Index tuples in the last axis of the indices, for axes of the operand from `first` on.
static void require_tuples(rule_context *c, uint32_t first, uint32_t length) {
  const value_info *in = rule_operand(c, 0), *at = rule_operand(c, 1);
  assert(first + length <= in->rank);
  for (uint32_t k = 0; k < length; k++)
    onnx_require_indices(c, at, k, length, in->dims[first + k], WITHIN);
}

// ONNX: GatherElements: the shape of the indices, which have the rank of the operand.
rule_status rule_onnx_gather_elements(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0), *at = rule_operand(c, 1);
  uint32_t axis;
  if (in->ranked && !onnx_rank(c, 1, in->rank)) return onnx_unknown(c);
  at = rule_operand(c, 1);
  if (in->ranked && !onnx_axis(c, onnx_int(c, "axis", 0), in->rank, &axis)) return onnx_unknown(c);
  rule_set_dims_like(c, 0, at);
  if (in->ranked) require_elements_indices(c, axis);
  return at->ranked ? RULE_DONE : RULE_AGAIN;
}

// ONNX: GatherND (12: batch_dims): indices.shape[:-1] + data.shape[batch_dims + indices.shape[-1]:].
rule_status rule_onnx_gather_nd(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0), *at = rule_operand(c, 1);
  int64_t batch = onnx_int(c, "batch_dims", 0), tuple;
  uint32_t rank = 0;
  if (!in->ranked || !at->ranked) return onnx_unknown(c);
  if (!in->rank || !at->rank || batch < 0 || batch >= in->rank || batch >= at->rank) {
    rule_error(c, "rank", "batch_dims %lld does not fit ranks %u and %u", (long long)batch,
               in->rank, at->rank);
    return onnx_unknown(c);
  }
  for (uint32_t i = 0; i < batch; i++)
    rule_require_eq(c, in->dims[i], at->dims[i], "the batches are equal");
  if (!onnx_constant_int(c, at->dims[at->rank - 1], &tuple)) {
    term_id length = at->dims[at->rank - 1];
    rule_require(c, predicate_make(REL_GE, length, TERM_ONE), TUPLES);
    rule_require(c, predicate_make(REL_LE, length, rule_int_term(c, in->rank - batch)), TUPLES);
    rule_unchecked(c, WITHIN, ONNX_NO_VALUES);
    return onnx_unknown(c);
  }
  if (tuple < 1 || batch + tuple > in->rank) {
    rule_error(c, "axis", "index tuples of %lld do not fit an operand of rank %u", (long long)tuple,
               in->rank);
    return onnx_unknown(c);
  }
  term_id *dims = arena_alloc(c->arena, ((size_t)in->rank + at->rank) * sizeof *dims);
  for (uint32_t i = 0; i + 1 < at->rank; i++) dims[rank++] = at->dims[i];
  for (uint32_t i = (uint32_t)(batch + tuple); i < in->rank; i++) dims[rank++] = in->dims[i];
  rule_set_dims(c, 0, dims, rank);
  require_tuples(c, (uint32_t)batch, (uint32_t)tuple);
  return RULE_DONE;
}

// Elements of a vector after constant indices were written: what ScatterND and ScatterElements do on axis 0.
static void scatter_vector(rule_context *c) {
  const value_info *in = rule_operand(c, 0), *at = rule_operand(c, 1), *with = rule_operand(c, 2);
  if (!in->elements || in->rank != 1 || !at->elements || !with->elements ||
      at->element_count != with->element_count || !onnx_text_is(c, "reduction", "none", "none"))
    return;
  term_id *out = arena_alloc(c->arena, (in->element_count + 1) * sizeof *out);
  for (uint32_t i = 0; i < in->element_count; i++) out[i] = in->elements[i];
  for (uint32_t i = 0; i < at->element_count; i++) {
    int64_t index;
    if (!onnx_constant_int(c, at->elements[i], &index)) return;
    if (index < 0) index += in->element_count;
    if (index < 0 || index >= in->element_count) return;
    out[index] = with->elements[i];
  }
  rule_set_elements(c, 0, out, in->element_count);
}

// ONNX: Scatter, ScatterElements: indices and updates have one shape, of the operand's rank.
rule_status rule_onnx_scatter_elements(rule_context *c) {
  assert(rule_operand_count(c) >= 3 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  uint32_t axis;
  rule_set_dims_like(c, 0, in);
  if (!in->ranked) return RULE_AGAIN;
  if (!onnx_axis(c, onnx_int(c, "axis", 0), in->rank, &axis)) return RULE_DONE;
  if (!onnx_rank(c, 1, in->rank) || !onnx_rank(c, 2, in->rank)) return RULE_DONE;
  for (uint32_t i = 0; i < in->rank; i++)
    rule_require_eq(c, rule_operand(c, 1)->dims[i], rule_operand(c, 2)->dims[i],
                    "there is an update for each index");
  require_elements_indices(c, axis);
  scatter_vector(c);
  return RULE_DONE;
}

static const char UPDATES[] = "the updates have the shape that the indices say";

// ONNX: ScatterND.
rule_status rule_onnx_scatter_nd(rule_context *c) {
  assert(rule_operand_count(c) >= 3 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0), *at = rule_operand(c, 1);
  int64_t tuple;
  rule_set_dims_like(c, 0, in);
  if ((in->ranked && !in->rank) || (at->ranked && !at->rank)) {
    rule_error(c, "rank", "the %s must have at least rank 1, it is a scalar",
               in->ranked && !in->rank ? "operand" : "index");
    return RULE_DONE;
  }
  if (!in->ranked || !at->ranked) return RULE_AGAIN;
  if (!onnx_constant_int(c, at->dims[at->rank - 1], &tuple)) {
    rule_require(c, predicate_make(REL_LE, at->dims[at->rank - 1], rule_int_term(c, in->rank)),
                 TUPLES);
    rule_unchecked(c, WITHIN, ONNX_NO_VALUES);
    rule_unchecked(c, UPDATES, ONNX_NO_LENGTH);
    return RULE_AGAIN;
  }
  if (tuple < 0 || tuple > in->rank) {
    rule_error(c, "axis", "index tuples of %lld do not fit an operand of rank %u", (long long)tuple,
               in->rank);
    return RULE_DONE;
  }
  uint32_t skip = (uint32_t)tuple, rank = at->rank - 1 + in->rank - skip;
  if (!onnx_rank(c, 2, rank)) return RULE_DONE;
  const value_info *with = rule_operand(c, 2);
  for (uint32_t i = 0; i < rank; i++) {
    term_id want = i + 1 < at->rank ? at->dims[i] : in->dims[skip + i - (at->rank - 1)];
    rule_require_eq(c, with->dims[i], want, UPDATES);
  }
  require_tuples(c, 0, skip);
  scatter_vector(c);
  return RULE_DONE;
}

// ONNX: TensorScatter: a cache that is updated in place keeps its shape.
rule_status rule_onnx_tensor_scatter(rule_context *c) {
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  rule_unchecked(c, "the update lies within the cache", "the indices are known at run time only");
  return rule_operand(c, 0)->ranked ? RULE_DONE : RULE_AGAIN;
}

// A size that data decides, at most `limit` (TERM_NONE: unlimited).
static term_id data_size(rule_context *c, uint32_t result, uint32_t rank, uint32_t axis,
                         term_id limit) {
  assert(axis < rank);
  bool again = onnx_result(c, result)->visited;
  term_id size = onnx_kept_size(c, result, rank, axis);
  if (!again && limit != TERM_NONE)
    rule_fact(c, predicate_make(REL_LE, size, limit), "at most one for each element");
  return size;
}

// ONNX: NonZero: [rank, how many].
rule_status rule_onnx_non_zero(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  bool ranked = in->ranked;
  term_id limit = ranked ? term_product_of(c->terms, in->dims, in->rank) : TERM_NONE;
  term_id dims[2] = {ranked ? rule_int_term(c, in->rank) : onnx_kept_size(c, 0, 2, 0),
                     data_size(c, 0, 2, 1, limit)};
  rule_set_dims(c, 0, dims, 2);
  return ranked ? RULE_DONE : RULE_AGAIN;
}

// ONNX: Unique: without axis all elements; the indices are vectors.
rule_status rule_onnx_unique(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  bool flat = rule_attr(c, "axis") == ATTR_NONE;
  uint32_t axis = 0;
  if (!in->ranked && !flat) return onnx_unknown(c);
  if (!flat && !onnx_axis(c, onnx_int(c, "axis", 0), in->rank, &axis)) return onnx_unknown(c);
  term_id all = !in->ranked ? TERM_NONE
                : flat      ? term_product_of(c->terms, in->dims, in->rank)
                            : in->dims[axis];
  uint32_t rank = flat ? 1 : in->rank;
  term_id found = data_size(c, 0, rank, axis, all);
  term_id *dims = flat ? &found : onnx_copy_dims(c, in);
  dims[axis] = found;
  rule_set_dims(c, 0, dims, rank);
  for (uint32_t i = 1; i < rule_result_count(c); i++) {
    if (i == 2 && all == TERM_NONE) continue;
    rule_set_dims(c, i, i == 2 ? &all : &found, 1);
  }
  return in->ranked ? RULE_DONE : RULE_AGAIN;
}

static const char COMPRESSED[] = "the condition is no longer than the axis";

// ONNX: Compress: the elements (or slices along axis) that the condition keeps.
rule_status rule_onnx_compress(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0), *keep = rule_operand(c, 1);
  bool flat = rule_attr(c, "axis") == ATTR_NONE;
  uint32_t axis = 0, rank = flat ? 1 : in->rank;
  if (!in->ranked && !flat) {
    rule_unchecked(c, COMPRESSED, ONNX_NO_RANK);
    return onnx_unknown(c);
  }
  if (!flat && !onnx_axis(c, onnx_int(c, "axis", 0), in->rank, &axis)) return onnx_unknown(c);
  term_id size = TERM_ZERO, kept = onnx_vector_length(c, 1);
  term_id all = !in->ranked ? TERM_NONE
                : flat      ? term_product_of(c->terms, in->dims, in->rank)
                            : in->dims[axis];
  if (all == TERM_NONE) {
    rule_unchecked(c, COMPRESSED, ONNX_NO_RANK);
  } else if (kept != TERM_NONE) {
    rule_require(c, predicate_make(REL_LE, kept, all), COMPRESSED);
  }
  keep = rule_operand(c, 1);
  for (uint32_t i = 0; keep->elements && i < keep->element_count && size != TERM_NONE; i++)
    size = keep->elements[i] == TERM_NONE ? TERM_NONE : term_add(c->terms, size, keep->elements[i]);
  if (!keep->elements || size == TERM_NONE) {
    size = data_size(c, 0, rank, axis, all);
  }
  term_id *dims = flat ? &size : onnx_copy_dims(c, in);
  dims[axis] = size;
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

// ONNX: OneHot: the axis of the depth is `axis`, counted in the result.
rule_status rule_onnx_one_hot(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  uint32_t axis, count, from = 0;
  const value_info *depth_info = rule_operand(c, 1);
  if (depth_info->ranked && depth_info->rank > 1)
    rule_error(c, "rank", "depth must be a scalar or a vector of one element, it has rank %u",
               depth_info->rank);
  if (depth_info->ranked && depth_info->rank == 1 &&
      store_canon(c->store, depth_info->dims[0]) == TERM_ZERO) {
    // ONNX's own inference takes it.
    rule_unchecked(c, "the depth is one number", "the depth is empty");
  } else {
    onnx_require_one(c, 1, "the depth is one number");
  }
  onnx_require_length(c, 2, rule_int_term(c, 2), "there are two values");
  if (!in->ranked) return onnx_unknown(c);
  uint32_t rank = in->rank + 1;
  if (!onnx_axis(c, onnx_int(c, "axis", -1), rank, &axis)) return onnx_unknown(c);
  const term_id *given = rule_size_elements(c, 1, &count);
  term_id depth = given && count == 1 ? elements_as_sizes(c, given, 1, "the depth is >= 0")[0]
                                      : onnx_float_size(c, 1);
  if (depth == TERM_NONE) {
    depth = onnx_kept_size(c, 0, rank, axis);
    rule_unchecked(c, "the depth is >= 0", ONNX_NO_VALUES);
  }
  // Before version 11 indices are >= 0.
  for (uint32_t i = 0; onnx_is_before(c, 11) && in->elements && i < in->element_count; i++) {
    int64_t index;
    if (onnx_constant_int(c, in->elements[i], &index) && index < 0)
      rule_error(c, "size", "index %lld is negative", (long long)index);
  }
  term_id *dims = arena_alloc(c->arena, (rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < rank; i++) dims[i] = i == axis ? depth : in->dims[from++];
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

// ONNX: ReverseSequence.
rule_status rule_onnx_reverse_sequence(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  rule_set_dims_like(c, 0, in);
  if (!in->ranked) return RULE_AGAIN;
  if (in->rank < 2)
    rule_error(c, "rank", "the operand has rank %u, at least 2 is needed", in->rank);
  uint32_t axis;
  if (in->rank >= 2 && onnx_axis(c, onnx_int(c, "batch_axis", 1), in->rank, &axis) &&
      onnx_rank(c, 1, 1))
    rule_require_eq(c, rule_operand(c, 1)->dims[0], in->dims[axis], "a length for each batch");
  rule_unchecked(c, "a sequence is no longer than the axis",
                 "the lengths are known at run time only");
  return RULE_DONE;
}

// ONNX: Trilu.
rule_status rule_onnx_trilu(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  if (in->ranked && in->rank < 2)
    rule_error(c, "rank", "the operand has rank %u, at least 2 is needed", in->rank);
  rule_set_dims_like(c, 0, in);
  return in->ranked ? RULE_DONE : RULE_AGAIN;
}
