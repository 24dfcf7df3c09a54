// SPDX-License-Identifier: Apache-2.0
// Proofs of simplification: what follows is proven, what does not is not, and the same literal is searched once.
#include "solver/decide/simplify.h"

#include "tests/unit/claims.h"

static literal against(simplifier *x, predicate p) {
  literal l = literal_not(x->s, literal_of(x->s, p));
  l.e = problem_resolve(x->base, l.e);
  return l;
}

Test(decide_disprove, what_follows_is_proven) {
  const char *lines = "|- a == a + 0: yes\n"
                      "|- a == b: unknown\n"
                      "a <= b |- min(a, b) == a: yes\n"
                      "a <= b |- min(a, b) == b: unknown\n"
                      "a == 2*b |- floordiv(a, 2) == b: yes\n"
                      "a == 2*b + 1 |- floordiv(a, 2) == b: yes\n"
                      "a <= b; b <= a + 1 |- a == b: unknown\n"
                      "a >= 3 |- a >= 2: yes\n"
                      "a >= 3 |- a >= 4: unknown\n"
                      "a*b == 6; a >= 2 |- a*b >= 6: yes\n"
                      "a*b >= 6 |- a >= 2: unknown\n";
  for (claim c; claim_next(&lines, &c);) {
    asked_world w;
    predicate asked = claim_open(&w, &c);
    qsolver s;
    problem base;
    cr_assert(query_start(&s, &base, &w.q));
    simplifier x = {.s = &s, .base = &base, .proofs_left = 2};
    literal l = against(&x, asked);
    bool want = strcmp(c.want, "yes") == 0;
    cr_expect_eq(simplify_proves(&x, l, asked), want, "%s|- %s", c.assume, c.ask);
    const uint64_t steps = w.budget.steps_used;
    cr_expect_eq(simplify_proves(&x, l, asked), want);
    cr_expect_eq(w.budget.steps_used, steps);
    // None are left.
    cr_expect_not(simplify_proves(&x, l, asked));
    arena_destroy(&w.arena);
  }
}
