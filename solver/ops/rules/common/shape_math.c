// SPDX-License-Identifier: Apache-2.0
// Integer elements as terms. Terms are exact integers; types wrap. Constants wrap as their type does (StableHLO spec,
// "add": "for integers: integer addition", modulo 2^n). Symbolic results are taken as exact where their range fits the
// type; for types of 32 bits and more the answer lists the assumption that they do not overflow; narrower ones and
// unsigned ones that may be negative wrap as mod, because programs do wrap those on purpose.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"

enum { MATH_MAX_DEPTH = 100, MATH_MAX_PARTS = 32, MATH_MAX_EXPONENT = 64 };

// An element that no size would be computed from: mixing and hashing make such terms, and they grow with each step.
static bool is_large(const rule_context *c, term_id a) {
  const term_node *node = term_get(c->terms, a);
  return node->depth > MATH_MAX_DEPTH || (node->kind == TERM_SUM && node->count > MATH_MAX_PARTS);
}

bool math_range(shape_budget *b, shape_dtype dtype, interval *out) {
  uint32_t bits = dtype_bits(dtype);
  if (!dtype_is_integer(dtype) || !bits || bits > 64) return false;
  if (bits == 1) {
    *out = interval_of(0, 1);
  } else if (dtype_is_signed(dtype)) {
    *out = interval_of(bits == 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1)),
                       bits == 64 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1);
  } else {
    *out = (interval){NUM(0), num_from_uint(b, bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1),
                      true, true};
  }
  return true;
}

num math_wrap(rule_context *c, shape_dtype dtype, num value) {
  interval range;
  if (!math_range(c->budget, dtype, &range) || interval_contains(range, value)) return value;
  num modulus = num_pow(c->budget, NUM(2), dtype_bits(dtype));
  num low = num_mod(c->budget, value, modulus);
  return num_compare(low, range.hi) > 0 ? num_sub(c->budget, low, modulus) : low;
}

static bool within(interval inner, interval outer) {
  return inner.has_lo && inner.has_hi && num_compare(inner.lo, outer.lo) >= 0 &&
         num_compare(inner.hi, outer.hi) <= 0;
}

static const char *overflow_text(shape_dtype dtype) {
  switch (dtype) {
  case DTYPE_I32: return "shape arithmetic in i32 does not overflow";
  case DTYPE_I64: return "shape arithmetic in i64 does not overflow";
  case DTYPE_UI32: return "shape arithmetic in ui32 does not overflow";
  case DTYPE_UI64: return "shape arithmetic in ui64 does not overflow";
  case DTYPE_INDEX: return "shape arithmetic in index does not overflow";
  default: return "shape arithmetic does not overflow";
  }
}

// What the type keeps of a number; other terms stay.
static term_id wrap_constant(rule_context *c, shape_dtype dtype, term_id a) {
  num value;
  if (a == TERM_NONE || !term_const_value(c->terms, a, &value)) return a;
  return term_const(c->terms, math_wrap(c, dtype, value));
}

// The exact result `a` of an operation in `dtype` as an element of that type. Two's complement keeps what is left of a
// multiple of 2^n, counted from the least number of the type.
static term_id finish(rule_context *c, shape_dtype dtype, term_id a) {
  term_table *t = c->terms;
  interval range;
  if (a == TERM_NONE || !math_range(c->budget, dtype, &range)) return TERM_NONE;
  if (term_kind_of(t, a) == TERM_CONST) return wrap_constant(c, dtype, a);
  if (is_large(c, a)) return TERM_NONE;
  interval known = store_range(c->store, a);
  if (within(known, range)) return a;
  uint32_t bits = dtype_bits(dtype);
  if (term_kind_of(t, a) == TERM_APPLY && bits < 32) return TERM_NONE;
  if (bits < 32 || (!dtype_is_signed(dtype) && !interval_is_nonnegative(known))) {
    term_id low = term_const(t, range.lo),
            modulus = term_const(t, num_pow(c->budget, NUM(2), bits));
    return term_add(t, term_mod(t, term_sub(t, a, low), modulus), low);
  }
  rule_assumes(c, overflow_text(dtype));
  return a;
}

