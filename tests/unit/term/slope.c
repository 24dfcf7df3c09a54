// SPDX-License-Identifier: Apache-2.0
// What a slope says of bounds: none that term_static_range finds, and enough to see that most large sums have none.
#include <criterion/criterion.h>

#include "solver/term/build.h"
#include "tests/unit/term/sample.h"
#include "tests/unit/world.h"

enum { ROUNDS = 120, LENGTH = 36, MORE = WORLD_SYMBOLS - SAMPLE_SYMBOLS };

// A term with `a` in it that is large enough to be asked about: with less, with more, with remainders, which are bounded, or
// with a symbol in each of its parts.
static term_id enlarged(term_table *t, term_id a, const term_id *more, int how) {
  for (int i = 0; i < LENGTH; i++) {
    term_id x = more[i % MORE], least = term_min(t, x, term_int(t, i));
    switch (how) {
    case 0: a = term_add(t, a, least); break;
    case 1: a = term_sub(t, a, least); break;
    case 2: a = term_add(t, a, term_mod(t, x, term_int(t, i + 2))); break;
    default: a = term_add(t, a, term_min(t, term_add(t, x, least), more[(i + 1) % MORE])); break;
    }
  }
  return a;
}

static void expect_falls(term_table *t, term_id id, uint32_t *falls, uint32_t *bounded) {
  bool below = term_falls(t, id, false), either = term_falls(t, id, true);
  interval range = term_static_range(t, id);
  cr_assert(!(below && range.has_lo));
  cr_assert(!(either && range.has_lo && range.has_hi));
  cr_assert(either || !below);
  *falls += below;
  *bounded += range.has_lo;
}

Test(slope, says_nothing_that_does_not_hold) {
  uint64_t state = 11;
  world w;
  uint32_t falls = 0, bounded = 0;
  for (int round = 0; round < ROUNDS; round++) {
    if (round % 40 == 0) {
      if (round) arena_destroy(&w.arena);
      world_open(&w, 0, WORLD_STEPS, WORLD_SYMBOLS);
    }
    term_table *t = &w.terms;
    sample s = {.count = 0}, r = {.count = 0};
    s.root = sample_make(&s, &state, 4, true);
    r.root = sample_make(&r, &state, 2, true);
    term_id a = sample_term(&s, s.root, t, w.symbols), b = sample_term(&r, r.root, t, w.symbols);
    term_id d = term_sub(t, a, b);
    if (round % 3 == 1) d = term_mod(t, d, term_int(t, 7));
    if (round % 3 == 2) d = term_int(t, round);
    term_id large = enlarged(t, d, w.symbols + SAMPLE_SYMBOLS, round % 4);
    expect_falls(t, large, &falls, &bounded);
    expect_falls(t, term_neg(t, large), &falls, &bounded);
    expect_falls(t, term_min(t, large, d), &falls, &bounded);
  }
  arena_destroy(&w.arena);
  cr_expect_gt(falls, ROUNDS);
  cr_expect_gt(bounded, ROUNDS / 10);
}

// What falls is below any number at some point of a line.
Test(slope, of_what_falls_there_are_points_that_show_it) {
  uint64_t state = 12;
  world w;
  world_open(&w, 0, WORLD_STEPS, WORLD_SYMBOLS);
  term_table *t = &w.terms;
  uint32_t shown = 0, falls = 0;
  for (int round = 0; round < 60; round++) {
    sample s = {.count = 0};
    s.root = sample_make(&s, &state, 4, true);
    term_id a = enlarged(t, sample_term(&s, s.root, t, w.symbols), w.symbols + SAMPLE_SYMBOLS, 3);
    if (!term_falls(t, a, false)) continue;
    falls++;
    bool found = false;
    for (int try = 0; try < 200 && !found; try++) {
      int point[WORLD_SYMBOLS];
      wide value;
      bool undefined = false;
      for (int i = 0; i < WORLD_SYMBOLS; i++)
        point[i] = (int)(sample_random(&state) % 2000001) - 1000000;
      found = sample_eval_term(t, a, point, &value, &undefined) && !undefined && value < -100000;
    }
    shown += found;
  }
  arena_destroy(&w.arena);
  cr_expect_gt(falls, 20);
  cr_expect_eq(shown, falls);
}

Test(slope, of_sums_of_many_parts) {
  world w;
  world_open(&w, 0, WORLD_STEPS, WORLD_SYMBOLS);
  term_table *t = &w.terms;
  const term_id *x = w.symbols;
  term_id sum, below = TERM_ZERO, huge = term_const(t, num_pow(&w.budget, NUM(2), 80));
  for (int i = 0; i < LENGTH; i++)
    below = term_add(t, below, term_min(t, x[i % WORLD_SYMBOLS], term_int(t, i)));
  sum = below;
  for (int i = 0; i < WORLD_SYMBOLS; i++) sum = term_add(t, sum, x[i]);
  term_id half = term_floordiv(t, sum, term_int(t, 2));
  cr_expect(term_falls(t, sum, false));
  cr_expect(term_falls(t, term_neg(t, sum), false));
  cr_expect(term_falls(t, below, false));
  cr_expect(!term_falls(t, term_neg(t, below), false));  // it has a lower bound
  cr_expect(term_falls(t, term_neg(t, below), true));
  cr_expect(!term_falls(t, term_sub(t, sum, term_scale(t, half, NUM(2))), true));  // a remainder
  cr_expect(term_falls(t, term_sub(t, sum, half), true));
  cr_expect(!term_falls(t, term_add(t, sum, term_mul(t, x[0], x[1])), true));  // not known
  cr_expect(!term_falls(t, term_add(t, sum, term_mul(t, huge, x[0])), true));
  cr_expect(!term_falls(t, x[0], true));  // nor what is small
  arena_destroy(&w.arena);
}
