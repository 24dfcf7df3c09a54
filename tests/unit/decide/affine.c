// SPDX-License-Identifier: Apache-2.0
// Sums of multiples of symbols under small ranges, and names that equalities give to sums.
#include <criterion/criterion.h>

#include "solver/decide/query.h"
#include "tests/unit/world.h"

#define S(i) (w.symbols[i].symbol)

static term_id simplest(asked_world *w, term_id t) {
  return query_simplify(&w->q, t, &(simplify_options){.spell = NULL}).term;
}

static void at_most(asked_world *w, uint32_t i, int64_t last) {
  w->symbols[i].range = (interval){.has_lo = true, .has_hi = true, .lo = NUM(0), .hi = NUM(last)};
}

Test(affine, a_remainder_over_small_ranges) {  // mod(6*a + 7*b + 3, 4) is 3 - 2*a - b
  asked_world w;
  asked_world_open(&w, 10000000);
  term_table *t = &w.terms;
  at_most(&w, 0, 1);
  at_most(&w, 1, 1);
  term_id e = term_linear(t, S(0), NUM(6), S(1), NUM(7), NUM(3));
  cr_expect(simplest(&w, term_mod(t, e, term_int(t, 4))) ==
            term_linear(t, S(0), NUM(-2), S(1), NUM(-1), NUM(3)));
  at_most(&w, 0, 2);  // at a == 2 it is 3 again
  cr_expect(simplest(&w, term_mod(t, e, term_int(t, 4))) != TERM_NONE);
  cr_expect(simplest(&w, term_mod(t, e, term_int(t, 4))) !=
            term_linear(t, S(0), NUM(-2), S(1), NUM(-1), NUM(3)));
  arena_destroy(&w.arena);
}

Test(affine, a_part_of_a_dividend) {  // floordiv(160*a + 5*b + 4*c + 1, 60), c at most 1
  asked_world w;
  asked_world_open(&w, 10000000);
  term_table *t = &w.terms;
  at_most(&w, 0, 9);
  at_most(&w, 1, 9);
  at_most(&w, 2, 1);
  term_id e = term_linear(t, S(0), NUM(160), S(1), NUM(5), NUM(1));
  e = term_linear(t, e, NUM(1), S(2), NUM(4), NUM(0));
  term_id inner = term_linear(t, S(0), NUM(8), S(1), NUM(1), NUM(0));
  inner = term_add(t, inner, S(2));
  cr_expect(simplest(&w, term_floordiv(t, e, term_int(t, 60))) ==
            term_add(t, term_scale(t, S(0), NUM(2)), term_floordiv(t, inner, term_int(t, 12))));
  arena_destroy(&w.arena);
}

Test(affine, parts_that_are_small_together) {  // floordiv(128*a + 4*b + c, 512) is floordiv(a, 4)
  asked_world w;
  asked_world_open(&w, 10000000);
  term_table *t = &w.terms;
  at_most(&w, 1, 31);
  at_most(&w, 2, 3);
  term_id e = term_linear(t, S(0), NUM(128), S(1), NUM(4), NUM(0));
  e = term_floordiv(t, term_add(t, e, S(2)), term_int(t, 512));
  cr_expect(simplest(&w, e) == term_floordiv(t, S(0), term_int(t, 4)));
  at_most(&w, 2, 4);  // 128 at the end
  cr_expect(simplest(&w, e) == e);
  arena_destroy(&w.arena);
}

Test(affine, a_name_for_a_sum) {
  asked_world w;
  asked_world_open(&w, 10000000);
  term_table *t = &w.terms;
  term_id sum = term_add(t, S(0), S(1));
  w.premises[w.q.premise_count++] = predicate_make(REL_EQ, sum, S(2));
  cr_expect(simplest(&w, sum) == S(2));
  cr_expect(simplest(&w, term_scale(t, sum, NUM(2))) == term_scale(t, S(2), NUM(2)));
  term_id bound = term_min(t, sum, term_int(t, 512));
  cr_expect(simplest(&w, bound) == term_min(t, S(2), term_int(t, 512)));
  cr_expect(simplest(&w, S(0)) == S(0));
  arena_destroy(&w.arena);
}
