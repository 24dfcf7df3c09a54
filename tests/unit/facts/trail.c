// SPDX-License-Identifier: Apache-2.0
// What is forgotten with a scope is what was found out in it, whatever kind of knowledge that is.
#include "tests/unit/claims.h"

Test(store_trail, scopes_put_back_what_they_changed) {
  static const char *const LEVELS[] = {"a <= 40", "divisible(a, 4)", "a == 2*b",
                                       "b != 6",  "a*c == 24",       "floordiv(a, 3) == c"};
  enum { COUNT = sizeof LEVELS / sizeof *LEVELS };
  static const char *const ASKED[] = {"a <= 40",         "b <= 20", "divisible(b, 2)", "a == 2*b",
                                      "divisible(a, 4)", "c <= 24", "b == 6",          "a >= 1"};
  enum { QUERIES = sizeof ASKED / sizeof *ASKED };
  shape_answer before[COUNT][QUERIES];
  world w;
  claim_store(&w, NULL, 0);
  for (int i = 0; i < COUNT; i++) {
    for (int k = 0; k < QUERIES; k++)
      before[i][k] = store_holds(w.store, claim_read(&w.terms, w.symbols, ASKED[k]));
    store_push(w.store, 1);
    add_result added = store_add(w.store, claim_read(&w.terms, w.symbols, LEVELS[i]), claim_reason);
    cr_expect_neq(added, ADD_KNOWN, "%s", LEVELS[i]);
  }
  cr_expect_eq(store_holds(w.store, claim_read(&w.terms, w.symbols, "b <= 20")), SHAPE_YES);
  for (int i = COUNT; i-- > 0;) {
    store_pop(w.store);
    cr_expect_null(store_check(w.store));
    for (int k = 0; k < QUERIES; k++)
      cr_expect_eq(store_holds(w.store, claim_read(&w.terms, w.symbols, ASKED[k])), before[i][k],
                   "%s before %s", ASKED[k], LEVELS[i]);
  }
  arena_destroy(&w.arena);
}
