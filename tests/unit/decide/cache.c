// SPDX-License-Identifier: Apache-2.0
// An answer is given again exactly while everything that is connected with the query is as it was.
#include "solver/decide/store_query.h"

#include "tests/unit/claims.h"

static shape_answer ask(world *w, const char *text) {
  return store_ask(w->store, claim_read(&w->terms, w->symbols, text)).answer;
}

Test(decide_cache, follows_what_is_added_and_popped) {
  static const char *const FACTS[] = {"3*a + 5*b <= 14"};
  world w;
  claim_store(&w, FACTS, 1);
  for (int round = 0; round < 3; round++) {
    cr_expect_eq(ask(&w, "a <= 3"), SHAPE_UNKNOWN);
    cr_expect_eq(ask(&w, "a <= 4"), SHAPE_YES);
    store_push(w.store, 1);
    store_add(w.store, claim_read(&w.terms, w.symbols, "b >= 1"), claim_reason);
    cr_expect_eq(ask(&w, "a <= 3"), SHAPE_YES);
    cr_expect_eq(ask(&w, "a <= 4"), SHAPE_YES);
    store_push(w.store, 2);
    store_add(w.store, claim_read(&w.terms, w.symbols, "a >= 3"), claim_reason);
    cr_expect_eq(ask(&w, "a == 3"), SHAPE_YES);
    cr_expect_eq(ask(&w, "b == 1"), SHAPE_YES);
    store_pop(w.store);
    cr_expect_eq(ask(&w, "a == 3"), SHAPE_UNKNOWN);
    store_pop(w.store);
  }
  arena_destroy(&w.arena);
}
