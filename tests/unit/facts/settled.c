// SPDX-License-Identifier: Apache-2.0
// What the store knows without a step: never more than it holds, and nothing where a log is to hear of what is stated; and
// what a log has.
#include <criterion/criterion.h>

#include "tests/unit/world.h"

static const reason test_reason = {.kind = REASON_OP, .what = "test"};

Test(settled, what_holds_in_the_scope_that_is_open) {
  world w;
  world_open_store(&w, 100000, 3, 0);
  shape_store *store = w.store;
  term_id a = w.a, b = w.b, c = w.c;
  cr_expect_not(store_is_settled(store, a, b));
  cr_assert_eq(store_add_eq(store, a, b, test_reason), ADD_NEW);
  store_canon(store, a);
  store_canon(store, b);
  store_canon(store, c);
  cr_expect(store_is_settled(store, a, b));
  cr_expect(store_is_settled(store, b, a));
  cr_expect_not(store_is_settled(store, a, c));
  store_push(store, 1);
  cr_assert_eq(store_add_eq(store, b, c, test_reason), ADD_NEW);
  store_canon(store, a);
  store_canon(store, c);
  cr_expect(store_is_settled(store, a, c));
  store_pop(store);
  cr_expect_not(store_is_settled(store, a, c));
  store_canon(store, a);
  store_canon(store, b);
  store_canon(store, c);
  cr_expect(store_is_settled(store, a, b));
  cr_expect_not(store_is_settled(store, a, c));
  store_log log = {0};
  store_keep_log(store, &log);
  cr_expect_not(store_is_settled(store, a, b));
  store_keep_log(store, NULL);
  cr_expect(store_is_settled(store, a, b));
  arena_destroy(&w.arena);
}

// Numbers, and values that are no dims: 0, 1 and what is negative are each only themselves.
Test(settled, numbers) {
  static const int64_t NUMBERS[] = {0, 1, -1, 2, -8};
  enum { COUNT = sizeof NUMBERS / sizeof *NUMBERS };
  world w;
  world_open_store(&w, 100000, 0, 0);
  shape_store *store = w.store;
  term_id values[COUNT], numbers[COUNT];
  const symbol_info any = {interval_all(), NUM(1), SYMBOL_OPAQUE};
  for (int i = 0; i < COUNT; i++) {
    values[i] = store_symbol(store, any);
    numbers[i] = term_int(&w.terms, NUMBERS[i]);
    cr_expect_not(store_is_settled(store, values[i], numbers[i]));
    cr_assert_eq(store_add_eq(store, values[i], numbers[i], test_reason), ADD_NEW);
  }
  for (int i = 0; i < COUNT; i++) {
    store_canon(store, values[i]);
    store_canon(store, numbers[i]);
  }
  for (int i = 0; i < COUNT; i++) {
    for (int k = 0; k < COUNT; k++) {
      cr_expect_eq(store_is_settled(store, values[i], numbers[k]), i == k, "%d %d", i, k);
      cr_expect_eq(store_is_settled(store, values[i], values[k]), i == k, "%d %d", i, k);
    }
  }
  arena_destroy(&w.arena);
}

// Without a step left nothing is derived, so that nothing new is known already, whatever it is.
Test(settled, nothing_is_known_for_want_of_steps) {
  world w;
  world_open_store(&w, 100000, 3, 0);
  shape_store *store = w.store;
  term_id a = w.a, b = w.b, c = w.c;
  term_id two = term_int(&w.terms, 2), ab = term_mul(&w.terms, a, b);
  const predicate NEW[] = {
      predicate_make(REL_EQ, ab, c),       predicate_make(REL_LE, a, b),
      predicate_make(REL_NE, a, two),      predicate_make(REL_DIVISIBLE, c, two),
      predicate_make(REL_DIVISIBLE, a, c), predicate_make(REL_EQ, a, two),
  };
  cr_assert_eq(store_add_eq(store, b, c, test_reason), ADD_NEW);
  budget_allow(&w.budget, 0);
  for (size_t i = 0; i < sizeof NEW / sizeof *NEW; i++) {
    uint32_t before = store_live_count(store);
    cr_expect_eq(store_add(store, NEW[i], test_reason), ADD_NEW, "row %zu", i);
    cr_expect_eq(store_live_count(store), before + 1, "row %zu", i);
  }
  cr_expect_eq(store_add_eq(store, c, b, test_reason), ADD_KNOWN);
  budget_allow(&w.budget, 100000);
  cr_expect_eq(store_add(store, NEW[2], test_reason), ADD_NEW);
  cr_expect_eq(store_add(store, NEW[2], test_reason), ADD_KNOWN);
  arena_destroy(&w.arena);
}

// A symbol that is a number differs from all others: they are not stated again one by one.
Test(settled, numbers_that_a_symbol_is_not_cost_nothing_where_it_is_one) {
  enum { COUNT = 1000 };
  world w;
  world_open_store(&w, 1000000, 1, 0);
  shape_store *store = w.store;
  term_id a = w.a;
  for (int64_t k = 1; k <= COUNT; k++) {
    predicate other = predicate_make(REL_NE, a, term_int(&w.terms, 2 * k));
    cr_assert_eq(store_add(store, other, test_reason), ADD_NEW);
  }
  for (int64_t k = 1; k <= 2 * COUNT; k += COUNT - 1) {
    uint64_t before = w.budget.steps_used;
    add_result wanted = k % 2 ? ADD_NEW : ADD_CONFLICT;
    store_push(store, 1);
    cr_expect_eq(store_add_eq(store, a, term_int(&w.terms, k), test_reason), wanted);
    store_pop(store);
    cr_expect_lt(w.budget.steps_used - before, COUNT / 10);
  }
  arena_destroy(&w.arena);
}

// A query is noted once where it is asked again at once, but for each visit.
Test(settled, a_log_has_what_each_visit_asked) {
  world w;
  world_open_store(&w, 100000, 2, 0);
  store_log log = {0};
  store_keep_log(w.store, &log);
  for (uint32_t visit = 1; visit <= 3; visit++) {
    log.first = log.count;
    for (int i = 0; i < 3; i++) store_canon(w.store, w.a);
    cr_expect_eq(log.count, visit);
  }
  store_canon(w.store, w.b);
  store_canon(w.store, w.a);
  cr_expect_eq(log.count, 5);
  arena_destroy(&w.arena);
}
