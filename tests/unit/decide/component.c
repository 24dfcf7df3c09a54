// SPDX-License-Identifier: Apache-2.0
// A query inspects what is connected with it, and nothing else.
#include "solver/decide/store_query.h"

#include "tests/unit/claims.h"

static store_answer ask(world *w, const char *text, uint64_t *steps) {
  uint64_t before = w->budget.steps_used;
  store_answer answer = store_ask(w->store, claim_read(&w->terms, w->symbols, text));
  *steps = w->budget.steps_used - before;
  return answer;
}

Test(decide_component, what_is_not_connected_costs_nothing) {
  static const char *const FACTS[] = {"3*a + 5*b <= 14", "b >= 1"};
  uint64_t alone, among;
  world w;
  claim_store(&w, FACTS, 2);
  cr_expect_eq(ask(&w, "a <= 3", &alone).answer, SHAPE_YES);
  arena_destroy(&w.arena);
  claim_store(&w, FACTS, 2);
  const symbol_info dim = {interval_at_least(NUM(0)), NUM(1), SYMBOL_ARGUMENT_SIZE};
  for (int i = 0; i < 200; i++) {
    term_id x = store_symbol(w.store, dim), y = store_symbol(w.store, dim);
    store_add(w.store, predicate_make(REL_LE, term_mul(&w.terms, x, y), w.c), claim_reason);
  }
  cr_expect_eq(ask(&w, "a <= 3", &among).answer, SHAPE_YES);
  cr_expect_leq(among, 2 * alone + 100, "%llu steps, alone %llu", (unsigned long long)among,
                (unsigned long long)alone);
  arena_destroy(&w.arena);
}

Test(decide_component, a_spent_budget_is_unknown) {
  static const char *const FACTS[] = {"3*a + 5*b <= 14", "b >= 1"};
  world w;
  claim_store(&w, FACTS, 2);
  predicate p = claim_read(&w.terms, w.symbols, "a <= 3");
  store_answer answer = store_ask(w.store, p);
  cr_expect(answer.answer == SHAPE_YES && !answer.conflict && !answer.budget);
  answer = store_ask(w.store, claim_read(&w.terms, w.symbols, "a <= 2"));
  cr_expect(answer.answer == SHAPE_UNKNOWN && !answer.budget);
  arena_destroy(&w.arena);
}
