// SPDX-License-Identifier: Apache-2.0
// Names for large terms: what is known of a term is known of its name, in the scope where it is known.
#include <criterion/criterion.h>

#include "solver/decide/store_query.h"
#include "solver/facts/store.h"

typedef struct world {
  shape_arena arena;
  shape_budget budget;
  term_table terms;
  shape_store *store;
  term_id a, b, large;
} world;

static void setup(world *w) {
  memset(w, 0, sizeof *w);
  arena_init(&w->arena, 0);
  budget_init(&w->budget, &w->arena, 100000, NULL);
  term_table_init(&w->terms, &w->arena, &w->budget);
  w->store = store_new(&w->arena, &w->terms, &w->budget);
  symbol_info size = {interval_at_least(NUM(0)), NUM(1), SYMBOL_ARGUMENT_SIZE};
  w->a = store_symbol(w->store, size);
  w->b = store_symbol(w->store, size);
  w->large = term_add(&w->terms, term_floordiv(&w->terms, w->a, term_int(&w->terms, 3)), w->b);
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
  setup(&w);
  term_id name = store_name(w.store, w.large);
  cr_expect_eq(term_kind_of(&w.terms, name), TERM_SYMBOL);
  cr_expect_eq(store_name(w.store, w.large), name);
  cr_expect_eq(store_named(w.store, number_of(&w, name)), w.large);
  cr_expect_eq(store_named(w.store, number_of(&w, w.a)), TERM_NONE);
  arena_destroy(&w.arena);
}

Test(name, keeps_factors_and_constants) {
  world w;
  setup(&w);
  term_id name = store_name(w.store, w.large);
  term_id scaled = term_linear(&w.terms, w.large, NUM(-4), TERM_ONE, NUM(0), NUM(6));
  term_id expected = term_linear(&w.terms, name, NUM(-4), TERM_ONE, NUM(0), NUM(6));
  cr_expect_eq(store_name(w.store, scaled), expected);
  arena_destroy(&w.arena);
}

Test(name, has_the_bounds_of_its_term) {
  world w;
  setup(&w);
  interval x = store_range(w.store, store_name(w.store, w.large));
  cr_expect(x.has_lo && num_is_zero(x.lo) && !x.has_hi);
  arena_destroy(&w.arena);
}

Test(name, forgets_what_a_scope_knew) {
  world w;
  setup(&w);
  store_push(w.store, 1);
  add(&w, REL_LE, w.a, 30);
  add(&w, REL_LE, w.b, 5);
  term_id name = store_name(w.store, w.large);
  interval inside = store_range(w.store, name);
  cr_expect(inside.has_hi && num_equal(inside.hi, NUM(15)));
  store_pop(w.store);
  cr_expect_not(store_range(w.store, name).has_hi);
  cr_expect_eq(store_name(w.store, w.large), name);
  cr_expect_not(store_range(w.store, name).has_hi);
  arena_destroy(&w.arena);
}

Test(name, of_equal_terms_are_equal) {
  world w;
  setup(&w);
  term_id other = term_add(&w.terms, term_floordiv(&w.terms, w.a, term_int(&w.terms, 3)), w.a);
  store_push(w.store, 1);
  reason why = {.kind = REASON_OP, .what = "test"};
  store_add_eq(w.store, w.a, w.b, why);
  term_id x = store_name(w.store, w.large), y = store_name(w.store, other);
  cr_expect(store_equal(w.store, x, y));
  fact_id facts[4];
  bool truncated;
  uint32_t count = store_because(w.store, predicate_make(REL_EQ, x, y), facts, 4, &truncated);
  cr_expect_eq(count, 1);
  store_pop(w.store);
  cr_expect_not(store_equal(w.store, x, y));
  arena_destroy(&w.arena);
}
