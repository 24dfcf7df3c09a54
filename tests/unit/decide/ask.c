// SPDX-License-Identifier: Apache-2.0
// Queries to the decision procedure through its own interface, each confirmed by the independent checker where that can.
#include <criterion/criterion.h>

#include "solver/certify/check.h"
#include "solver/decide/query.h"
#include "tests/unit/world.h"

static void assume(asked_world *w, relation rel, term_id left, term_id right) {
  w->premises[w->q.premise_count++] = predicate_make(rel, left, right);
}

#define S(i) (w.symbols[i].symbol)

Test(query, transitive_order_and_its_core) {
  asked_world w;
  asked_world_open(&w, 1000000);
  assume(&w, REL_LE, S(0), S(1));
  assume(&w, REL_GE, S(2), term_int(&w.terms, 4));
  assume(&w, REL_LT, S(1), S(2));
  predicate less = predicate_make(REL_LT, S(0), S(2));
  query_result r = query_ask(&w.q, less);
  cr_assert(!r.conflict && r.answer == SHAPE_YES);
  cr_assert_eq(check_answer(&w.q, less, &r), CHECK_CONFIRMED);
  uint8_t keep[3];
  bool reduced = false;
  query_link links[3] = {{0, 0}, {1, 1}, {2, 2}};
  cr_assert(query_core(&w.q, &less, &(query_parts){links, 3, 3}, keep, &reduced));
  cr_assert(reduced && keep[0] && !keep[1] && keep[2]);
  arena_destroy(&w.arena);
}

Test(query, integrality) {
  asked_world w;
  asked_world_open(&w, 1000000);
  assume(&w, REL_EQ, term_scale(&w.terms, S(0), NUM(2)), term_scale(&w.terms, S(1), NUM(3)));
  cr_assert_eq(query_ask(&w.q, predicate_make(REL_DIVISIBLE, S(0), term_int(&w.terms, 3))).answer,
               SHAPE_YES);
  cr_assert_eq(query_ask(&w.q, predicate_make(REL_DIVISIBLE, S(0), term_int(&w.terms, 6))).reason,
               UNKNOWN_CONTINGENT);
  arena_destroy(&w.arena);
}

Test(query, witnesses_are_points) {
  asked_world w;
  asked_world_open(&w, 1000000);
  assume(&w, REL_EQ, term_add(&w.terms, S(0), S(1)), term_int(&w.terms, 7));
  predicate p = predicate_make(REL_LE, S(0), S(1));
  query_result r = query_ask(&w.q, p);
  cr_assert(r.answer == SHAPE_UNKNOWN && r.witness_true && r.witness_false);
  bool holds;
  cr_assert(check_point(&w.q, r.witness_true, &p, &holds) == CHECK_CONFIRMED && holds);
  cr_assert(check_point(&w.q, r.witness_false, &p, &holds) == CHECK_CONFIRMED && !holds);
  cr_assert_eq(check_answer(&w.q, p, &r), CHECK_CONFIRMED);
  arena_destroy(&w.arena);
}

Test(query, the_checker_contradicts_a_wrong_answer) {
  asked_world w;
  asked_world_open(&w, 1000000);
  predicate p = predicate_make(REL_GE, S(0), term_int(&w.terms, 1));
  query_result wrong = {.answer = SHAPE_YES};
  cr_assert_eq(check_answer(&w.q, p, &wrong), CHECK_WRONG);
  query_result conflict = {.conflict = true};
  cr_assert_eq(check_answer(&w.q, p, &conflict), CHECK_WRONG);
  arena_destroy(&w.arena);
}

Test(query, bounds_are_tight) {
  asked_world w;
  asked_world_open(&w, 1000000);
  term_id e =
      term_add(&w.terms, term_scale(&w.terms, S(0), NUM(2)), term_scale(&w.terms, S(1), NUM(3)));
  assume(&w, REL_LE, e, term_int(&w.terms, 12));
  interval r;
  cr_assert(query_bounds(&w.q, term_add(&w.terms, S(0), S(1)), &r));
  cr_assert(r.has_lo && num_is(r.lo, 0) && r.has_hi && num_is(r.hi, 6));
  cr_assert(query_bounds(&w.q, term_sub(&w.terms, S(1), S(2)), &r));
  cr_assert(!r.has_lo && r.has_hi && num_is(r.hi, 4));
  arena_destroy(&w.arena);
}

// A quotient is known by the sign of what is left, though nothing bounds dividend and divisor.
Test(query, a_remainder_of_a_larger_divisor_is_the_dividend) {
  asked_world w;
  asked_world_open(&w, 1000000);
  term_table *t = &w.terms;
  term_id sum = term_add(t, S(0), S(1)), mod = term_mod(t, S(0), sum);
  predicate p = predicate_make(REL_EQ, mod, S(0));
  cr_assert_neq(query_ask(&w.q, p).answer, SHAPE_YES);  // 1 mod (1 + 0)
  assume(&w, REL_GE, S(1), TERM_ONE);
  query_result r = query_ask(&w.q, p);
  cr_assert_eq(r.answer, SHAPE_YES);
  cr_assert_neq(check_answer(&w.q, p, &r), CHECK_WRONG);
  cr_assert_eq(query_simplify(&w.q, mod, &(simplify_options){.spell = NULL}).term, S(0));
  arena_destroy(&w.arena);
}

static num power_of_two(asked_world *w, uint32_t k) { return num_pow(&w->budget, NUM(2), k); }

