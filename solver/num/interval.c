// SPDX-License-Identifier: Apache-2.0
#include "solver/num/interval.h"

#include <assert.h>

interval interval_join(interval a, interval b) {
  interval r = {NUM(0), NUM(0), a.has_lo && b.has_lo, a.has_hi && b.has_hi};
  if (r.has_lo) r.lo = num_min(a.lo, b.lo);
  if (r.has_hi) r.hi = num_max(a.hi, b.hi);
  return r;
}

// An end of an interval as an extended number; `infinite` is -1, 0 or 1.
typedef struct end {
  num value;
  int infinite;
} end;

static end low_end(interval x) { return (end){x.lo, x.has_lo ? 0 : -1}; }
static end high_end(interval x) { return (end){x.hi, x.has_hi ? 0 : 1}; }
static int end_sign(end x) { return x.infinite ? x.infinite : num_sign(x.value); }

// 0 times infinity is 0 here: the other factor is a real number, however large.
static end end_mul(shape_budget *b, end x, end y) {
  int sign = end_sign(x) * end_sign(y);
  if (sign == 0) return (end){NUM(0), 0};
  if (x.infinite || y.infinite) return (end){NUM(0), sign};
  return (end){num_mul(b, x.value, y.value), 0};
}

static interval add_end(interval x, end e, bool first) {
  if (first) {
    return (interval){e.value, e.value, !e.infinite, !e.infinite};
  }
  if (e.infinite) {
    if (e.infinite < 0) x.has_lo = false;
    if (e.infinite > 0) x.has_hi = false;
    return x;
  }
  if (x.has_lo) x.lo = num_min(x.lo, e.value);
  if (x.has_hi) x.hi = num_max(x.hi, e.value);
  return x;
}

interval interval_mul(shape_budget *b, interval x, interval y) {
  num k;
  if (interval_is_point(x, &k)) return interval_scale(b, y, k);
  if (interval_is_nonnegative(x) && interval_is_nonnegative(y)) {
    bool zero = (x.has_hi && num_is_zero(x.hi)) || (y.has_hi && num_is_zero(y.hi));
    interval r = {num_mul(b, x.lo, y.lo), NUM(0), true, zero || (x.has_hi && y.has_hi)};
    if (r.has_hi && !zero) r.hi = num_mul(b, x.hi, y.hi);
    return r;
  }
  end xs[2] = {low_end(x), high_end(x)}, ys[2] = {low_end(y), high_end(y)};
  interval r = interval_all();
  bool first = true, down = false, up = false;
  for (int i = 0; i < 4; i++) {
    end e = end_mul(b, xs[i & 1], ys[i >> 1]);
    down |= e.infinite < 0;
    up |= e.infinite > 0;
    if (e.infinite) continue;
    r = add_end(r, e, first);
    first = false;
  }
  if (down) r.has_lo = false;
  if (up) r.has_hi = false;
  // All four corners infinite: one-sided products without a finite corner say nothing more.
  assert(first || !r.has_lo || !r.has_hi || num_compare(r.lo, r.hi) <= 0);
  return first ? interval_all() : r;
}

interval interval_pow(shape_budget *b, interval x, uint32_t k) {
  if (k == 0) return interval_point(NUM(1));
  interval r = {NUM(0), NUM(0), x.has_lo, x.has_hi};
  if (k % 2 == 1) {
    if (r.has_lo) r.lo = num_pow(b, x.lo, k);
    if (r.has_hi) r.hi = num_pow(b, x.hi, k);
    return r;
  }
  if (x.has_hi && num_sign(x.hi) < 0) return interval_pow(b, interval_neg(b, x), k);
  if (x.has_lo && num_sign(x.lo) >= 0) {
    r.lo = num_pow(b, x.lo, k);
    if (r.has_hi) r.hi = num_pow(b, x.hi, k);
    return r;
  }
  r.has_lo = true;  // zero is inside
  r.has_hi = x.has_lo && x.has_hi;
  if (r.has_hi) r.hi = num_pow(b, num_max(num_neg(b, x.lo), x.hi), k);
  return r;
}

// y >= 1. The quotient rises with x; it rises with y where x is negative and falls where x is not.
static interval divide_by_positive(shape_budget *b, interval x, interval y) {
  assert(interval_is_positive(y));
  interval r = {NUM(0), NUM(0), x.has_lo, x.has_hi};
  if (x.has_lo) {
    if (num_sign(x.lo) < 0) {
      r.lo = num_floordiv(b, x.lo, y.lo);
    } else {
      r.lo = y.has_hi ? num_floordiv(b, x.lo, y.hi) : NUM(0);
    }
  }
  if (x.has_hi) {
    if (num_sign(x.hi) >= 0) {
      r.hi = num_floordiv(b, x.hi, y.lo);
    } else {
      r.hi = y.has_hi ? num_floordiv(b, x.hi, y.hi) : NUM(-1);
    }
  }
  return r;
}

// Joins what `positive` gives for the positive divisors and, mirrored, for the negative ones.
static bool split_divisor(interval y, interval *above, interval *below, bool *has_above,
                          bool *has_below) {
  *has_above = interval_meet(y, interval_at_least(NUM(1)), above);
  *has_below = interval_meet(y, interval_at_most(NUM(-1)), below);
  return *has_above || *has_below;
}

interval interval_floordiv(shape_budget *b, interval x, interval y) {
  interval above = y, below = y, r = interval_all();
  bool has_above, has_below;
  if (!split_divisor(y, &above, &below, &has_above, &has_below)) return r;
  if (has_above) r = divide_by_positive(b, x, above);
  if (has_below) {
    interval q = divide_by_positive(b, interval_neg(b, x), interval_neg(b, below));
    r = has_above ? interval_join(r, q) : q;
  }
  assert(!r.has_lo || !r.has_hi || num_compare(r.lo, r.hi) <= 0);
  return r;
}

interval interval_min(interval x, interval y) {
  interval r = {NUM(0), NUM(0), x.has_lo && y.has_lo, x.has_hi || y.has_hi};
  if (r.has_lo) r.lo = num_min(x.lo, y.lo);
  if (r.has_hi) r.hi = !x.has_hi ? y.hi : !y.has_hi ? x.hi : num_min(x.hi, y.hi);
  assert(!r.has_lo || !r.has_hi || num_compare(r.lo, r.hi) <= 0);
  return r;
}

interval interval_max(interval x, interval y) {
  interval r = {NUM(0), NUM(0), x.has_lo || y.has_lo, x.has_hi && y.has_hi};
  if (r.has_lo) r.lo = !x.has_lo ? y.lo : !y.has_lo ? x.lo : num_max(x.lo, y.lo);
  if (r.has_hi) r.hi = num_max(x.hi, y.hi);
  assert(!r.has_lo || !r.has_hi || num_compare(r.lo, r.hi) <= 0);
  return r;
}
