// SPDX-License-Identifier: Apache-2.0
// ONNX operators that work element by element under multidirectional broadcasting (ONNX, "Broadcasting in ONNX"):
// shapes are aligned at their last axis, and two dims agree when they are equal or one of them is 1. Two unknown dims
// give bcast(a, b) under bcast(a, b) == bcast(b, a).
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

term_id onnx_broadcast_size(rule_context *c, term_id a, term_id b) {
  shape_answer is_one[2];
  term_id settled = broadcast_settled(c, &a, &b, is_one);
  if (settled != TERM_NONE) return settled;
  if (is_one[0] == SHAPE_YES) return b;
  if (is_one[1] == SHAPE_YES) return a;
  if (is_one[0] == SHAPE_NO && is_one[1] == SHAPE_NO) {
    rule_require_eq(c, a, b, "dims that are broadcast together are equal");
    return a;
  }
  term_id forward = term_bcast(c->terms, a, b), backward = term_bcast(c->terms, b, a);
  rule_require_eq(c, forward, backward,
                  "dims that are broadcast together are equal, or one of them is 1");
  if (is_one[0] == SHAPE_NO) return a;
  return is_one[1] == SHAPE_NO ? b : forward;
}

// The dim of an axis by what is known once all axes were required; TERM_NONE where that leaves it open.
static term_id settled_size(rule_context *c, const value_info *const *shapes, uint32_t count,
                            uint32_t rank, uint32_t axis) {
  term_id size = TERM_ONE;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t missing = rank - shapes[i]->rank;
    if (axis < missing) continue;
    term_id own = store_canon(c->store, shapes[i]->dims[axis - missing]);
    if (own == TERM_ONE) continue;
    if (size == TERM_ONE) {
      size = own;
    } else if (!rule_proves_equal(c, size, own)) {
      return TERM_NONE;
    } else if (term_kind_of(c->terms, own) == TERM_SYMBOL) {
      size = own;
    }
  }
  return size;
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
  // What one axis requires may say what another is.
  for (uint32_t axis = 0; axis < *rank; axis++) {
    if (term_kind_of(c->terms, (*dims)[axis]) != TERM_BCAST) continue;
    term_id size = settled_size(c, shapes, count, *rank, axis);
    if (size != TERM_NONE) (*dims)[axis] = size;
  }
  return true;
}

// An operand's elements as the result sees them: broadcast to `shape`. NULL where they are not known.
static const term_id *spread(rule_context *c, const value_info *v, const int64_t *shape,
                             uint32_t rank, uint32_t total) {
  assert(v->rank <= rank && rank <= ELEMENTS_MAX_RANK);
  int64_t own[ELEMENTS_MAX_RANK], strides[ELEMENTS_MAX_RANK], index[ELEMENTS_MAX_RANK] = {0};
  uint32_t own_total;
  if (!v->elements || !elements_shape(c, v, own, &own_total) || own_total != v->element_count)
    return NULL;
  if (own_total == total && v->rank == rank) return v->elements;
  if (v->rank > rank) return NULL;
  elements_strides(own, v->rank, strides);
  uint32_t missing = rank - v->rank;
  for (uint32_t k = 0; k < v->rank; k++) {  // else the broadcast is an error
    if (own[k] != 1 && own[k] != shape[missing + k]) return NULL;
  }
  if (total && !own_total) return NULL;
  term_id *out = arena_alloc(c->arena, (total + 1) * sizeof *out);
  for (uint32_t i = 0; i < total; i++) {
    int64_t at = 0;
    for (uint32_t k = 0; k < v->rank; k++) {
      if (own[k] != 1) at += index[missing + k] * strides[k];
    }
    out[i] = v->elements[at];
    elements_next(index, shape, rank);
  }
  return out;
}

// Any of the operands may be TERM_NONE, and the combination too.
typedef term_id combine(rule_context *c, const term_id *operands);

static bool all_known(rule_context *c, const term_id *operands) {
  for (uint32_t i = 0; i < rule_operand_count(c); i++) {
    if (operands[i] == TERM_NONE) return false;
  }
  return true;
}