term_id math_fit(rule_context *c, shape_dtype dtype, term_id a) { return finish(c, dtype, a); }

bool math_is_nonnegative(rule_context *c, term_id a) {
  return a == TERM_ZERO || interval_is_nonnegative(store_range(c->store, a)) ||
         store_known(c->store, predicate_make(REL_GE, a, TERM_ZERO));
}

bool math_is_positive(rule_context *c, term_id a) {
  return interval_is_positive(store_range(c->store, a)) ||
         store_known(c->store, predicate_make(REL_GT, a, TERM_ZERO));
}

static bool is_nonpositive(rule_context *c, term_id a) {
  return store_known(c->store, predicate_make(REL_LE, a, TERM_ZERO));
}

// The smaller of two terms, or the larger, where the store knows which; TERM_NONE: it does not.
static term_id choose(rule_context *c, term_id a, term_id b, bool larger) {
  if (a == b) return a;
  shape_answer less = store_holds(c->store, predicate_make(REL_LE, a, b));
  if (less == SHAPE_YES) return larger ? b : a;
  if (less == SHAPE_NO || store_known(c->store, predicate_make(REL_LE, b, a)))
    return larger ? a : b;
  return TERM_NONE;
}

term_id math_min(rule_context *c, term_id a, term_id b) {
  term_id known = choose(c, a, b, false);
  return known != TERM_NONE ? known : term_min(c->terms, a, b);
}

term_id math_max(rule_context *c, term_id a, term_id b) {
  term_id known = choose(c, a, b, true);
  return known != TERM_NONE ? known : term_max(c->terms, a, b);
}

term_id math_ceildiv(rule_context *c, term_id a, term_id b) { return term_ceildiv(c->terms, a, b); }

static term_id apply(rule_context *c, const char *name, term_id a, term_id b) {
  term_id args[2] = {a, b};
  return term_apply(c->terms, intern_add(&c->graph->names, name, strlen(name)), args, 2);
}

// Truncating quotient (StableHLO spec: divide): rounded down where a >= 0, else up, and of those the other is 0 or has the
// same sign. A divisor that may be 0 gives an unknown function of both: the
// specification leaves that result to the implementation.
static term_id divide(rule_context *c, term_id a, term_id b) {
  term_table *t = c->terms;
  num x, y;
  if (term_const_value(t, b, &y)) {
    if (num_is_zero(y)) return TERM_NONE;
    if (term_const_value(t, a, &x)) return term_const(t, num_truncdiv(c->budget, x, y));
  }
  if (is_nonpositive(c, b)) {  // by symmetry: a / b == -a / -b
    a = term_neg(t, a);
    b = term_neg(t, b);
  }
  if (!math_is_positive(c, b)) return apply(c, "divide", a, b);
  if (b == TERM_ONE) return a;
  if (math_is_nonnegative(c, a)) return term_floordiv(t, a, b);
  term_id exact;
  if (term_divide_exact(t, a, b, &exact)) return exact;
  term_id up = term_ceildiv(t, a, b);
  if (is_nonpositive(c, a)) return up;
  term_id down = math_max(c, term_floordiv(t, a, b), TERM_ZERO);
  return term_add(t, down, math_min(c, up, TERM_ZERO));
}

// a - b * (a / b): the sign of the dividend (StableHLO spec: remainder).
static term_id modulo(rule_context *c, term_id a, term_id b) {
  term_table *t = c->terms;
  num y;
  if (term_const_value(t, b, &y) && num_is_zero(y)) return TERM_NONE;
  bool positive = math_is_positive(c, b) || is_nonpositive(c, b);
  if (positive && store_holds(c->store, predicate_make(REL_EQ, b, TERM_ZERO)) != SHAPE_NO)
    positive = false;
  if (!positive) return apply(c, "remainder", a, b);
  term_id quotient = divide(c, a, b);
  if (quotient == TERM_NONE) return TERM_NONE;
  return term_sub(t, a, term_mul(t, b, quotient));
}

