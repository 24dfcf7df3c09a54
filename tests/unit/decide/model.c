// SPDX-License-Identifier: Apache-2.0
// Witnesses of queries that depend: points that are in the ranges, satisfy the premises, and say what they claim.
#include "tests/unit/claims.h"

// What each line asks is true at some points of its premises and false at others, and the procedure has both.
static void expect_witnesses(const char *lines) {
  for (claim c; claim_next(&lines, &c);) {
    asked_world w;
    predicate asked = claim_open(&w, &c);
    query_result r = query_ask(&w.q, asked);
    cr_expect(r.answer == SHAPE_UNKNOWN && r.reason == UNKNOWN_CONTINGENT && !r.conflict, "%s|- %s",
              c.assume, c.ask);
    cr_assert(r.witness_true && r.witness_false, "%s|- %s", c.assume, c.ask);
    for (int side = 0; side < 2; side++) {
      bool holds = !side;
      const num *point = side ? r.witness_true : r.witness_false;
      cr_expect_eq(check_point(&w.q, point, &asked, &holds), CHECK_CONFIRMED, "%s", c.ask);
      cr_expect_eq(holds, side == 1, "%s|- %s", c.assume, c.ask);
    }
    arena_destroy(&w.arena);
  }
}

Test(decide_model, of_linear_premises) {
  expect_witnesses("|- a == b: unknown\n"
                   "a + b == 9; a >= 3 |- b >= 5: unknown\n"
                   "2*a == 3*b; b >= 7 |- a >= 1000: unknown\n"
                   "a >= 1000000007 |- divisible(a, 2): unknown\n");
}

// Among them values that none of the first attempts has.
Test(decide_model, of_products_and_quotients) {
  expect_witnesses("a*b == 12 |- a <= 3: unknown\n"
                   "a*b == c; c >= 1 |- a == c: unknown\n"
                   "floordiv(a, 7) == 3 |- a == 27: unknown\n"
                   "mod(a, 5) == 2; a >= 100 |- divisible(a, 3): unknown\n"
                   "max(a, b) == 6 |- a == b: unknown\n"
                   "a != b; a <= 1; b <= 1 |- a == 0: unknown\n");
}

// Numbers beyond 64 bits are as good as others.
Test(decide_model, of_large_numbers) {
  expect_witnesses("a >= 9223372036854775807 |- a >= 9223372036854775809: unknown\n"
                   "a == 36893488147419103232*b |- b == 1: unknown\n");
}

// The simplest point breaks the premises, and moving it finds one where they hold; or none, as they conflict.
Test(decide_model, of_implied_claims) {
  expect_decided("a < b; b < c |- c >= a + 2: yes\n"
                 "b < a; c < b |- a >= c + 1: yes\n"
                 "a + 2*b >= 9; b <= 2 |- a >= 5: yes\n"
                 "a != b; a <= b |- b >= a + 1: yes\n"
                 "a*b >= 7; a <= b |- b >= 3: yes\n"
                 "a < b; b < c; c <= a + 1 |- a == a: conflict\n"
                 "mod(a, 4) == 3; a >= b; b >= 5 |- a >= 6: yes\n");
}
