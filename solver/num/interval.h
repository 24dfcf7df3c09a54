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

bool interval_is_point(interval x, num *value);
bool interval_contains(interval x, num value);
bool interval_equal(interval a, interval b);
bool interval_meet(interval a, interval b, interval *out);  // false: empty
interval interval_join(interval a, interval b);
interval interval_add(shape_budget *b, interval x, interval y);
interval interval_neg(shape_budget *b, interval x);
interval interval_scale(shape_budget *b, interval x, num k);
interval interval_mul(shape_budget *b, interval x, interval y);
interval interval_pow(shape_budget *b, interval x, uint32_t k);  // exact through zero for even k
interval interval_floordiv(shape_budget *b, interval x,
                           interval y);  // over the divisors of y that are not 0
interval interval_mod(shape_budget *b, interval x, interval y);
interval interval_min(interval x, interval y);
interval interval_max(interval x, interval y);
// 1: contains no negative and no zero; and so on. Sign knowledge used everywhere.
bool interval_is_positive(interval x);
bool interval_is_nonnegative(interval x);
bool interval_excludes_zero(interval x);

#endif