static term_id floor_divide(rule_context *c, term_id a, term_id b, bool ceiling) {
  num y;
  if (term_const_value(c->terms, b, &y)) {
    if (num_is_zero(y)) return TERM_NONE;
  } else if (!math_is_positive(c, b)) {
    return apply(c, ceiling ? "ceildivsi" : "floordivsi", a, b);
  }
  return ceiling ? term_ceildiv(c->terms, a, b) : term_floordiv(c->terms, a, b);
}

// Integer power (StableHLO spec: power). A negative exponent of constants: 1 for 1, +-1 for -1, else 0.
static term_id power(rule_context *c, shape_dtype dtype, term_id a, term_id b) {
  int64_t exponent, base;
  if (!term_int_value(c->terms, b, &exponent)) {
    return a == TERM_ONE ? TERM_ONE : finish(c, dtype, apply(c, "power", a, b));
  }
  if (exponent < 0) {
    if (!term_int_value(c->terms, a, &base) || base == 0) return TERM_NONE;
    if (base == 1) return TERM_ONE;
    return term_int(c->terms, base == -1 ? (exponent % 2 ? -1 : 1) : 0);
  }
  num value;
  if (term_const_value(c->terms, a,
                       &value)) {  // by squaring, wrapped at each step: 2^n divides the modulus
    num result = NUM(1);
    for (uint64_t e = (uint64_t)exponent; e; e >>= 1) {
      if (e & 1) result = math_wrap(c, dtype, num_mul(c->budget, result, value));
      value = math_wrap(c, dtype, num_mul(c->budget, value, value));
    }
    return term_const(c->terms, result);
  }
  if (exponent > MATH_MAX_EXPONENT) return TERM_NONE;
  return finish(c, dtype, term_pow(c->terms, a, (uint32_t)exponent));
}

static bool is_mask(int64_t value) {
  return value >= 0 && value < INT64_MAX && (value & (value + 1)) == 0;
}

// The lowest 64 bits of a constant in two's complement; no type of a program is wider.
static bool bits_of(rule_context *c, term_id a, uint64_t *bits) {
  num value;
  int64_t low;
  if (!term_const_value(c->terms, a, &value)) return false;
  if (num_sign(value) > 0 && !num_to_int(value, &low))
    value = num_sub(c->budget, value, num_pow(c->budget, NUM(2), 64));
  if (!num_to_int(value, &low)) return false;
  *bits = (uint64_t)low;
  return true;
}

// The number that these bits are in a type; those above its width repeat its sign, as operands have it.
static term_id of_bits(rule_context *c, shape_dtype dtype, uint64_t bits) {
  assert(dtype_is_integer(dtype));
  num value = NUM((int64_t)bits);
  if (!dtype_is_signed(dtype) && dtype_bits(dtype) == 64 && num_sign(value) < 0)
    value = num_add(c->budget, value, num_pow(c->budget, NUM(2), 64));
  return term_const(c->terms, value);
}

