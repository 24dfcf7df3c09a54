// SPDX-License-Identifier: Apache-2.0
// What the form of a term says of its value, whatever its symbols are.
#include <criterion/criterion.h>

#include "solver/term/build.h"
#include "tests/unit/world.h"

static bool is_unbounded(term_table *t, term_id id) {
  interval range = term_static_range(t, id);
  return !range.has_lo && !range.has_hi;
}

static void expect_bounds(term_table *t, term_id id, const int64_t *lo, const int64_t *hi) {
  interval range = term_static_range(t, id);
  cr_expect_eq(range.has_lo, lo != NULL);
  cr_expect_eq(range.has_hi, hi != NULL);
  if (lo) cr_expect(num_is(range.lo, *lo));
  if (hi) cr_expect(num_is(range.hi, *hi));
}

Test(range, of_choices_whose_symbols_go_away) {
  world w;
  world_open(&w, 0, 100000, 0);
  term_table *t = &w.terms;
  const int64_t zero = 0, one = 1, two = 2;
  term_id a = term_symbol(t), b = term_symbol(t);
  term_id below = term_sub(t, term_min(t, a, b), a);
  expect_bounds(t, below, NULL, &zero);
  expect_bounds(t, term_neg(t, below), &zero, NULL);
  term_id three = term_int(t, 3), third = term_floordiv(t, a, three);
  expect_bounds(t, term_sub(t, a, term_mul(t, three, third)), &zero, &two);
  term_id nested = term_min(t, a, term_max(t, TERM_ZERO, term_min(t, b, TERM_ONE)));
  expect_bounds(t, nested, NULL, &one);
  term_id c = term_min(t, TERM_ONE, term_max(t, TERM_ZERO, a));
  expect_bounds(t, term_sub(t, term_add(t, b, c), b), &zero, &one);
  arena_destroy(&w.arena);
}

Test(range, has_no_end_with_a_symbol_that_stays) {
  world w;
  world_open(&w, 0, 100000, 0);
  term_table *t = &w.terms;
  term_id a = term_symbol(t), b = term_symbol(t), c = term_symbol(t);
  term_id below = term_sub(t, term_min(t, a, b), a);
  cr_expect(is_unbounded(t, term_add(t, below, c)));
  cr_expect(is_unbounded(t, term_sub(t, below, c)));
  cr_expect(is_unbounded(t, term_sub(t, term_bcast(t, a, b), c)));
  cr_expect(is_unbounded(t, term_add(t, term_floordiv(t, a, term_int(t, 3)), c)));
  arena_destroy(&w.arena);
}

// A mask has 64 bits, so that symbols 64 apart look alike; that may only cost time.
Test(range, is_the_same_where_symbols_look_alike) {
  world w;
  world_open(&w, 0, 1000000, 0);
  term_table *t = &w.terms;
  const int64_t zero = 0;
  term_id sum = TERM_ZERO, symbols[140];
  for (int i = 0; i < 140; i++) symbols[i] = term_symbol(t);
  for (int i = 0; i < 10; i++) sum = term_add(t, sum, term_add(t, symbols[i], symbols[i + 64]));
  term_id a = symbols[130], least = term_min(t, sum, a);  // a is like symbols 2 and 66
  expect_bounds(t, term_sub(t, least, sum), NULL, &zero);
  expect_bounds(t, term_sub(t, a, least), &zero, NULL);
  cr_expect(is_unbounded(t, least));
  cr_expect(is_unbounded(t, term_add(t, term_sub(t, a, least), symbols[129])));
  cr_expect(is_unbounded(t, term_add(t, term_sub(t, a, least), symbols[40])));
  arena_destroy(&w.arena);
}

// Of choices in choices RANGE_FUEL are tried; the answer comes at once.
Test(range, of_deep_choices_ends) {
  world w;
  world_open(&w, 0, 10000000, 0);
  term_table *t = &w.terms;
  term_id x = term_symbol(t), sum = TERM_ZERO;
  for (int i = 0; i < 40; i++) {
    x = term_min(t, term_symbol(t),
                 term_add(t, x, term_floordiv(t, term_symbol(t), term_int(t, 2))));
    sum = term_add(t, sum, x);
  }
  cr_expect(is_unbounded(t, sum));
  arena_destroy(&w.arena);
}

// Where arguments of an extremum differ by a symbol of one of them, that says enough.
Test(range, of_differences_that_hold_a_free_symbol_is_none) {
  world w;
  world_open(&w, 0, 1000000, 0);
  term_table *t = &w.terms;
  term_id x = term_symbol(t), y = term_symbol(t), half = term_floordiv(t, x, term_int(t, 2));
  cr_expect(term_differ_freely(t, x, y));
  cr_expect(term_differ_freely(t, term_add(t, x, y), term_int(t, 3)));
  cr_expect(!term_differ_freely(t, term_add(t, x, term_int(t, 3)), x));
  cr_expect(!term_differ_freely(t, term_scale(t, half, NUM(2)), x));  // from -1 to 0
  cr_expect_eq(term_max(t, x, term_scale(t, half, NUM(2))), x);
  uint32_t before = t->count;
  cr_expect(term_differ_freely(t, term_add(t, x, y), half));
  cr_expect_eq(t->count, before);
  arena_destroy(&w.arena);
}
