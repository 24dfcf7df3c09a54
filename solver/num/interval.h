// SPDX-License-Identifier: Apache-2.0
// Closed integer intervals with infinite ends. An interval is never empty as a value of this type:
// operations that can give the empty set return false. All operations are exact or outward (they
// contain every possible result).
#ifndef SHAPE_NUM_INTERVAL_H
#define SHAPE_NUM_INTERVAL_H

#include "solver/num/num.h"

typedef struct interval {
  num lo, hi;           // meaningless where the end is infinite
  bool has_lo, has_hi;  // false: minus/plus infinity
} interval;

static inline interval interval_all(void) { return (interval){NUM(0), NUM(0), false, false}; }
static inline interval interval_point(num x) { return (interval){x, x, true, true}; }
static inline interval interval_at_least(num x) { return (interval){x, NUM(0), true, false}; }
static inline interval interval_at_most(num x) { return (interval){NUM(0), x, false, true}; }
static inline interval interval_of(int64_t lo, int64_t hi) {
  return (interval){NUM(lo), NUM(hi), true, true};
}

static inline bool interval_is_point(interval x, num *value) {
  if (!x.has_lo || !x.has_hi || !num_equal(x.lo, x.hi)) return false;
  *value = x.lo;
  return true;
}
static inline bool interval_contains(interval x, num value) {
  return (!x.has_lo || num_compare(x.lo, value) <= 0) &&
         (!x.has_hi || num_compare(value, x.hi) <= 0);
}
static inline bool interval_equal(interval a, interval b) {
  return a.has_lo == b.has_lo && a.has_hi == b.has_hi && (!a.has_lo || num_equal(a.lo, b.lo)) &&
         (!a.has_hi || num_equal(a.hi, b.hi));
}
static inline bool interval_meet(interval a, interval b, interval *out) {  // false: empty
  if (b.has_lo && (!a.has_lo || num_compare(b.lo, a.lo) > 0)) a.lo = b.lo;
  if (b.has_hi && (!a.has_hi || num_compare(b.hi, a.hi) < 0)) a.hi = b.hi;
  a.has_lo |= b.has_lo;
  a.has_hi |= b.has_hi;
  if (a.has_lo && a.has_hi && num_compare(a.lo, a.hi) > 0) return false;
  *out = a;
  return true;
}
interval interval_join(interval a, interval b);
static inline interval interval_add(shape_budget *b, interval x, interval y) {
  interval r = {NUM(0), NUM(0), x.has_lo && y.has_lo, x.has_hi && y.has_hi};
  if (r.has_lo) r.lo = num_add(b, x.lo, y.lo);
  if (r.has_hi) r.hi = num_add(b, x.hi, y.hi);
  return r;
}
static inline interval interval_scale(shape_budget *b, interval x, num k) {
  int sign = num_sign(k);
  if (sign == 0) return interval_point(NUM(0));
  interval r = {NUM(0), NUM(0), sign > 0 ? x.has_lo : x.has_hi, sign > 0 ? x.has_hi : x.has_lo};
  if (r.has_lo) r.lo = num_mul(b, sign > 0 ? x.lo : x.hi, k);
  if (r.has_hi) r.hi = num_mul(b, sign > 0 ? x.hi : x.lo, k);
  return r;
}
// Adds k*x to *sum; k is not 0.
static inline void interval_add_scaled(shape_budget *b, interval *sum, const interval *x, num k) {
  bool up = num_sign(k) > 0;
  sum->has_lo &= up ? x->has_lo : x->has_hi;
  sum->has_hi &= up ? x->has_hi : x->has_lo;
  if (sum->has_lo) sum->lo = num_add(b, sum->lo, num_mul(b, up ? x->lo : x->hi, k));
  if (sum->has_hi) sum->hi = num_add(b, sum->hi, num_mul(b, up ? x->hi : x->lo, k));
}
static inline interval interval_neg(shape_budget *b, interval x) {
  return interval_scale(b, x, NUM(-1));
}
interval interval_mul(shape_budget *b, interval x, interval y);
interval interval_pow(shape_budget *b, interval x, uint32_t k);  // exact through zero for even k
interval interval_floordiv(shape_budget *b, interval x,
                           interval y);  // over the divisors of y that are not 0
interval interval_min(interval x, interval y);
interval interval_max(interval x, interval y);
// 1: contains no negative and no zero; and so on. Sign knowledge used everywhere.
static inline bool interval_is_positive(interval x) { return x.has_lo && num_sign(x.lo) > 0; }
static inline bool interval_is_nonnegative(interval x) { return x.has_lo && num_sign(x.lo) >= 0; }
static inline bool interval_excludes_zero(interval x) {
  return (x.has_lo && num_sign(x.lo) > 0) || (x.has_hi && num_sign(x.hi) < 0);
}

#endif
