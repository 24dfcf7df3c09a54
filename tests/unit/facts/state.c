// SPDX-License-Identifier: Apache-2.0
// Symbols as they were declared, facts of open scopes, and the version that moves with what is known.
#include "solver/facts/core.h"

#include "tests/unit/claims.h"

Test(store_state, symbols_are_as_declared) {
  world w;
  claim_store(&w, NULL, 0);
  symbol_info info = {interval_at_least(NUM(3)), NUM(4), SYMBOL_NAMED};
  info.range.has_hi = true;
  info.range.hi = NUM(12);
  term_id d = store_symbol(w.store, info);
  uint32_t symbol = term_get(&w.terms, d)->as.symbol;
  cr_expect_eq(store_symbol_term(w.store, symbol), d);
  cr_expect_eq(store_symbol_info(w.store, symbol)->rank, SYMBOL_NAMED);
  const interval range = store_range(w.store, d);
  cr_expect(num_is(range.lo, 4) && num_is(range.hi, 12), "rounded to multiples of 4");
  cr_expect(num_is(store_residue(w.store, d).m, 4));
  arena_destroy(&w.arena);
}

Test(store_state, facts_of_open_scopes_are_live) {
  static const char *const FACTS[] = {"a <= b", "b <= c"};
  world w;
  claim_store(&w, FACTS, 2);
  uint64_t version = store_version(w.store);
  cr_expect_eq(store_live_count(w.store), 2);
  store_push(w.store, 7);
  predicate more = claim_read(&w.terms, w.symbols, "c <= 9");
  cr_expect_eq(store_add(w.store, more, claim_reason), ADD_NEW);
  cr_expect_eq(store_add(w.store, more, claim_reason), ADD_KNOWN);
  cr_expect_gt(store_version(w.store), version);
  cr_expect_eq(store_fact(w.store, store_live(w.store, 2))->scope, 7);
  store_pop(w.store);
  cr_expect_eq(store_live_count(w.store), 2);
  arena_destroy(&w.arena);
}

Test(store_state, without_facts_the_symbols_stay) {
  static const char *const FACTS[] = {"a == b", "c == 4"};
  world w;
  claim_store(&w, FACTS, 2);
  shape_store *fresh = store_without_facts(w.store);
  cr_expect_eq(store_fact_count(fresh), 0);
  cr_expect_not(store_equal(fresh, w.a, w.b));
  cr_expect_eq(store_holds(fresh, claim_read(&w.terms, w.symbols, "a >= 0")), SHAPE_YES);
  cr_expect_eq(store_holds(fresh, claim_read(&w.terms, w.symbols, "c == 4")), SHAPE_UNKNOWN);
  arena_destroy(&w.arena);
}
