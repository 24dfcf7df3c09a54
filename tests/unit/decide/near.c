// SPDX-License-Identifier: Apache-2.0
// What is kept of one term changes no simplest form of others, and is used where the facts are the same.
#include "solver/decide/store_query.h"

#include "tests/unit/claims.h"

static const char *const FACTS[] = {"a <= b", "b <= c + 3", "a + b == 2*c", "c >= 2"};
static const char *const TERMS[] = {
    "min(a, b)",        "max(a, b) - a", "min(a, b) + max(a, b)", "min(a, c)",
    "max(a, b, c) - c", "min(a, c)",     "max(a, 1) - min(a, 1)", "floordiv(a + b, 2)",
    "min(b, c + 3)"};
enum { FACT_COUNT = sizeof FACTS / sizeof *FACTS, TERM_COUNT = sizeof TERMS / sizeof *TERMS };

static uint64_t steps_of(world *w, term_id t, near_points **near, term_id *to) {
  const uint64_t before = w->budget.steps_used;
  *to = near ? store_simplify_near(w->store, t, WORLD_STEPS, &w->arena, near)
             : store_simplify(w->store, t);
  return w->budget.steps_used - before;
}

Test(decide_near, forms_are_the_same_and_cost_less) {
  for (uint32_t facts = 0; facts <= FACT_COUNT; facts++) {
    world w;
    claim_store(&w, FACTS, facts);
    near_points *near = NULL;
    uint64_t alone = 0, with = 0;
    for (uint32_t round = 0; round < 2; round++) {
      for (uint32_t i = 0; i < TERM_COUNT; i++) {
        term_id t = claim_term(&w.terms, w.symbols, TERMS[i]), one, other;
        alone += steps_of(&w, t, NULL, &one);
        with += steps_of(&w, t, &near, &other);
        cr_expect_eq(one, other, "%s under %u facts", TERMS[i], facts);
      }
    }
    cr_expect_leq(with, alone);
    if (facts == FACT_COUNT) cr_expect_lt(with, alone);
    // Further facts ask for other points.
    term_id t = claim_term(&w.terms, w.symbols, "min(a, c)"), one, other;
    store_add(w.store, claim_read(&w.terms, w.symbols, "a >= c"), claim_reason);
    steps_of(&w, t, NULL, &one);
    steps_of(&w, t, &near, &other);
    cr_expect_eq(one, other);
    arena_destroy(&w.arena);
  }
}
