// SPDX-License-Identifier: Apache-2.0
// Reasons are irreducible: each listed fact is needed, and no other.
#include "solver/decide/store_query.h"

#include "tests/unit/claims.h"

typedef struct explained {
  const char *facts[CLAIM_PREMISES], *ask;
  uint8_t needed;  // a bit for each fact
} explained;

Test(decide_explain, names_the_facts_that_are_needed) {
  static const explained ROWS[] = {
      {{"a <= b", "c >= 1", "b <= 5"}, "a <= 5", 5},
      {{"a <= 9", "a <= 7", "a <= b", "b <= 5"}, "a <= 5", 12},
      {{"2*a == 3*b", "c == a"}, "divisible(c, 3)", 3},
      {{"divisible(a, 4)", "divisible(b, 6)", "c == 2"}, "divisible(a + b, 2)", 3},
      {{"a*b == 12", "a >= 4", "c <= 3"}, "b <= 3", 3},
      {{"a >= 1"}, "floordiv(a, 2) + floordiv(a + 1, 2) == a", 0}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    world w;
    uint32_t count = 0, listed;
    while (count < CLAIM_PREMISES && ROWS[i].facts[count]) count++;
    claim_store(&w, ROWS[i].facts, count);
    fact_id facts[8];
    predicate p = claim_read(&w.terms, w.symbols, ROWS[i].ask);
    cr_assert(store_explain(w.store, p, facts, 8, &listed), "%s", ROWS[i].ask);
    uint8_t named = 0;
    for (uint32_t k = 0; k < listed; k++) named |= (uint8_t)(1u << facts[k]);
    cr_expect_eq(named, ROWS[i].needed, "%s: %u", ROWS[i].ask, named);
    cr_expect_not(
        store_explain(w.store, claim_read(&w.terms, w.symbols, "a == 1000"), facts, 8, &listed));
    arena_destroy(&w.arena);
  }
}

Test(decide_explain, conflicts_too) {
  static const char *const FACTS[] = {"c <= 100", "a <= b", "b <= 5", "b <= 4"};
  world w;
  predicate wrong = claim_conflict(&w, FACTS, 4, "a >= 6");
  fact_id facts[8];
  bool truncated;
  cr_assert_eq(store_conflict_core(w.store, wrong, facts, 8, &truncated), 2);
  cr_expect_eq(facts[0], 1);
  cr_expect(facts[1] == 2 || facts[1] == 3);
  arena_destroy(&w.arena);
}
