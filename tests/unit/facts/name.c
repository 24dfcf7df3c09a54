// SPDX-License-Identifier: Apache-2.0
// Names for large terms: what is known of a term is known of its name, in the scope where it is known.
#include <criterion/criterion.h>

#include "solver/decide/store_query.h"
#include "solver/facts/store.h"
#include "tests/unit/world.h"

// floordiv(a, 3) + b
static term_id large(world *w) {
  return term_add(&w->terms, term_floordiv(&w->terms, w->a, term_int(&w->terms, 3)), w->b);
}

static void add(world *w, relation rel, term_id left, int64_t right) {
  reason why = {.kind = REASON_OP, .what = "test"};
  cr_assert_neq(store_add(w->store, predicate_make(rel, left, term_int(&w->terms, right)), why),
                ADD_CONFLICT);
}

static uint32_t number_of(const world *w, term_id symbol) {
  return term_get(&w->terms, symbol)->as.symbol;
}

Test(name, is_the_same_for_the_same_term) {
  world w;
  world_open_store(&w, 100000, 2, 0);
  term_id name = store_name(w.store, large(&w));
  cr_expect_eq(term_kind_of(&w.terms, name), TERM_SYMBOL);
  cr_expect_eq(store_name(w.store, large(&w)), name);
  cr_expect_eq(store_named(w.store, number_of(&w, name)), large(&w));
  cr_expect_eq(store_named(w.store, number_of(&w, w.a)), TERM_NONE);
  arena_destroy(&w.arena);
}

Test(name, keeps_factors_and_constants) {
  world w;
  world_open_store(&w, 100000, 2, 0);
  term_id name = store_name(w.store, large(&w));
  term_id scaled = term_linear(&w.terms, large(&w), NUM(-4), TERM_ONE, NUM(0), NUM(6));
  term_id expected = term_linear(&w.terms, name, NUM(-4), TERM_ONE, NUM(0), NUM(6));
  cr_expect_eq(store_name(w.store, scaled), expected);
  arena_destroy(&w.arena);
}

Test(name, has_the_bounds_of_its_term) {
  world w;
  world_open_store(&w, 100000, 2, 0);
  interval x = store_range(w.store, store_name(w.store, large(&w)));
  cr_expect(x.has_lo && num_is_zero(x.lo) && !x.has_hi);
  arena_destroy(&w.arena);
}

Test(name, forgets_what_a_scope_knew) {
  world w;
  world_open_store(&w, 100000, 2, 0);
  store_push(w.store, 1);
  add(&w, REL_LE, w.a, 30);
  add(&w, REL_LE, w.b, 5);
  term_id name = store_name(w.store, large(&w));
  interval inside = store_range(w.store, name);
  cr_expect(inside.has_hi && num_equal(inside.hi, NUM(15)));
  store_pop(w.store);
  cr_expect_not(store_range(w.store, name).has_hi);
  cr_expect_eq(store_name(w.store, large(&w)), name);
  cr_expect_not(store_range(w.store, name).has_hi);
  arena_destroy(&w.arena);
}

Test(name, of_equal_terms_are_equal) {
  world w;
  world_open_store(&w, 100000, 2, 0);
  term_id other = term_add(&w.terms, term_floordiv(&w.terms, w.a, term_int(&w.terms, 3)), w.a);
  store_push(w.store, 1);
  reason why = {.kind = REASON_OP, .what = "test"};
  store_add_eq(w.store, w.a, w.b, why);
  term_id x = store_name(w.store, large(&w)), y = store_name(w.store, other);
  cr_expect(store_equal(w.store, x, y));
  fact_id facts[4];
  bool truncated;
  uint32_t count = store_because(w.store, predicate_make(REL_EQ, x, y), facts, 4, &truncated);
  cr_expect_eq(count, 1);
  store_pop(w.store);
  cr_expect_not(store_equal(w.store, x, y));
  arena_destroy(&w.arena);
}