// a - b <= 2^k and more: the ends are those of the facts, whatever k is.
Test(query, bounds_of_linear_facts_are_exact_at_any_magnitude) {
  static const uint32_t POWERS[] = {10, 20, 31, 40, 53, 62, 63, 64, 70};
  for (size_t i = 0; i < sizeof POWERS / sizeof *POWERS; i++) {
    asked_world w;
    asked_world_open(&w, 1000000);
    term_table *t = &w.terms;
    num big = power_of_two(&w, POWERS[i]), half = power_of_two(&w, POWERS[i] - 1);
    term_id twice = term_scale(t, term_sub(t, S(0), S(1)), NUM(2));
    assume(&w, REL_LE, twice, term_const(t, num_add(&w.budget, big, NUM(1))));
    interval r;
    cr_assert(query_bounds(&w.q, term_sub(t, S(0), S(1)), &r));
    cr_assert(!r.has_lo && r.has_hi && num_equal(r.hi, half), "2^%u", POWERS[i]);
    assume(&w, REL_LE, term_add(t, S(0), S(1)), term_const(t, big));
    assume(&w, REL_LE, term_add(t, S(1), S(2)), term_const(t, big));
    assume(&w, REL_LE, term_add(t, S(0), S(2)), term_const(t, big));
    cr_assert(query_bounds(&w.q, term_add(t, S(0), term_add(t, S(1), S(2))), &r));
    cr_assert(r.has_lo && num_is(r.lo, 0) && r.has_hi);
    cr_assert(num_equal(r.hi, num_add(&w.budget, big, half)), "2^%u", POWERS[i]);
    arena_destroy(&w.arena);
  }
}

// The rows bound the sum of two even numbers by an odd one, which no integers reach.
Test(query, bounds_are_those_of_the_integers) {
  asked_world w;
  asked_world_open(&w, 1000000);
  term_table *t = &w.terms;
  num big = power_of_two(&w, 70);
  w.symbols[0].multiple_of = NUM(6);
  w.symbols[1].multiple_of = NUM(10);
  assume(&w, REL_LE, term_add(t, S(0), S(1)), term_const(t, num_add(&w.budget, big, NUM(1))));
  interval r;
  cr_assert(query_bounds(&w.q, term_add(t, S(0), S(1)), &r));
  cr_assert(r.has_lo && num_is(r.lo, 0) && r.has_hi && num_equal(r.hi, big));
  arena_destroy(&w.arena);
}

// The cases of a maximum and of a disequality are tried one by one.
Test(query, bounds_over_cases_are_exact) {
  asked_world w;
  asked_world_open(&w, 1000000);
  term_table *t = &w.terms;
  num big = power_of_two(&w, 60);
  term_id most = term_max(t, S(0), S(1));
  assume(&w, REL_LE, term_add(t, S(0), term_scale(t, S(1), NUM(2))), term_const(t, big));
  assume(&w, REL_NE, S(0), term_const(t, big));
  interval r;
  cr_assert(query_bounds(&w.q, term_add(t, most, S(1)), &r));
  cr_assert(r.has_lo && num_is(r.lo, 0) && r.has_hi && num_equal(r.hi, big));
  cr_assert(query_bounds(&w.q, most, &r));
  cr_assert(r.has_hi && num_equal(r.hi, num_sub(&w.budget, big, NUM(1))));
  arena_destroy(&w.arena);
}

// More differences than a tableau has room for.
Test(query, bounds_of_long_chains_of_differences_are_exact) {
  enum { LONG = 2000 };
  asked_world w;
  asked_world_open(&w, 1000000);
  term_table *t = &w.terms;
  query_symbol *symbols = arena_alloc(&w.arena, LONG * sizeof *symbols);
  predicate *premises = arena_alloc(&w.arena, LONG * sizeof *premises);
  num big = power_of_two(&w, 66);
  for (int i = 0; i < LONG; i++) {
    symbols[i] = (query_symbol){term_symbol(t), interval_all(), NUM(1)};
    if (i == 0) continue;
    term_id step = term_sub(t, symbols[i - 1].symbol, symbols[i].symbol);
    premises[i - 1] = predicate_make(REL_LE, step, term_const(t, big));
  }
  w.q.symbols = symbols;
  w.q.symbol_count = LONG;
  w.q.premises = premises;
  w.q.premise_count = LONG - 1;
  interval r;
  cr_assert(query_bounds(&w.q, term_sub(t, symbols[0].symbol, symbols[LONG - 1].symbol), &r));
  cr_assert(!r.has_lo && r.has_hi && num_equal(r.hi, num_mul(&w.budget, big, NUM(LONG - 1))));
  arena_destroy(&w.arena);
}

Test(query, divisor_that_is_zero_everywhere) {
  asked_world w;
  asked_world_open(&w, 1000000);
  w.symbols[1].range = interval_of(0, 0);
  predicate p = predicate_make(
      REL_EQ, term_floordiv(&w.terms, S(0), term_add(&w.terms, S(1), S(2))), TERM_ONE);
  w.symbols[2].range = interval_of(0, 0);
  cr_assert(!query_ask(&w.q, p).conflict);
  arena_destroy(&w.arena);
}

Test(query, spent_budgets_are_unknown) {
  asked_world w;
  asked_world_open(&w, 1000000);
  budget_allow(&w.budget, 3);
  assume(&w, REL_LE, term_mul(&w.terms, S(0), S(1)), term_mul(&w.terms, S(1), S(2)));
  query_result r = query_ask(
      &w.q, predicate_make(REL_LE, term_mul(&w.terms, S(0), S(0)), term_mul(&w.terms, S(2), S(2))));
  cr_assert(!r.conflict && r.answer == SHAPE_UNKNOWN);
  arena_destroy(&w.arena);
}