// Bitwise operations of integers in two's complement; for i1 they are logic.
static term_id bitwise(rule_context *c, math_op op, shape_dtype dtype, term_id a, term_id b) {
  term_table *t = c->terms;
  int64_t x, y;
  uint64_t p, q;
  if (bits_of(c, a, &p) && bits_of(c, b, &q))
    return of_bits(c, dtype, op == MATH_AND ? (p & q) : op == MATH_OR ? (p | q) : (p ^ q));
  bool x_known = term_int_value(t, a, &x), y_known = term_int_value(t, b, &y);
  if (dtype == DTYPE_I1) {
    if (op == MATH_AND && a == b) return a;
    if (op == MATH_OR && a == b) return a;
    term_id both = term_mul(t, a, b);
    if (op == MATH_AND) return both;
    if (op == MATH_XOR) both = term_scale(t, both, NUM(2));
    return term_sub(t, term_add(t, a, b), both);
  }
  if (x_known) {  // the constant second
    term_id swap = a;
    a = b;
    b = swap;
    y = x;
    y_known = true;
  }
  if (y_known && y == 0) return op == MATH_AND ? TERM_ZERO : a;
  if (y_known && op == MATH_AND) {
    if (y == -1) return a;
    if (is_mask(y)) return term_mod(t, a, term_int(t, y + 1));
    if (y < 0 && is_mask(-(y + 1))) return term_sub(t, a, term_mod(t, a, term_int(t, -y)));
  }
  if (a == b) return op == MATH_XOR ? TERM_ZERO : a;
  const char *name = op == MATH_AND ? "and" : op == MATH_OR ? "or" : "xor";
  return term_order(t, a, b) <= 0 ? apply(c, name, a, b) : apply(c, name, b, a);
}

// An operand whose highest bit is its sign, whatever its type says: the arithmetic shift fills with that bit. Unsigned
// symbols are followed only where the bit is known to be 0.
static term_id as_signed(rule_context *c, shape_dtype dtype, term_id a) {
  assert(dtype_bits(dtype) > 0 && dtype_bits(dtype) <= 64);
  num value, half = num_pow(c->budget, NUM(2), dtype_bits(dtype) - 1);
  if (dtype_is_signed(dtype)) return a;
  if (term_const_value(c->terms, a, &value)) {
    if (num_compare(value, half) < 0) return a;
    return term_const(c->terms, num_sub(c->budget, value, num_add(c->budget, half, half)));
  }
  interval known = store_range(c->store, a);
  return known.has_hi && num_compare(known.hi, half) < 0 ? a : TERM_NONE;
}

// Shifts by constants (StableHLO spec: a shift by the width or more gives 0, or the sign for the arithmetic one).
static term_id shift(rule_context *c, math_op op, shape_dtype dtype, term_id a, term_id b) {
  int64_t by;
  uint32_t bits = dtype_bits(dtype);
  if (!term_int_value(c->terms, b, &by)) return TERM_NONE;
  bool beyond = by < 0 || by >= (int64_t)bits;
  if (op == MATH_SHR_A) {
    if (beyond) by = (int64_t)bits - 1;
    a = as_signed(c, dtype, a);
    if (a == TERM_NONE) return TERM_NONE;
    term_id power = term_const(c->terms, num_pow(c->budget, NUM(2), (uint32_t)by));
    return finish(c, dtype, term_floordiv(c->terms, a, power));
  }
  if (beyond) return TERM_ZERO;
  term_id factor = term_const(c->terms, num_pow(c->budget, NUM(2), (uint32_t)by));
  if (op == MATH_SHL) return finish(c, dtype, term_mul(c->terms, a, factor));
  num value;
  if (term_const_value(c->terms, a, &value) && num_sign(value) < 0) {
    num unsigned_value = num_add(c->budget, value, num_pow(c->budget, NUM(2), bits));
    a = term_const(c->terms, unsigned_value);
  } else if (!math_is_nonnegative(c, a)) {
    return TERM_NONE;
  }
  return finish(c, dtype, term_floordiv(c->terms, a, factor));
}

// An operand that arith reads as unsigned: itself where it is known to be >= 0, else only constants are followed.
static term_id as_unsigned(rule_context *c, shape_dtype dtype, term_id a) {
  num value;
  if (term_const_value(c->terms, a, &value)) {
    if (num_sign(value) >= 0) return a;
    return term_const(c->terms,
                      num_add(c->budget, value, num_pow(c->budget, NUM(2), dtype_bits(dtype))));
  }
  return math_is_nonnegative(c, a) ? a : TERM_NONE;
}

