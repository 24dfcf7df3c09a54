// SPDX-License-Identifier: Apache-2.0
// The claims that the checker takes, and that it never confirms what some point contradicts.
#include "tests/unit/claims.h"

// a >= 0, b >= 0, c >= 0, and these premises.
static predicate opened(asked_world *w, const char *premises, const char *asked) {
  claim c;
  snprintf(c.assume, sizeof c.assume, "%s", premises);
  snprintf(c.ask, sizeof c.ask, "%s", asked);
  return claim_open(w, &c);
}

// At each point of a small cube just one of a predicate and its negation holds.
Test(check_claims, negations) {
  static const char *const ROWS[] = {"a == b", "a != b", "a < b",          "a <= b",
                                     "a > b",  "a >= b", "divisible(a, 3)"};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    asked_world w;
    predicate p = opened(&w, "", ROWS[i]), not = check_negation(&w.terms, p);
    for (int a = 0; a < 5; a++) {
      for (int b = 0; b < 5; b++) {
        const num values[] = {NUM(a), NUM(b), NUM(0)};
        bool holds, fails;
        cr_assert_eq(check_point(&w.q, values, &p, &holds), CHECK_CONFIRMED);
        cr_assert_eq(check_point(&w.q, values, &not, &fails), CHECK_CONFIRMED);
        cr_expect_neq(holds, fails, "%s at %d, %d", ROWS[i], a, b);
      }
    }
    arena_destroy(&w.arena);
  }
}

// Flags of the premises that a derivation rests on; without the others it holds, too.
Test(check_claims, premises_that_are_used) {
  asked_world w;
  uint8_t used[CLAIM_PREMISES];
  predicate p = opened(&w, "a <= b; c <= 7; b <= 4", "a <= 4");
  cr_assert_eq(check_implied(&w.q, p, used), CHECK_CONFIRMED);
  cr_expect(used[0] && !used[1] && used[2]);
  cr_expect_eq(check_implied(&w.q, check_negation(&w.terms, p), used), CHECK_WRONG);
  arena_destroy(&w.arena);
  opened(&w, "a <= b; c <= 7; b < a", "a <= 4");
  cr_assert_eq(check_conflict(&w.q, used), CHECK_CONFIRMED);
  cr_expect(used[0] && !used[1] && used[2]);
  w.q.premise_count = 2;
  cr_expect_eq(check_conflict(&w.q, NULL), CHECK_WRONG);
  arena_destroy(&w.arena);
}

Test(check_claims, values_that_are_attained) {
  asked_world w;
  predicate p = opened(&w, "a + b == 9", "a*b == 20");
  const num good[] = {NUM(4), NUM(5), NUM(0)}, outside[] = {NUM(4), NUM(4), NUM(0)};
  const num negative[] = {NUM(-1), NUM(10), NUM(0)};
  cr_expect(check_attained(&w.q, p.left, NUM(20), good));
  cr_expect_not(check_attained(&w.q, p.left, NUM(21), good));
  cr_expect_not(check_attained(&w.q, p.left, NUM(16), outside), "no point of the premises");
  cr_expect_not(check_attained(&w.q, p.left, NUM(-10), negative), "not in the range of a");
  cr_expect_not(check_attained(&w.q, p.left, NUM(20), NULL));
  arena_destroy(&w.arena);
}

// Divisors of a form must not be 0 anywhere.
Test(check_claims, forms_of_terms) {
  asked_world w;
  predicate p = opened(&w, "a == 2*b; c >= 1", "a == b + b");
  const term_id divisors[] = {w.symbols[2].symbol, w.symbols[1].symbol};
  cr_expect_eq(check_equal(&w.q, p.left, p.right, divisors, 1), CHECK_CONFIRMED);
  cr_expect_eq(check_equal(&w.q, p.left, p.left, divisors, 1), CHECK_CONFIRMED);
  cr_expect_eq(check_equal(&w.q, p.left, p.left, divisors, 2), CHECK_WRONG);
  cr_expect_eq(check_equal(&w.q, p.left, w.symbols[1].symbol, NULL, 0), CHECK_WRONG);
  arena_destroy(&w.arena);
}

// An unknown answer claims its two witnesses, if it has them.
Test(check_claims, witnesses) {
  asked_world w;
  predicate p = opened(&w, "a <= 3", "a == b");
  const num yes[] = {NUM(2), NUM(2), NUM(0)}, no[] = {NUM(2), NUM(3), NUM(0)};
  const num outside[] = {NUM(4), NUM(4), NUM(0)};
  const query_result rows[] = {
      {.answer = SHAPE_UNKNOWN, .witness_true = yes, .witness_false = no},
      {.answer = SHAPE_UNKNOWN, .witness_true = no, .witness_false = yes},
      {.answer = SHAPE_UNKNOWN, .witness_true = yes, .witness_false = yes},
      {.answer = SHAPE_UNKNOWN, .witness_true = outside, .witness_false = no},
      {.answer = SHAPE_UNKNOWN, .witness_true = yes},
      {.answer = SHAPE_UNKNOWN},
  };
  static const check_result IS[] = {CHECK_CONFIRMED, CHECK_WRONG, CHECK_WRONG,
                                    CHECK_WRONG,     CHECK_OPEN,  CHECK_OPEN};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    cr_expect_eq(check_answer(&w.q, p, &rows[i]), IS[i], "row %zu", i);
  arena_destroy(&w.arena);
}
