// SPDX-License-Identifier: Apache-2.0
// Which terms changes reach: those from an id on.
#include "solver/facts/reach.h"

#include "tests/unit/claims.h"

Test(change_reach, ids_below_the_minimum_are_spared) {
  change_reach r = {0};
  cr_expect(reach_spares(&r, 0, 7));
  reach_add(&r, 1, 50);
  reach_add(&r, 3, 40);
  reach_add(&r, 4, 90);
  cr_expect(reach_spares(&r, 0, 39) && !reach_spares(&r, 0, 40));
  cr_expect(reach_spares(&r, 3, 89) && !reach_spares(&r, 3, 90));
  cr_expect(reach_spares(&r, 4, 1000000));
  reach_add(&r, 5, 0);
  cr_expect(!reach_spares(&r, 4, 0) && reach_spares(&r, 5, 90));
}

Test(change_reach, what_is_not_kept_reaches_all) {
  change_reach r = {0};
  for (uint32_t i = 1; i <= 3 * FACTS_REACH_KEPT; i++) reach_add(&r, i, 100 + i);
  cr_expect(!reach_spares(&r, 0, 2));
  cr_expect(r.count <= FACTS_REACH_KEPT);
  for (uint32_t i = r.forgotten; i < 3 * FACTS_REACH_KEPT; i++)
    cr_expect(reach_spares(&r, i, 100 + i) && !reach_spares(&r, i, 101 + i));
}

// What is remembered of a term is not what is true once an atom in it is defined, or that is taken back.
Test(change_reach, memos_of_terms_that_it_reaches_are_void) {
  expect_cheap("a <= 9; b <= 9 |- floordiv(floordiv(a + b, 2) + a, 3) <= 6: yes\n"
               "floordiv(floordiv(a + b, 2) + a, 3) <= 7; a <= 1; b <= 3 |- "
               "floordiv(floordiv(a + b, 2) + a, 3) <= 1: yes\n"
               "min(floordiv(a, 2), b) == c; a == 6; b >= 3 |- c <= 3: yes\n");
}

Test(change_reach, ranges_follow_scopes) {
  static const char *const FACTS[] = {"a <= 100", "b <= 100"};
  world w;
  claim_store(&w, FACTS, 2);
  term_id t = claim_term(&w.terms, w.symbols, "floordiv(floordiv(a + b, 2) + a, 3)");
  interval before = store_range(w.store, t);
  store_push(w.store, 1);
  predicate closer = claim_read(&w.terms, w.symbols, "a <= 9");
  cr_assert_eq(store_add(w.store, closer, claim_reason), ADD_NEW);
  interval inside = store_range(w.store, t);
  store_pop(w.store);
  cr_expect(num_is(before.hi, 66) && num_is(inside.hi, 21));
  cr_expect(interval_equal(before, store_range(w.store, t)));
  arena_destroy(&w.arena);
}
