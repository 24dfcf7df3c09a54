// SPDX-License-Identifier: Apache-2.0
// Exact integers: int64 with checked arithmetic, GMP limbs beyond.
//
// Invariant: `big` is NULL exactly when the value fits in int64, so equal values have one
// representation and the fast path is one test. Big values are immutable limbs in the arena of the
// budget, made with GMP's mpn functions, which never allocate and never abort (mpz would end the
// process when memory runs out).
// Bounds: a result of more than budget->max_bits bits leaves the job with SHAPE_BITS, checked
// before the operation. Values are passed by value and never freed one by one.
#ifndef SHAPE_NUM_NUM_H
#define SHAPE_NUM_NUM_H

#include <stdbool.h>
#include <stdint.h>

#include "solver/base/budget.h"
#include "solver/base/strbuf.h"

typedef struct num_big num_big;  // sign, length, limbs; see num.c

typedef struct num {
  int64_t small;
  const num_big *big;
} num;

#define NUM(value) ((num){(value), NULL})

static inline num num_from_int(int64_t value) { return (num){value, NULL}; }
static inline bool num_is_zero(num x) { return !x.big && x.small == 0; }
static inline bool num_is_one(num x) { return !x.big && x.small == 1; }
static inline bool num_is_unit(num x) { return !x.big && (uint64_t)x.small + 1 <= 2 && x.small; }
static inline bool num_is(num x, int64_t value) { return !x.big && x.small == value; }
// Numbers beyond int64 are rare: `cold` keeps what handles them out of the way of the code that runs.
#define NUM_RARE __attribute__((cold))
NUM_RARE int num_sign_slow(num x);
NUM_RARE int num_compare_slow(num a, num b);
static inline int num_sign(num x) {  // -1, 0, 1
  return x.big ? num_sign_slow(x) : (x.small > 0) - (x.small < 0);
}
static inline int num_compare(num a, num b) {  // -1, 0, 1
  if (!a.big && !b.big) return (a.small > b.small) - (a.small < b.small);
  return num_compare_slow(a, b);
}
static inline bool num_equal(num a, num b) {
  return !a.big && !b.big ? a.small == b.small : num_compare(a, b) == 0;
}
num num_kept(shape_arena *arena, num x);  // the same, with its limbs in this arena
uint64_t num_hash(num x);                 // equal values, equal hashes
uint32_t num_bits_slow(num x);
static inline uint32_t num_bits(num x) {  // of the magnitude; 0 for 0
  if (x.big || x.small <= 0) return num_bits_slow(x);
  return 64 - (uint32_t)__builtin_clzll((uint64_t)x.small);
}

NUM_RARE num num_add_slow(shape_budget *b, num x, num y);
NUM_RARE num num_sub_slow(shape_budget *b, num x, num y);
NUM_RARE num num_mul_slow(shape_budget *b, num x, num y);

static inline num num_add(shape_budget *b, num x, num y) {
  int64_t r;
  if (!x.big && !y.big && !__builtin_add_overflow(x.small, y.small, &r)) return NUM(r);
  return num_add_slow(b, x, y);
}
static inline num num_sub(shape_budget *b, num x, num y) {
  int64_t r;
  if (!x.big && !y.big && !__builtin_sub_overflow(x.small, y.small, &r)) return NUM(r);
  return num_sub_slow(b, x, y);
}
static inline num num_mul(shape_budget *b, num x, num y) {
  int64_t r;
  if (!x.big && !y.big && !__builtin_mul_overflow(x.small, y.small, &r)) return NUM(r);
  return num_mul_slow(b, x, y);
}
static inline num num_neg(shape_budget *b, num x) { return num_sub(b, NUM(0), x); }
static inline num num_abs(shape_budget *b, num x) { return num_sign(x) < 0 ? num_neg(b, x) : x; }
num num_pow(shape_budget *b, num x, uint32_t exponent);
// Quotient rounded to minus infinity, and remainder with the divisor's sign (as Python).
// divisor != 0.
num num_floordiv_any(shape_budget *b, num x, num divisor);
num num_mod_any(shape_budget *b, num x, num divisor);
num num_ceildiv_any(shape_budget *b, num x, num divisor);
bool num_divides_any(shape_budget *b, num divisor, num x);
// Most divisors are small and positive, and most quotients are wanted in loops.
static inline bool num_divides_small(num x, num divisor) {
  return !x.big && !divisor.big && divisor.small > 0;
}
static inline num num_floordiv(shape_budget *b, num x, num divisor) {
  if (!num_divides_small(x, divisor)) return num_floordiv_any(b, x, divisor);
  return NUM(x.small / divisor.small - (x.small % divisor.small < 0));
}
static inline num num_mod(shape_budget *b, num x, num divisor) {
  if (!num_divides_small(x, divisor)) return num_mod_any(b, x, divisor);
  int64_t rest = x.small % divisor.small;
  return NUM(rest < 0 ? rest + divisor.small : rest);
}
static inline num num_ceildiv(shape_budget *b, num x, num divisor) {
  if (!num_divides_small(x, divisor)) return num_ceildiv_any(b, x, divisor);
  return NUM(x.small / divisor.small + (x.small % divisor.small > 0));
}
static inline bool num_divides(shape_budget *b, num divisor, num x) {  // divisor 0 divides only 0
  if (!num_divides_small(x, divisor)) return num_divides_any(b, divisor, x);
  return divisor.small == 1 || x.small % divisor.small == 0;
}
num num_truncdiv(shape_budget *b, num x, num divisor);  // to zero (as C and StableHLO)
num num_gcd_any(shape_budget *b, num x, num y);
static inline num num_gcd(shape_budget *b, num x, num y) {  // >= 0; gcd(0, 0) == 0
  return num_is_unit(x) || num_is_unit(y) ? NUM(1) : num_gcd_any(b, x, y);
}
num num_lcm(shape_budget *b, num x, num y);      // >= 0
uint64_t num_gcd_small(uint64_t x, uint64_t y);  // gcd(0, 0) == 0
// g == gcd(x, y) == s*x + t*y
num num_gcd_ext(shape_budget *b, num x, num y, num *s, num *t);
static inline num num_min(num x, num y) { return num_compare(x, y) <= 0 ? x : y; }
static inline num num_max(num x, num y) { return num_compare(x, y) >= 0 ? x : y; }
num num_iroot(shape_budget *b, num x, uint32_t k);  // floor of the k-th root; x >= 0, k >= 1

// An optional '-' and decimal digits, nothing else. False when it is not that (or has no digits).
bool num_parse(shape_budget *b, const char *text, size_t length, num *out);
void num_print(shape_strbuf *buf, num x);
bool num_to_int(num x, int64_t *out);  // false when it does not fit
num num_from_uint(shape_budget *b, uint64_t value);

#endif
