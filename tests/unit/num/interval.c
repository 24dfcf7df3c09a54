// SPDX-License-Identifier: Apache-2.0
// Intervals against the sets of small integers that they denote.
#include "solver/num/interval.h"

#include <criterion/criterion.h>

enum { REACH = 4, FAR = 40 };  // finite ends are within REACH; an infinite end is tried up to FAR

static interval pick(int code) {
  int lo = code % (2 * REACH + 2) - REACH, hi = code / (2 * REACH + 2) % (2 * REACH + 2) - REACH;
  interval x = interval_all();
  if (lo <= REACH) x.lo = NUM(lo), x.has_lo = true;
  if (hi <= REACH) x.hi = NUM(hi), x.has_hi = true;
  return x;
}

static bool is_empty(interval x) { return x.has_lo && x.has_hi && num_compare(x.lo, x.hi) > 0; }
static int low(interval x) { return x.has_lo ? (int)x.lo.small : -FAR; }
static int high(interval x) { return x.has_hi ? (int)x.hi.small : FAR; }

static int64_t floor_quotient(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static void inside(interval r, int64_t value, const char *what, int x, int y) {
  cr_assert(interval_contains(r, NUM(value)), "%s(%d, %d) == %lld is left out", what, x, y,
            (long long)value);
}

static void check_values(shape_budget *b, interval x, interval y) {
  interval add = interval_add(b, x, y), mul = interval_mul(b, x, y),
           div = interval_floordiv(b, x, y);
  interval least = interval_min(x, y), most = interval_max(x, y);
  interval join = interval_join(x, y), meet, square = interval_pow(b, x, 2),
           cube = interval_pow(b, x, 3);
  bool meets = interval_meet(x, y, &meet);
  for (int i = low(x); i <= high(x); i++) {
    inside(square, (int64_t)i * i, "square", i, 0);
    inside(cube, (int64_t)i * i * i, "cube", i, 0);
    inside(join, i, "join", i, 0);
    inside(interval_neg(b, x), -i, "neg", i, 0);
    inside(interval_scale(b, x, NUM(-3)), -3 * i, "scale", i, 0);
    if (interval_contains(y, NUM(i))) cr_assert(meets && interval_contains(meet, NUM(i)));
    for (int j = low(y); j <= high(y); j++) {
      inside(add, i + j, "add", i, j);
      inside(mul, (int64_t)i * j, "mul", i, j);
      inside(least, i < j ? i : j, "min", i, j);
      inside(most, i > j ? i : j, "max", i, j);
      if (j) inside(div, floor_quotient(i, j), "floordiv", i, j);
    }
  }
}

// Ends of finite results are attained by some pair, so that nothing is wider than it need be.
static void check_tight(shape_budget *b, interval x, interval y) {
  interval ops[4] = {interval_add(b, x, y), interval_mul(b, x, y), interval_min(x, y),
                     interval_floordiv(b, x, y)};
  bool hit_lo[4] = {false}, hit_hi[4] = {false}, divides = false;
  for (int i = low(x); i <= high(x); i++) {
    for (int j = low(y); j <= high(y); j++) {
      int64_t values[4] = {i + j, (int64_t)i * j, i < j ? i : j, j ? floor_quotient(i, j) : 0};
      divides |= j != 0;
      for (int k = 0; k < 4; k++) {
        if (k == 3 && !j) continue;
        hit_lo[k] |= !ops[k].has_lo || num_is(ops[k].lo, values[k]);
        hit_hi[k] |= !ops[k].has_hi || num_is(ops[k].hi, values[k]);
      }
    }
  }
  for (int k = 0; k < 4; k++)
    cr_assert((k == 3 && !divides) || (hit_lo[k] && hit_hi[k]), "operation %d is too wide", k);
}

Test(interval, contains_every_value_and_is_tight) {
  shape_arena arena;
  shape_budget budget;
  arena_init(&arena, 0);
  budget_init(&budget, &arena, 0, NULL);
  int codes = (2 * REACH + 2) * (2 * REACH + 2);
  for (int i = 0; i < codes; i++) {
    for (int j = 0; j < codes; j++) {
      interval x = pick(i), y = pick(j);
      if (is_empty(x) || is_empty(y)) continue;
      check_values(&budget, x, y);
      check_tight(&budget, x, y);
      cr_assert_eq(interval_equal(x, y), i == j);
    }
  }
  arena_destroy(&arena);
}

Test(interval, signs) {
  cr_assert(interval_is_positive(interval_at_least(NUM(1))) &&
            !interval_is_positive(interval_at_least(NUM(0))));
  cr_assert(interval_is_nonnegative(interval_of(0, 3)) &&
            !interval_is_nonnegative(interval_at_most(NUM(3))));
  cr_assert(interval_excludes_zero(interval_at_most(NUM(-1))) &&
            !interval_excludes_zero(interval_all()));
  num value;
  cr_assert(interval_is_point(interval_point(NUM(5)), &value) && num_is(value, 5));
  cr_assert_not(interval_is_point(interval_of(1, 2), &value));
}
