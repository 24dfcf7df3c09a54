// SPDX-License-Identifier: Apache-2.0
// The smallest equal form under what is assumed.
#include "solver/decide/store_query.h"

#include "solver/term/print.h"
#include "tests/unit/claims.h"

typedef struct smaller {
  const char *facts[CLAIM_PREMISES], *from, *to;
} smaller;

Test(decide_simplify, finds_the_smallest_form) {
  static const smaller ROWS[] = {{{"a <= b"}, "min(a, b)", "a"},
                                 {{"a <= b"}, "max(a, b) - min(a, b)", "b - a"},
                                 {{"divisible(a, 4)"}, "4*floordiv(a, 4)", "a"},
                                 {{"divisible(a, 4)"}, "mod(a, 2)", "0"},
                                 {{"a <= 3"}, "floordiv(a, 4) + b", "b"},
                                 {{"a == b + c"}, "a - c", "b"},
                                 {{"a >= 1", "b <= 1"}, "max(a, b)", "a"},
                                 {{"a*b == 12", "b == 3"}, "a + c", "c + 4"}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    world w;
    uint32_t count = 0;
    while (count < CLAIM_PREMISES && ROWS[i].facts[count]) count++;
    claim_store(&w, ROWS[i].facts, count);
    term_id from = claim_term(&w.terms, w.symbols, ROWS[i].from);
    term_id to = store_express(w.store, store_simplify(w.store, from));
    shape_strbuf out, want;
    strbuf_init(&out, &w.arena);
    strbuf_init(&want, &w.arena);
    term_print_plain(&w.terms, &out, to);
    term_print_plain(&w.terms, &want, claim_term(&w.terms, w.symbols, ROWS[i].to));
    cr_expect_str_eq(strbuf_text(&out), strbuf_text(&want), "%s under %s", ROWS[i].from,
                     ROWS[i].facts[0]);
    arena_destroy(&w.arena);
  }
}
