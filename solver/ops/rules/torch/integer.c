// SPDX-License-Identifier: Apache-2.0
// Arithmetic of integers as Python has it: exact, divisions round to minus infinity, remainders have the divisor's sign.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

static term_id scalar(rule_context *c, uint32_t i) {
  const value_info *v = rule_operand(c, i);
  return v->elements && v->element_count == 1 ? store_canon(c->store, v->elements[0]) : TERM_NONE;
}

// floor(a / b); TERM_NONE where the sign of b is not known.
static term_id floor_quotient(rule_context *c, term_id a, term_id b) {
  rule_require(c, predicate_make(REL_NE, b, TERM_ZERO), "the divisor is not 0");
  if (math_is_positive(c, b)) return term_floordiv(c->terms, a, b);
  term_id minus = term_neg(c->terms, b);
  if (math_is_positive(c, minus)) return term_floordiv(c->terms, term_neg(c->terms, a), minus);
  return TERM_NONE;
}

static term_id remainder_of(rule_context *c, term_id a, term_id b) {
  term_id quotient = floor_quotient(c, a, b);
  if (quotient == TERM_NONE) return TERM_NONE;
  if (math_is_positive(c, b)) return term_mod(c->terms, a, b);
  return term_sub(c->terms, a, term_mul(c->terms, b, quotient));
}

static term_id power(rule_context *c, term_id a, term_id b) {
  int64_t exponent;
  if (!torch_constant(c, b, &exponent) || exponent < 0 || exponent > 16) return TERM_NONE;
  return term_pow(c->terms, a, (uint32_t)exponent);
}

static term_id shifted(rule_context *c, term_id a, term_id b, bool left) {
  int64_t by;
  if (!torch_constant(c, b, &by) || by < 0 || by > 62) return TERM_NONE;
  term_id factor = rule_int_term(c, INT64_C(1) << by);
  return left ? term_mul(c->terms, a, factor) : term_floordiv(c->terms, a, factor);
}

// The quotient of integers that operand 0 is, rounded; or operand 0 itself where it is an integer.
static term_id rounded(rule_context *c, uint32_t how) {
  term_id whole = scalar(c, 0);
  if (whole != TERM_NONE) return whole;
  op_id def = torch_definition(c, 0);
  value_id v = graph_operand(c->graph, c->op, 0);
  if (def == ID_NONE || v < c->value_base) return TERM_NONE;
  static const char *const NAMES[] = {"torch.aten.div.int", "torch.operator.truediv"};
  bool quotient = false;
  for (unsigned i = 0; i < 2; i++) quotient |= strcmp(graph_op_name(c->graph, def), NAMES[i]) == 0;
  if (!quotient) return TERM_NONE;
  rule_context inner = *c;
  inner.op = def;
  term_id a = scalar(&inner, 0), b = scalar(&inner, 1);
  if (a == TERM_NONE || b == TERM_NONE || !math_is_positive(c, b)) return TERM_NONE;
  if (how == INTEGER_CEIL) return term_ceildiv(c->terms, a, b);
  if (how == INTEGER_TRUNC && !math_is_nonnegative(c, a)) return TERM_NONE;
  return term_floordiv(c->terms, a, b);
}

// Bits of other integers are not followed.
static bool is_truth(rule_context *c, term_id t) {
  return math_is_nonnegative(c, t) && math_is_nonnegative(c, term_sub(c->terms, TERM_ONE, t));
}

static term_id binary(rule_context *c, uint32_t how, term_id a, term_id b) {
  static const compare_op COMPARES[] = {COMPARE_EQ, COMPARE_NE, COMPARE_LT,
                                        COMPARE_LE, COMPARE_GT, COMPARE_GE};
  switch (how) {
  case INTEGER_ADD: return term_add(c->terms, a, b);
  case INTEGER_SUB: return term_sub(c->terms, a, b);
  case INTEGER_MUL: return term_mul(c->terms, a, b);
  case INTEGER_FLOORDIV: return floor_quotient(c, a, b);
  case INTEGER_MOD: return remainder_of(c, a, b);
  case INTEGER_POW: return power(c, a, b);
  case INTEGER_MAX: return math_max(c, a, b);
  case INTEGER_MIN: return math_min(c, a, b);
  case INTEGER_SHL: return shifted(c, a, b, true);
  case INTEGER_SHR: return shifted(c, a, b, false);
  case INTEGER_AND:
    if (!is_truth(c, a) || !is_truth(c, b)) return TERM_NONE;
    return math_binary(c, MATH_AND, DTYPE_I1, a, b);
  case INTEGER_OR:
    if (!is_truth(c, a) || !is_truth(c, b)) return TERM_NONE;
    return math_binary(c, MATH_OR, DTYPE_I1, a, b);
  default: break;
  }
  if (how >= INTEGER_EQ && how <= INTEGER_GE)
    return math_compare(c, COMPARES[how - INTEGER_EQ], a, b);
  return TERM_NONE;
}

static term_id unary(rule_context *c, uint32_t how, term_id a) {
  switch (how) {
  case INTEGER_NEG: return term_neg(c->terms, a);
  case INTEGER_ABS: return math_max(c, a, term_neg(c->terms, a));
  case INTEGER_NONZERO: return math_compare(c, COMPARE_NE, a, TERM_ZERO);
  case INTEGER_NOT: return math_compare(c, COMPARE_EQ, a, TERM_ZERO);
  default: return a;
  }
}

static term_id folded(rule_context *c, uint32_t how) {
  uint32_t count;
  const value_info *parts = torch_parts(c, "a", &count);
  term_id sum = TERM_ZERO;
  if (how != INTEGER_SUM || !parts) return TERM_NONE;
  for (uint32_t i = 0; i < count; i++) {
    if (!parts[i].elements || parts[i].element_count != 1) return TERM_NONE;
    sum = term_add(c->terms, sum, parts[i].elements[0]);
  }
  return sum;
}

rule_status rule_torch_integer(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  uint32_t how = c->row->param, count = rule_operand_count(c);
  term_id a = count ? scalar(c, 0) : TERM_NONE, b = count > 1 ? scalar(c, 1) : TERM_NONE;
  term_id out = TERM_NONE;
  if (how == INTEGER_SUM) {
    out = folded(c, how);
  } else if (how == INTEGER_FLOOR || how == INTEGER_CEIL || how == INTEGER_TRUNC) {
    out = rounded(c, how);
  } else if (how == INTEGER_ITE) {
    term_id other = count > 2 ? scalar(c, 2) : TERM_NONE;
    if (a != TERM_NONE && b != TERM_NONE && other != TERM_NONE) out = math_select(c, a, b, other);
  } else if (how == INTEGER_TRUEDIV) {
    if (b != TERM_NONE)
      rule_require(c, predicate_make(REL_NE, b, TERM_ZERO), "the divisor is not 0");
    rule_set_dims(c, 0, NULL, 0);
    return RULE_DONE;
  } else if (count == 1 && a != TERM_NONE) {
    out = unary(c, how, a);
  } else if (count > 1 && a != TERM_NONE && b != TERM_NONE) {
    out = binary(c, how, a, b);
  }
  torch_set_int(c, 0, out);
  return RULE_DONE;
}
