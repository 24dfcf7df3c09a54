// SPDX-License-Identifier: Apache-2.0
// extract_slice, insert_slice, insert and expand_shape of the tensor dialect. Their lists mix numbers and operands: an
// attribute static_... has DIM_DYNAMIC (MLIR's ShapedType::kDynamic) where the next operand is.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"

// The list of that name as terms, its operands from *next on, which moves after them; NULL where there is none. What
// is not known is TERM_NONE.
static term_id *mixed_list(rule_context *c, const char *name, uint32_t *next, uint32_t *count) {
  const int64_t *values;
  uint32_t one;
  if (rule_attr(c, name) == ATTR_NONE || !rule_ints(c, name, &values, count)) return NULL;
  term_id *out = arena_alloc(c->arena, (*count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < *count; i++) {
    out[i] = values[i] == DIM_DYNAMIC ? TERM_NONE : term_int(c->terms, values[i]);
    if (values[i] != DIM_DYNAMIC || *next >= rule_operand_count(c)) continue;
    const term_id *e = rule_size_elements(c, (*next)++, &one);
    if (e && one == 1) out[i] = e[0];
  }
  return out;
}

// The last element along each axis lies within the operand (verifyInBoundsSlice of MLIR); a slice of no elements reads
// nothing.
static void require_inside(rule_context *c, const term_id *starts, const term_id *sizes,
                           const term_id *strides, uint32_t count) {
  const value_info *in = rule_operand(c, 0);
  assert(in->rank == count);
  for (uint32_t i = 0; i < count; i++) {
    if (!math_is_positive(c, sizes[i])) return;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (starts[i] == TERM_NONE || strides[i] == TERM_NONE) continue;
    term_id last = term_mul(c->terms, term_sub(c->terms, sizes[i], TERM_ONE), strides[i]);
    last = term_add(c->terms, starts[i], last);
    rule_require(c, predicate_make(REL_GE, starts[i], TERM_ZERO), "a slice starts at 0 or later");
    rule_require(c, predicate_make(REL_LT, last, in->dims[i]), "a slice ends within its operand");
  }
}

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
  uint32_t next = 1, count, other, rank;
  const term_id *starts = mixed_list(c, "static_offsets", &next, &count);
  const term_id *sizes = starts ? mixed_list(c, "static_sizes", &next, &other) : NULL;
  if (!sizes || other != count || !rule_assume_rank(c, 0, count)) {
    if (sizes)
      rule_error(c, "attribute-length", "%u offsets and %u dims for an operand of rank %u", count,
                 other, rule_operand(c, 0)->rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  sizes = elements_as_sizes(c, sizes, count, "a dim of a slice is >= 0");
  const term_id *strides = mixed_list(c, "static_strides", &next, &other);
  bool known = strides && other == count;
  if (known) require_inside(c, starts, sizes, strides, count);
  term_id *dims = arena_alloc(c->arena, (count + 1) * sizeof(term_id));
  if (!reduce_rank(c, sizes, count, dims, &rank)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  rule_set_dims(c, 0, dims, rank);
  for (uint32_t i = 0; known && i < count; i++)
    known = starts[i] != TERM_NONE && strides[i] != TERM_NONE;
  if (known) slice_elements(c, starts, strides);
  return RULE_DONE;
}

// insert_slice and insert: the result is like operand #1.
rule_status rule_insert(rule_context *c) {
  rule_set_dims_like(c, 0, rule_operand(c, 1));
  return RULE_DONE;
}

// The dims that output_shape gives the result of an expand_shape, where it is there.
void expand_sizes(rule_context *c) {
  uint32_t next = 1, count;
  const term_id *sizes = mixed_list(c, "static_output_shape", &next, &count);
  const graph_type *t = rule_result_type(c, 0);
  if (!sizes || !t || t->kind != TYPE_TENSOR || t->rank != count) return;
  rule_set_dims(c, 0, elements_as_sizes(c, sizes, count, "a dim of output_shape is >= 0"), count);
}
