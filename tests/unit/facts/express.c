// SPDX-License-Identifier: Apache-2.0
// Answers are in symbols of the caller: what elimination made is written as what it denotes.
#include "tests/unit/claims.h"

static bool is_fresh(void *data, term_id atom) {
  const world *w = data;
  term_id dividend;
  num divisor;
  const term_node *node = term_get(&w->terms, atom);
  return node->kind == TERM_SYMBOL &&
         store_fresh_meaning(w->store, node->as.symbol, &dividend, &divisor);
}

static bool has_fresh(world *w, term_id t) { return term_any_atom(&w->terms, t, is_fresh, w); }

Test(store_express, no_fresh_symbol_is_left) {
  static const char *const ROWS[][2] = {{"divisible(a, 4)", "a"},
                                        {"2*a == 3*b", "a"},
                                        {"2*a == 3*b", "a + b"},
                                        {"divisible(a + 1, 8)", "floordiv(a, 8)"},
                                        {"5*a == 7*b", "a*b + c"}};
  int made = 0;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    world w;
    claim_store(&w, ROWS[i], 1);
    term_id t = claim_term(&w.terms, w.symbols, ROWS[i][1]), canon = store_canon(w.store, t);
    made += has_fresh(&w, canon);
    term_id shown = store_express(w.store, canon);
    cr_expect_not(has_fresh(&w, shown), "%s under %s", ROWS[i][1], ROWS[i][0]);
    cr_expect(store_equal(w.store, shown, t), "%s under %s", ROWS[i][1], ROWS[i][0]);
    arena_destroy(&w.arena);
  }
  cr_expect_geq(made, 3, "elimination makes fresh symbols");
}
