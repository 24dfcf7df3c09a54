// SPDX-License-Identifier: Apache-2.0
// Factors that are sums: cancelled where they are proven not to be zero, whichever fact comes first, and only there.
#include <criterion/criterion.h>

#include "solver/facts/store.h"
#include "tests/unit/world.h"

static const reason test_reason = {.kind = REASON_OP, .what = "test"};

// (a + k)*x
static term_id times(world *w, int64_t k, term_id x) {
  return term_mul(&w->terms, term_add(&w->terms, w->a, term_int(&w->terms, k)), x);
}

static bool same(world *w) { return store_canon(w->store, w->b) == store_canon(w->store, w->c); }

Test(factors, a_positive_sum_is_cancelled) {
  world w;
  world_open_store(&w, 100000, 3, 0);
  cr_assert_eq(store_add_eq(w.store, times(&w, 1, w.b), times(&w, 1, w.c), test_reason), ADD_NEW);
  cr_assert(same(&w));
  arena_destroy(&w.arena);
}

Test(factors, a_sum_that_may_be_zero_is_not) {
  world w;
  world_open_store(&w, 100000, 3, 0);
  store_add_eq(w.store, times(&w, -1, w.b), times(&w, -1, w.c), test_reason);
  cr_assert_not(same(&w));
  arena_destroy(&w.arena);
}

Test(factors, a_sum_that_is_found_not_to_be_zero_is_cancelled) {
  world w;
  world_open_store(&w, 100000, 3, 0);
  store_add_eq(w.store, times(&w, -1, w.b), times(&w, -1, w.c), test_reason);
  cr_assert_not(same(&w));
  store_add(w.store, predicate_make(REL_GE, w.a, term_int(&w.terms, 2)), test_reason);
  cr_assert(same(&w));
  arena_destroy(&w.arena);
}

Test(factors, negative_sums_are_cancelled_too) {
  world w;
  world_open_store(&w, 100000, 3, 0);
  term_id less = term_sub(&w.terms, term_int(&w.terms, -3), w.a);
  store_add_eq(w.store, term_mul(&w.terms, less, w.b), term_mul(&w.terms, less, w.c), test_reason);
  cr_assert(same(&w));
  arena_destroy(&w.arena);
}