static term_id binary_unsigned(rule_context *c, math_op op, shape_dtype dtype, term_id a,
                               term_id b) {
  a = as_unsigned(c, dtype, a);
  b = as_unsigned(c, dtype, b);
  if (a == TERM_NONE || b == TERM_NONE) return TERM_NONE;
  switch (op) {
  case MATH_DIV_U: return finish(c, dtype, divide(c, a, b));
  case MATH_REM_U: return finish(c, dtype, modulo(c, a, b));
  case MATH_CEILDIV_U: return finish(c, dtype, floor_divide(c, a, b, true));
  case MATH_MAX_U: return finish(c, dtype, math_max(c, a, b));
  default: return finish(c, dtype, math_min(c, a, b));
  }
}

static term_id binary(rule_context *c, math_op op, shape_dtype dtype, term_id a, term_id b) {
  if (dtype == DTYPE_I1) {  // StableHLO spec: add is or, multiply is and, on booleans
    if (op == MATH_ADD || op == MATH_MAX) op = MATH_OR;
    if (op == MATH_MUL || op == MATH_MIN) op = MATH_AND;
  }
  switch (op) {
  case MATH_ADD: return finish(c, dtype, term_add(c->terms, a, b));
  case MATH_SUB: return finish(c, dtype, term_sub(c->terms, a, b));
  case MATH_MUL: return finish(c, dtype, term_mul(c->terms, a, b));
  case MATH_DIV: return finish(c, dtype, divide(c, a, b));
  case MATH_REM: return finish(c, dtype, modulo(c, a, b));
  case MATH_FLOORDIV: return finish(c, dtype, floor_divide(c, a, b, false));
  case MATH_CEILDIV: return finish(c, dtype, floor_divide(c, a, b, true));
  case MATH_DIV_U:
  case MATH_REM_U:
  case MATH_CEILDIV_U:
  case MATH_MAX_U:
  case MATH_MIN_U: return binary_unsigned(c, op, dtype, a, b);
  case MATH_MAX: return math_max(c, a, b);
  case MATH_MIN: return math_min(c, a, b);
  case MATH_POW: return power(c, dtype, a, b);
  case MATH_AND:
  case MATH_OR:
  case MATH_XOR: return bitwise(c, op, dtype, a, b);
  case MATH_SHL:
  case MATH_SHR_A:
  case MATH_SHR_L: return shift(c, op, dtype, a, b);
  default: return TERM_NONE;
  }
}

term_id math_binary(rule_context *c, math_op op, shape_dtype dtype, term_id a, term_id b) {
  if (a == TERM_NONE || b == TERM_NONE) return TERM_NONE;
  return wrap_constant(c, dtype, binary(c, op, dtype, a, b));
}

static term_id count_bits(rule_context *c, math_op op, shape_dtype dtype, term_id a) {
  uint64_t pattern;
  uint32_t bits = dtype_bits(dtype);
  if (!bits_of(c, a, &pattern) || !bits) return TERM_NONE;
  if (bits < 64) pattern &= (UINT64_C(1) << bits) - 1;
  if (op == MATH_POPCNT) return term_int(c->terms, __builtin_popcountll(pattern));
  int64_t zeros = pattern ? __builtin_clzll(pattern) - (64 - (int64_t)bits) : (int64_t)bits;
  return term_int(c->terms, zeros);
}

static term_id sign_of(rule_context *c, term_id a) {
  term_table *t = c->terms;
  if (math_is_positive(c, a)) return TERM_ONE;
  term_id not_zero = term_not(t, math_compare(c, COMPARE_EQ, a, TERM_ZERO));
  term_id negative = math_compare(c, COMPARE_LT, a, TERM_ZERO);
  return term_sub(t, not_zero, term_scale(t, negative, NUM(2)));
}