// Elements of the result where those of some operand are tracked.
static void combine_elements(rule_context *c, uint32_t count, combine *how) {
  const value_info *out = rule_value(c, graph_result(c->graph, c->op, 0));
  int64_t shape[ELEMENTS_MAX_RANK];
  uint32_t total;
  if (!dtype_is_integer(rule_result_dtype(c, 0)) || !elements_shape(c, out, shape, &total)) return;
  const term_id **operands = arena_alloc(c->arena, (count + 1) * sizeof *operands);
  term_id *now = arena_alloc(c->arena, (count + 1) * sizeof *now);
  for (uint32_t i = 0; i < count; i++) {
    operands[i] = spread(c, rule_operand(c, i), shape, out->rank, total);
  }
  term_id *elements = arena_alloc(c->arena, (total + 1) * sizeof *elements);
  bool any = total == 0;
  for (uint32_t k = 0; k < total; k++) {
    for (uint32_t i = 0; i < count; i++) now[i] = operands[i] ? operands[i][k] : TERM_NONE;
    elements[k] = how(c, now);
    any |= elements[k] != TERM_NONE;
  }
  if (any) rule_set_elements(c, 0, elements, total);
}

// The operands' broadcast shape as the result's; false when a rank is not known.
static bool set_broadcast(rule_context *c) {
  uint32_t count = rule_operand_count(c), rank;
  const value_info **shapes = arena_alloc(c->arena, (count + 1) * sizeof *shapes);
  for (uint32_t i = 0; i < count; i++) shapes[i] = rule_operand(c, i);
  term_id *dims;
  if (!onnx_broadcast_dims(c, shapes, count, &dims, &rank)) {
    rule_set_unknown(c, 0);
    return false;
  }
  rule_set_dims(c, 0, dims, rank);
  return true;
}

// What one operand decides alone: false of And, true of Or.
static term_id decided(rule_context *c, const term_id *operands) {
  if (c->row->param != MATH_AND && c->row->param != MATH_OR) return TERM_NONE;
  if (rule_result_dtype(c, 0) != DTYPE_I1) return TERM_NONE;
  term_id deciding = c->row->param == MATH_AND ? TERM_ZERO : TERM_ONE;
  for (uint32_t i = 0; i < rule_operand_count(c); i++) {
    if (operands[i] != TERM_NONE && store_canon(c->store, operands[i]) == deciding) return deciding;
  }
  return TERM_NONE;
}

// Operators with two operands, and those that fold a list of them (Sum, Max, Min).
static term_id fold_math(rule_context *c, const term_id *operands) {
  if (!all_known(c, operands)) return decided(c, operands);
  shape_dtype dtype = rule_result_dtype(c, 0);
  term_id result = operands[0];
  for (uint32_t i = 1; i < rule_operand_count(c) && result != TERM_NONE; i++)
    result = math_binary(c, (math_op)c->row->param, dtype, result, operands[i]);
  return result;
}

rule_status rule_onnx_broadcast(rule_context *c) {
  if (!set_broadcast(c)) return RULE_AGAIN;
  if (c->row->param != MATH_NONE) combine_elements(c, rule_operand_count(c), fold_math);
  return RULE_DONE;
}

// Mod: with fmod=0 the sign of the divisor, as Python's %.
static term_id fold_mod(rule_context *c, const term_id *operands) {
  if (!all_known(c, operands) || !math_is_positive(c, operands[1])) return TERM_NONE;
  term_id a = store_canon(c->store, operands[0]), b = store_canon(c->store, operands[1]);
  return term_mod(c->terms, a, b);
}

rule_status rule_onnx_mod(rule_context *c) {
  if (!set_broadcast(c)) return RULE_AGAIN;
  if (!onnx_int(c, "fmod", 0)) combine_elements(c, 2, fold_mod);
  return RULE_DONE;
}

static term_id fold_compare(rule_context *c, const term_id *operands) {
  if (!all_known(c, operands)) return TERM_NONE;
  return math_compare(c, (compare_op)c->row->param, operands[0], operands[1]);
}

