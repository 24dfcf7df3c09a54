// SPDX-License-Identifier: Apache-2.0
// Multidirectional broadcasting (ONNX, "Broadcasting in ONNX"): shapes are aligned at their last axis, and two sizes
// agree when they are equal or one of them is 1. Two unknown sizes give bcast(a, b) under bcast(a, b) == bcast(b, a).
#include "solver/ops/rules/onnx.h"
#include "solver/ops/rules/rules.h"

term_id onnx_broadcast_size(rule_context *c, term_id a, term_id b) {
  a = store_canon(c->store, a);
  b = store_canon(c->store, b);
  if (a == b || b == TERM_ONE) return a;
  if (a == TERM_ONE) return b;
  shape_answer a_one = store_holds(c->store, predicate_make(REL_EQ, a, TERM_ONE));
  shape_answer b_one = store_holds(c->store, predicate_make(REL_EQ, b, TERM_ONE));
  if (a_one == SHAPE_YES) return b;
  if (b_one == SHAPE_YES) return a;
  if (a_one == SHAPE_NO && b_one == SHAPE_NO) {
    rule_require_eq(c, a, b, "sizes that are broadcast together are equal");
    return a;
  }
  term_id forward = term_bcast(c->terms, a, b), backward = term_bcast(c->terms, b, a);
  rule_require_eq(c, forward, backward,
                  "sizes that are broadcast together are equal, or one of them is 1");
  return a_one == SHAPE_NO ? a : b_one == SHAPE_NO ? b : forward;
}

bool onnx_broadcast_dims(rule_context *c, const value_info *const *shapes, uint32_t count,
                         term_id **dims, uint32_t *rank) {
  *rank = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!shapes[i]->ranked) return false;
    if (shapes[i]->rank > *rank) *rank = shapes[i]->rank;
  }
  *dims = arena_alloc(c->arena, (*rank + 1) * sizeof **dims);
  for (uint32_t axis = 0; axis < *rank; axis++) {
    term_id size = TERM_ONE;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t missing = *rank - shapes[i]->rank;
      if (axis >= missing) size = onnx_broadcast_size(c, size, shapes[i]->dims[axis - missing]);
    }
    (*dims)[axis] = size;
  }
  return true;
}

rule_status rule_onnx_broadcast(rule_context *c) {
  uint32_t count = rule_operand_count(c), rank;
  const value_info **shapes = arena_alloc(c->arena, (count + 1) * sizeof *shapes);
  for (uint32_t i = 0; i < count; i++) shapes[i] = rule_operand(c, i);
  term_id *dims;
  if (!onnx_broadcast_dims(c, shapes, count, &dims, &rank)) {
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}
