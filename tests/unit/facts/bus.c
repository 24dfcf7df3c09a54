// SPDX-License-Identifier: Apache-2.0
// What follows does not depend on the order of facts, and a conflict names the facts that it is with.
#include "tests/unit/claims.h"

typedef struct together {
  const char *facts[3], *follows;
} together;

Test(store_bus, no_order_of_facts_matters) {
  static const together ROWS[] = {{{"a <= b", "b <= c", "c <= 5"}, "a <= 5"},
                                  {{"a == b", "b == c", "a + c == 8"}, "b == 4"},
                                  {{"2*a == 3*b", "b == 2*c", "c >= 2"}, "a >= 6"},
                                  {{"divisible(a, 4)", "a <= 7", "a != 0"}, "a == 4"},
                                  {{"a*b == 12", "b == 3*c", "c == 1"}, "a == 4"}};
  static const int ORDERS[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    for (size_t k = 0; k < sizeof ORDERS / sizeof *ORDERS; k++) {
      const char *facts[3];
      world w;
      for (int n = 0; n < 3; n++) facts[n] = ROWS[i].facts[ORDERS[k][n]];
      claim_store(&w, facts, 3);
      predicate p = claim_read(&w.terms, w.symbols, ROWS[i].follows);
      cr_expect_eq(store_holds(w.store, p), SHAPE_YES, "%s in order %zu", ROWS[i].follows, k);
      cr_expect_null(store_check(w.store));
      arena_destroy(&w.arena);
    }
  }
}

Test(store_bus, a_conflict_names_facts) {
  static const char *const FACTS[] = {"c <= 100", "a <= b", "b <= 5"};
  world w;
  claim_conflict(&w, FACTS, 3, "a >= 6");
  fact_id facts[8];
  bool truncated;
  uint32_t count = store_conflict(w.store, facts, 8, &truncated);
  cr_assert(count == 2 && !truncated, "%u facts", count);
  cr_expect(facts[0] == 1 && facts[1] == 2);
  cr_expect_eq(store_fact_count(w.store), 3);
  arena_destroy(&w.arena);
}