rule_status rule_onnx_compare(rule_context *c) {
  if (!set_broadcast(c)) return RULE_AGAIN;
  if (dtype_is_integer(rule_operand_dtype(c, 0))) combine_elements(c, 2, fold_compare);
  return RULE_DONE;
}

static term_id fold_select(rule_context *c, const term_id *operands) {
  if (all_known(c, operands)) return math_select(c, operands[0], operands[1], operands[2]);
  if (operands[0] == TERM_NONE) return TERM_NONE;
  term_id test = store_canon(c->store, operands[0]);
  return test == TERM_ONE ? operands[1] : test == TERM_ZERO ? operands[2] : TERM_NONE;
}

rule_status rule_onnx_where(rule_context *c) {
  if (!set_broadcast(c)) return RULE_AGAIN;
  combine_elements(c, 3, fold_select);
  return RULE_DONE;
}

// Cast, CastLike: integers keep their value; a cast from or to floats is not followed.
rule_status rule_onnx_cast(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  shape_dtype from = rule_operand_dtype(c, 0), to = rule_result_dtype(c, 0);
  rule_set_dims_like(c, 0, in);
  if (!in->ranked) return RULE_AGAIN;
  if (dtype_is_float(from) && dtype_is_integer(to) && dtype_bits(to) >= 32) onnx_cast_float(c);
  if (dtype_is_float(from) && to == DTYPE_I1) onnx_cast_bool(c);
  if (!in->elements || !dtype_is_integer(from) || !dtype_is_integer(to)) return RULE_DONE;
  term_id *elements = arena_alloc(c->arena, (in->element_count + 1) * sizeof *elements);
  for (uint32_t i = 0; i < in->element_count; i++) {
    elements[i] = in->elements[i] == TERM_NONE
                      ? TERM_NONE
                      : math_convert(c, CONVERT_VALUE, from, to, in->elements[i]);
  }
  rule_set_elements(c, 0, elements, in->element_count);
  return RULE_DONE;
}

static const char ALIKE[] = "the operands have one shape";

// The shape of `v` is found from `axis` on; one element may be anywhere.
static void require_within(rule_context *c, const value_info *in, const value_info *v) {
  int64_t axis = onnx_int(c, "axis", (int64_t)in->rank - v->rank);
  if (axis < 0) axis += in->rank;
  if (axis >= 0 && axis + v->rank <= in->rank) {
    onnx_require_broadcasts(c, v, in->dims + axis, v->rank, ALIKE);
  } else if (axis < 0 || axis >= in->rank || v->rank > in->rank) {
    rule_error(c, "rank", "rank %u does not fit into %u from axis %lld on", v->rank, in->rank,
               (long long)axis);
  } else {
    for (uint32_t i = 0; i < v->rank; i++) rule_require_eq(c, v->dims[i], TERM_ONE, ALIKE);
  }
}

// Add and its like until 6: shapes are equal, or with `broadcast` that of the second one is found within the first.
static void require_alike(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  bool within = onnx_int(c, "broadcast", 0) != 0;
  for (uint32_t i = 1; i < rule_operand_count(c); i++) {
    const value_info *v = rule_operand(c, i);
    if (!within) {
      onnx_require_dims(c, i, in->dims, in->rank, ALIKE);
    } else if (v->ranked) {
      require_within(c, in, v);
    }
  }
}

void onnx_leave_operands(rule_context *c, uint32_t first) {
  for (uint32_t i = first; i < rule_operand_count(c); i++) {
    if (!onnx_has(c, i)) continue;
    rule_unchecked(c, "the operands fit together", "the rule does not compare them");
    return;
  }
}

// Results that have the shape of the first operand, whatever else the operator does. param: LIKE_*.
rule_status rule_onnx_like(rule_context *c) {
  if (c->row->param == LIKE_SAME && rule_operand(c, 0)->ranked) require_alike(c);
  if (c->row->param == LIKE_LOOSE) onnx_leave_operands(c, 1);
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_dims_like(c, i, rule_operand(c, 0));
  return rule_operand(c, 0)->ranked ? RULE_DONE : RULE_AGAIN;
}
