// SPDX-License-Identifier: Apache-2.0
// What ONNX operators require of the integers that an operand holds: lengths, axes, indices. Where the integers are not
// known the requirement is left unchecked.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

enum { REQUIRE_MAX = 64, DISTINCT_MAX = 8 };

term_id onnx_vector_length(rule_context *c, uint32_t operand) {
  const value_info *v = rule_operand(c, operand);
  if (v->ranked && v->rank == 0) return TERM_ONE;
  if (!onnx_rank(c, operand, 1)) return TERM_NONE;
  return rule_operand(c, operand)->dims[0];
}

void onnx_require_length(rule_context *c, uint32_t operand, term_id length, const char *what) {
  term_id count = onnx_vector_length(c, operand);
  if (count != TERM_NONE && length != TERM_NONE) rule_require_eq(c, count, length, what);
}

void onnx_require_one(rule_context *c, uint32_t operand, const char *what) {
  const value_info *v = rule_operand(c, operand);
  if (!v->ranked) {
    rule_unchecked(c, what, ONNX_NO_RANK);
    return;
  }
  for (uint32_t i = 0; i < v->rank; i++) rule_require_eq(c, v->dims[i], TERM_ONE, what);
}

void onnx_require_broadcasts(rule_context *c, const value_info *v, const term_id *to, uint32_t rank,
                             const char *what) {
  if (!v->ranked) return;
  if (v->rank > rank) {
    rule_error(c, "rank", "%s: rank %u does not broadcast to %u", what, v->rank, rank);
    return;
  }
  for (uint32_t i = 0; i < v->rank; i++) {
    term_id size = store_canon(c->store, v->dims[i]), goal = to[rank - v->rank + i];
    shape_answer one = store_holds(c->store, predicate_make(REL_EQ, size, TERM_ONE));
    if (one == SHAPE_NO) rule_require_eq(c, size, goal, what);
    if (one == SHAPE_UNKNOWN) rule_require_eq(c, term_bcast(c->terms, size, goal), goal, what);
  }
}

void onnx_require_dims(rule_context *c, uint32_t operand, const term_id *dims, uint32_t rank,
                       const char *what) {
  if (!onnx_has(c, operand) || !onnx_rank(c, operand, rank)) return;
  for (uint32_t i = 0; i < rank; i++)
    rule_require_eq(c, rule_operand(c, operand)->dims[i], dims[i], what);
}

static void require_axis(rule_context *c, term_id axis, uint32_t rank, const char *what) {
  term_id high = rule_int_term(c, rank), low = rule_int_term(c, -(int64_t)rank);
  rule_require(c, predicate_make(REL_GE, axis, low), what);
  rule_require(c, predicate_make(REL_LT, axis, high), what);
}

void onnx_require_axes(rule_context *c, uint32_t operand, uint32_t rank) {
  static const char WITHIN[] = "an axis is within the rank", ONCE[] = "an axis is given once";
  const value_info *v = rule_operand(c, operand);
  uint32_t count = v->element_count;
  bool known = v->elements && count <= DISTINCT_MAX;
  for (uint32_t i = 0; known && i < count; i++) known = v->elements[i] != TERM_NONE;
  if (!known) {
    rule_unchecked(c, WITHIN, ONNX_NO_VALUES);
    rule_unchecked(c, ONCE, ONNX_NO_VALUES);
    return;
  }
  for (uint32_t i = 0; i < count; i++) require_axis(c, v->elements[i], rank, WITHIN);
  term_id modulus = rule_int_term(c, rank);
  for (uint32_t i = 0; i < count && rank; i++) {
    for (uint32_t k = 0; k < i; k++) {
      term_id a = term_mod(c->terms, v->elements[i], modulus),
              b = term_mod(c->terms, v->elements[k], modulus);
      rule_require(c, predicate_make(REL_NE, a, b), ONCE);
    }
  }
}

void onnx_require_not_zero(rule_context *c, uint32_t operand, const char *what) {
  const value_info *v = rule_operand(c, operand);
  for (uint32_t i = 0; v->elements && i < v->element_count; i++) {
    if (v->elements[i] == TERM_NONE) {
      rule_unchecked(c, what, ONNX_NO_VALUES);
      return;
    }
    rule_require(c, predicate_make(REL_NE, v->elements[i], TERM_ZERO), what);
  }
  if (!v->elements) rule_unchecked(c, what, ONNX_NO_VALUES);
}

// Of indices that are numbers, the two that ask for most speak for all.
static void require_constant_indices(rule_context *c, term_id low, term_id size, int64_t least,
                                     int64_t most, const char *what) {
  if (most >= 0) rule_require(c, predicate_make(REL_GT, size, rule_int_term(c, most)), what);
  if (least < 0) {
    if (low == TERM_ZERO)
      rule_require(c, predicate_make(REL_GE, rule_int_term(c, least), TERM_ZERO), what);
    else
      rule_require(c, predicate_make(REL_GE, size, term_neg(c->terms, rule_int_term(c, least))),
                   what);
  }
}

static bool known_empty(rule_context *c, const value_info *v) {
  for (uint32_t i = 0; v->ranked && i < v->rank; i++) {
    if (store_canon(c->store, v->dims[i]) == TERM_ZERO) return true;
  }
  return false;
}

void onnx_require_indices(rule_context *c, const value_info *at, uint32_t from, uint32_t step,
                          term_id size, const char *what) {
  assert(step > 0);
  int64_t least = 0, most = -1, index;
  uint32_t open = 0;
  bool known = at->elements != NULL;
  term_id low = term_neg(c->terms, size);
  if (known_empty(c, at)) return;
  for (uint32_t i = from; known && i < at->element_count; i += step) {
    term_id e = at->elements[i];
    if (e == TERM_NONE || open > REQUIRE_MAX) {
      known = false;
    } else if (onnx_constant_int(c, e, &index)) {
      if (index > most) most = index;
      if (index < least) least = index;
    } else {
      open++;
      rule_require(c, predicate_make(REL_GE, e, low), what);
      rule_require(c, predicate_make(REL_LT, e, size), what);
    }
  }
  require_constant_indices(c, low, size, least, most, what);
  if (!known) rule_unchecked(c, what, ONNX_NO_VALUES);
}
