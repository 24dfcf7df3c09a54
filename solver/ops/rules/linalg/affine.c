// SPDX-License-Identifier: Apache-2.0
// Integers of affine, index and arith, and what the rules of this folder share (AffineOps.td, IndexOps.td, ArithOps.td).
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"

term_id linalg_scalar(rule_context *c, uint32_t operand) {
  uint32_t count;
  const term_id *e = operand < rule_operand_count(c) ? rule_elements(c, operand, &count) : NULL;
  return e && count == 1 ? e[0] : TERM_NONE;
}

term_id *linalg_mixed(rule_context *c, const char *name, uint32_t *next, uint32_t *count) {
  const int64_t *values;
  *count = 0;
  if (rule_attr(c, name) == ATTR_NONE || !rule_ints(c, name, &values, count)) return NULL;
  term_id *out = arena_alloc(c->arena, (*count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < *count; i++)
    out[i] = values[i] == DIM_DYNAMIC ? linalg_scalar(c, (*next)++) : term_int(c->terms, values[i]);
  return out;
}

bool linalg_segment(rule_context *c, uint32_t segment, uint32_t *first, uint32_t *count) {
  const int64_t *sizes;
  uint32_t segments;
  uint64_t total = 0;
  if (rule_attr(c, "operandSegmentSizes") == ATTR_NONE ||
      !rule_ints(c, "operandSegmentSizes", &sizes, &segments) || segment >= segments)
    return false;
  for (uint32_t i = 0; i < segments; i++) {
    if (sizes[i] < 0 || sizes[i] > UINT32_MAX) return false;
    if (i == segment) *first = (uint32_t)total;
    total += (uint64_t)sizes[i];
  }
  *count = (uint32_t)sizes[segment];
  return total == rule_operand_count(c);
}

void linalg_set_scalar(rule_context *c, uint32_t result, term_id value) {
  rule_set_dims(c, result, NULL, 0);
  if (value == TERM_NONE) {
    rule_track_result(c, result);
  } else {
    rule_set_elements(c, result, &value, 1);
  }
}

static void set_index(rule_context *c, uint32_t result, term_id value) {
  linalg_set_scalar(c, result, value == TERM_NONE ? value : math_fit(c, DTYPE_INDEX, value));
}

// affine.apply, min, max: of the results of a map.
rule_status rule_affine_map(rule_context *c) {
  affine_map m;
  uint32_t count = rule_operand_count(c);
  if (!affine_map_read(c, rule_attr(c, "map"), &m) || m.is_set || !m.result_count) {
    linalg_set_scalar(c, 0, TERM_NONE);
    return RULE_DONE;
  }
  if (m.inputs != count || (c->row->param == AFFINE_APPLY && m.result_count != 1)) {
    rule_error(c, "operand-count", "%u operands and %u results of a map of %u inputs", count,
               m.result_count, m.inputs);
    linalg_set_scalar(c, 0, TERM_NONE);
    return RULE_DONE;
  }
  term_id *inputs = arena_alloc(c->arena, (count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < count; i++) inputs[i] = linalg_scalar(c, i);
  term_id value = affine_value(c, &m, 0, inputs);
  for (uint32_t i = 1; i < m.result_count; i++) {
    term_id next = affine_value(c, &m, i, inputs);
    if (value == TERM_NONE || next == TERM_NONE) {
      value = TERM_NONE;
    } else {
      value = c->row->param == AFFINE_MIN_OF ? math_min(c, value, next) : math_max(c, value, next);
    }
  }
  set_index(c, 0, value);
  return RULE_DONE;
}

static bool check_basis(rule_context *c, const term_id *basis, uint32_t count) {
  bool known = true;
  int64_t value;
  for (uint32_t i = 0; i < count; i++) {
    if (basis[i] == TERM_NONE) {
      known = false;
      continue;
    }
    if (term_int_value(c->terms, basis[i], &value) && value <= 0) {
      rule_error(c, "attribute", "a basis element is %lld, it must be > 0", (long long)value);
      return false;
    }
    rule_require(c, predicate_make(REL_GT, basis[i], TERM_ZERO), "a basis element is > 0");
    known = known && math_is_positive(c, basis[i]);
  }
  return known;
}

// Digits of the index: the last is mod(x, B), those before of the quotient; the first is what is left. A first element of
// the basis is a bound: the index is within the product of the basis.
rule_status rule_delinearize(rule_context *c) {
  uint32_t next = 1, count, results = rule_result_count(c);
  const term_id *basis = linalg_mixed(c, "static_basis", &next, &count);
  term_id rest = linalg_scalar(c, 0);
  for (uint32_t i = 0; i < results; i++) rule_set_dims(c, i, NULL, 0);
  if (!basis || (count != results && count + 1 != results)) {
    for (uint32_t i = 0; i < results; i++) rule_set_unknown(c, i);
    return RULE_DONE;
  }
  bool known = check_basis(c, basis, count) && rest != TERM_NONE;
  if (known && count == results) {
    term_id all = term_product_of(c->terms, basis, count);
    rule_require(c, predicate_make(REL_GE, rest, TERM_ZERO), "the index is within the basis");
    rule_require(c, predicate_make(REL_LT, rest, all), "the index is within the basis");
  }
  uint32_t skipped = results - count;  // the first result has no element of its own then
  for (uint32_t i = results; i-- > 0;) {
    term_id digit = rest;
    if (known && i) {
      assert(i >= skipped && i - skipped < count);
      digit = term_mod(c->terms, rest, basis[i - skipped]);
      rest = term_floordiv(c->terms, rest, basis[i - skipped]);
    }
    linalg_set_scalar(c, i, known ? digit : TERM_NONE);
  }
  return RULE_DONE;
}

// A unit attribute, or one that is true.
static bool has_flag(const rule_context *c, const char *name) {
  attr_id id = rule_attr(c, name);
  const graph_attr *attr = graph_attr_get(c->graph, id);
  return id != ATTR_NONE && (attr->kind == ATTR_UNIT || attr_one_int(attr));
}

// The sum of digits and strides; `disjoint` says that each digit that has a basis element is in [0, element).
rule_status rule_linearize(rule_context *c) {
  uint32_t first, digits, next, count;
  if (!linalg_segment(c, 0, &first, &digits) || !linalg_segment(c, 1, &next, &count)) {
    linalg_set_scalar(c, 0, TERM_NONE);
    return RULE_DONE;
  }
  const term_id *basis = linalg_mixed(c, "static_basis", &next, &count);
  if (!basis || (count != digits && count + 1 != digits)) {
    linalg_set_scalar(c, 0, TERM_NONE);
    return RULE_DONE;
  }
  bool disjoint = has_flag(c, "disjoint");
  uint32_t skipped = digits - count;
  term_id sum = TERM_ZERO, stride = TERM_ONE;
  for (uint32_t i = digits; i-- > 0;) {
    term_id digit = linalg_scalar(c, first + i),
            element = i >= skipped ? basis[i - skipped] : TERM_NONE;
    if (disjoint && digit != TERM_NONE && element != TERM_NONE) {
      rule_require(c, predicate_make(REL_GE, digit, TERM_ZERO), "disjoint digits are in the basis");
      rule_require(c, predicate_make(REL_LT, digit, element), "disjoint digits are in the basis");
    }
    bool known = sum != TERM_NONE && digit != TERM_NONE && stride != TERM_NONE;
    sum = known ? term_add(c->terms, sum, term_mul(c->terms, digit, stride)) : TERM_NONE;
    stride = stride != TERM_NONE && element != TERM_NONE ? term_mul(c->terms, stride, element)
                                                         : TERM_NONE;
  }
  set_index(c, 0, sum);
  return RULE_DONE;
}

rule_status rule_index_constant(rule_context *c) {
  int64_t value;
  linalg_set_scalar(c, 0, rule_int(c, "value", &value) ? term_int(c->terms, value) : TERM_NONE);
  return RULE_DONE;
}

// The low half is the sum or the product; what does not fit is 0 where it does. Both are followed where the exact result
// fits without an assumption.
rule_status rule_extended(rule_context *c) {
  shape_dtype dtype = rule_operand_dtype(c, 0);
  math_op op = c->row->param == EXTENDED_ADD ? MATH_ADD : MATH_MUL;
  term_id a = linalg_scalar(c, 0), b = linalg_scalar(c, 1);
  const value_info *v = rule_operand(c, 0);
  rule_set_dims_like(c, 0, v);
  rule_set_dims_like(c, 1, v);
  if (v->rank || a == TERM_NONE || b == TERM_NONE || !dtype_is_integer(dtype)) return RULE_DONE;
  term_id low = math_binary(c, op, dtype, a, b);
  if (low != TERM_NONE) rule_set_elements(c, 0, &low, 1);
  return RULE_DONE;
}