static term_id unary(rule_context *c, math_op op, shape_dtype dtype, term_id a, interval range) {
  term_table *t = c->terms;
  switch (op) {
  case MATH_IDENTITY: return a;
  case MATH_NEG: return finish(c, dtype, term_neg(t, a));
  case MATH_ABS:
    if (math_is_nonnegative(c, a)) return a;
    if (is_nonpositive(c, a)) return finish(c, dtype, term_neg(t, a));
    return finish(c, dtype, term_max(t, a, term_neg(t, a)));
  case MATH_SIGN: return sign_of(c, a);
  case MATH_NOT:
    if (dtype == DTYPE_I1) return term_not(t, a);
    if (dtype_is_signed(dtype)) return term_sub(t, term_neg(t, a), TERM_ONE);
    return term_sub(t, term_const(t, range.hi), a);
  case MATH_POPCNT:
  case MATH_CLZ: return count_bits(c, op, dtype, a);
  default: return TERM_NONE;
  }
}

term_id math_unary(rule_context *c, math_op op, shape_dtype dtype, term_id a) {
  interval range;
  if (a == TERM_NONE || !math_range(c->budget, dtype, &range)) return TERM_NONE;
  return wrap_constant(c, dtype, unary(c, op, dtype, a, range));
}

term_id math_compare(rule_context *c, compare_op op, term_id a, term_id b) {
  if (a == TERM_NONE || b == TERM_NONE) return TERM_NONE;
  static const relation relations[] = {REL_EQ, REL_EQ, REL_NE, REL_LT, REL_LE, REL_GT, REL_GE};
  assert((unsigned)op < sizeof relations / sizeof *relations);
  shape_answer known = store_holds(c->store, predicate_make(relations[op], a, b));
  if (known != SHAPE_UNKNOWN) return known == SHAPE_YES ? TERM_ONE : TERM_ZERO;
  switch (op) {
  case COMPARE_EQ: return term_eq(c->terms, a, b);
  case COMPARE_NE: return term_not(c->terms, term_eq(c->terms, a, b));
  case COMPARE_LT: return term_lt(c->terms, a, b);
  case COMPARE_LE: return term_le(c->terms, a, b);
  case COMPARE_GT: return term_lt(c->terms, b, a);
  case COMPARE_GE: return term_le(c->terms, b, a);
  default: return TERM_NONE;
  }
}

term_id math_select(rule_context *c, term_id condition, term_id a, term_id b) {
  if (condition == TERM_NONE) return a == b ? a : TERM_NONE;
  num value;
  if (!term_const_value(c->terms, condition, &value)) {
    term_id canon = store_canon(c->store, condition);
    if (term_const_value(c->terms, canon, &value)) condition = canon;
  }
  if (term_const_value(c->terms, condition, &value)) return num_is_zero(value) ? b : a;
  if (a == b || a == TERM_NONE || b == TERM_NONE) return a == b ? a : TERM_NONE;
  if (is_large(c, a) || is_large(c, b) || is_large(c, condition)) return TERM_NONE;
  // Elements of i1 are 0 or 1, so the choice is a polynomial.
  return term_add(c->terms, b, term_mul(c->terms, condition, term_sub(c->terms, a, b)));
}

term_id math_convert(rule_context *c, uint32_t how, shape_dtype from, shape_dtype to, term_id a) {
  interval range;
  if (a == TERM_NONE || !math_range(c->budget, from, &range) || !math_range(c->budget, to, &range))
    return TERM_NONE;
  if (to == DTYPE_I1 && from != DTYPE_I1) {
    if (how == CONVERT_TRUNCATE) return term_mod(c->terms, a, term_int(c->terms, 2));
    return math_compare(c, COMPARE_NE, a, TERM_ZERO);
  }
  if (from == DTYPE_I1) return how == CONVERT_SIGN_EXTEND ? term_neg(c->terms, a) : a;
  if (how == CONVERT_ZERO_EXTEND) a = as_unsigned(c, from, a);
  return finish(c, to, a);
}
