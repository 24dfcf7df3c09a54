// SPDX-License-Identifier: Apache-2.0
// extract_slice, insert_slice, insert and expand_shape of the tensor dialect. Their lists mix numbers and operands: an
// attribute static_... has DIM_DYNAMIC (MLIR's ShapedType::kDynamic) where the next operand is.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"

// The dims of the result, which may leave out axes of size 1: each of its axes is the first one left that has its
// declared size (computeRankReductionMask of MLIR). False where that does not come out even.
static bool reduce_rank(rule_context *c, const term_id *sizes, uint32_t count, term_id *out,
                        uint32_t *rank) {
  const graph_type *t = rule_result_type(c, 0);
  *rank = 0;
  if (!t || t->kind != TYPE_TENSOR || t->rank > count) return false;
  if (t->rank == count) {
    for (uint32_t i = 0; i < count; i++) out[i] = sizes[i];
    *rank = count;
    return true;
  }
  for (uint32_t i = 0; i < count; i++) {
    int64_t size;
    bool number = term_int_value(c->terms, sizes[i], &size);
    int64_t declared = *rank < t->rank ? t->dims[*rank] : -1;
    if (*rank < t->rank && (number ? declared == size : !dim_is_static(declared))) {
      out[(*rank)++] = sizes[i];
    } else if (!number || size != 1) {
      return false;
    }
  }
  return *rank == t->rank;
}

rule_status rule_extract_slice(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  slice_lists s;
  uint32_t rank;
  if (!slice_read(c, 1, &s) || !rule_assume_rank(c, 0, s.count)) {
    if (rule_attr(c, "static_sizes") != ATTR_NONE)
      rule_error(c, "attribute-length", "the lists of a slice do not fit an operand of rank %u",
                 rule_operand(c, 0)->rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  slice_inside(c, 0, &s, false);
  term_id *dims = arena_alloc(c->arena, (s.count + 1) * sizeof(term_id));
  const graph_type *t = rule_result_type(c, 0);
  bool typed = t && t->kind == TYPE_TENSOR;
  if (typed && t->rank == s.count) linalg_static_agrees(c, "static_sizes", t, 0);
  if (!reduce_rank(c, s.sizes, s.count, dims, &rank)) {
    if (typed) rule_error(c, "declared-type", "the result type is no slice, nor one of lower rank");
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  rule_set_dims(c, 0, dims, rank);
  bool known = true;
  for (uint32_t i = 0; known && i < s.count; i++)
    known = s.offsets[i] != TERM_NONE && s.strides[i] != TERM_NONE;
  if (known) slice_elements(c, s.offsets, s.strides);
  return RULE_DONE;
}

// scatter: the result is like operand #1.
rule_status rule_insert(rule_context *c) {
  rule_set_dims_like(c, 0, rule_operand(c, 1));
  return RULE_DONE;
}

// The dims that output_shape gives the result of an expand_shape, where it is there.
void expand_sizes(rule_context *c) {
  uint32_t next = 1, count;
  const term_id *sizes = linalg_mixed(c, "static_output_shape", &next, &count);
  const graph_type *t = rule_result_type(c, 0);
  if (!sizes || !t || t->kind != TYPE_TENSOR || t->rank != count) return;
  rule_set_dims(c, 0, elements_as_sizes(c, sizes, count, "a dim of output_shape is >= 0"), count);
}
