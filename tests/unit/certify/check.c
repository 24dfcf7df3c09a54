// SPDX-License-Identifier: Apache-2.0
// The independent checker: a claim for each of its means, beside one that is off by a little and must be refused. Claims are
// texts over a, b, c >= 0; derivation alone decides, without evaluating points.
#include "solver/certify/check.h"

#include <criterion/criterion.h>

#include "solver/decide/shrink.h"
#include "solver/term/limits.h"
#include "tests/unit/world.h"

static term_id find_symbol(void *data, const char *name, size_t length) {
  asked_world *w = data;
  return length == 1 && *name >= 'a' && *name <= 'c' ? w->symbols[*name - 'a'].symbol : TERM_NONE;
}

static void add_divisor(void *data, term_id divisor) {
  asked_world *w = data;
  w->premises[w->q.premise_count++] = predicate_make(REL_NE, divisor, TERM_ZERO);
}

static predicate read_text(asked_world *w, const char *text) {
  term_parser parser = {
      .terms = &w->terms, .symbol = find_symbol, .divisor = add_divisor, .data = w};
  predicate p;
  cr_assert(term_parse_predicate(&parser, text, strlen(text), &p.rel, &p.left, &p.right), "%s: %s",
            text, parser.error);
  return p;
}

static void setup(asked_world *w, const char *const *premises) {
  asked_world_open(w, 100000);
  for (; premises && *premises; premises++) {
    predicate p = read_text(w, *premises);
    w->premises[w->q.premise_count++] = p;
  }
}

static bool derives(const char *const *premises, const char *claim) {
  asked_world w;
  setup(&w, premises);
  predicate against = check_negation(&w.terms, read_text(&w, claim));
  uint64_t left = budget_left(&w.budget);
  bool done = check_derive(&w.q, &against, CERTIFY_STEPS, NULL);
  cr_expect_eq(budget_left(&w.budget), left, "the budget of the query is not touched");
  arena_destroy(&w.arena);
  return done;
}

#define PREMISES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define EXPECT_PAIR(premises, holds, fails)                                                        \
  cr_expect(derives(premises, holds), "not derived: %s", holds);                                   \
  cr_expect_not(derives(premises, fails), "derived: %s", fails)

Test(check, rows) {
  EXPECT_PAIR(PREMISES("a <= b", "b <= c"), "a <= c", "a < c");
  EXPECT_PAIR(PREMISES("2*a + 3*b <= 12"), "a + b <= 6", "a + b <= 5");
  EXPECT_PAIR(PREMISES("a >= b + 8", "b >= 1"), "a >= 9", "a >= 10");
}

Test(check, integrality) {
  EXPECT_PAIR(PREMISES("2*a == 3*b"), "divisible(a, 3)", "divisible(a, 6)");
  EXPECT_PAIR(PREMISES("4*a + 6*b == 2*c"), "mod(c, 2) == mod(b, 2)", "mod(c, 2) == 0");
  EXPECT_PAIR(PREMISES("3 <= 2*a", "2*a <= 5"), "a == 2", "a == 3");
}

Test(check, congruence) {
  EXPECT_PAIR(PREMISES("a == b"), "floordiv(a, 7) == floordiv(b, 7)",
              "floordiv(a, 7) == floordiv(b, 8)");
  EXPECT_PAIR(PREMISES("divisible(a, 16)"), "divisible(a*b, 16)", "divisible(a*b, 32)");
}

Test(check, quotients) {
  EXPECT_PAIR(NULL, "floordiv(a, 4) <= a", "floordiv(a, 4) < a");
  EXPECT_PAIR(NULL, "b >= mod(b, 3)", "b > mod(b, 3)");
  EXPECT_PAIR(PREMISES("c >= 1", "a <= b"), "floordiv(b - a, c)*c + a <= b",
              "floordiv(b - a, c)*c + a < b");
  EXPECT_PAIR(PREMISES("c >= 1"), "mod(a, c) < c", "mod(a, c) < c - 1");
}

Test(check, products) {
  EXPECT_PAIR(PREMISES("a*b == 12"), "a <= 12", "a <= 11");
  EXPECT_PAIR(PREMISES("a*b == a*c", "a >= 1"), "b == c", "b < c");
  EXPECT_PAIR(PREMISES("a*b == a*c"), "a*b*b == a*c*c", "b == c");
  EXPECT_PAIR(NULL, "(a + b)*(a + b) >= 4*a*b", "(a + b)*(a + b) > 4*a*b");
  EXPECT_PAIR(PREMISES("divisible(a, b)", "divisible(b, c)", "a >= 1", "b >= 1", "c >= 1"),
              "a >= c", "a > c");
}

Test(check, cases) {
  EXPECT_PAIR(NULL, "max(a, b) + min(a, b) == a + b", "max(a, b) == a + b");
  EXPECT_PAIR(NULL, "mod(a*(a + 1), 2) == 0", "mod(a*(a + 1), 4) == 0");
  EXPECT_PAIR(NULL, "bcast(a, a) == a", "bcast(a, b) == a");
  EXPECT_PAIR(PREMISES("a != b"), "max(a, b) >= 1", "min(a, b) >= 1");
  EXPECT_PAIR(PREMISES("a <= 3"), "a*a*a - 6*a*a + 11*a >= 0", "a*a*a - 6*a*a + 11*a > 0");
}

Test(check, divisor_zero_is_outside) {
  cr_expect(derives(NULL, "floordiv(a, b)*b <= a + b*b"));
  // Nothing is known of a quotient where its divisor is 0.
  asked_world w;
  setup(&w, NULL);
  term_id q = term_floordiv(&w.terms, w.symbols[0].symbol, w.symbols[1].symbol);
  predicate negative = predicate_make(REL_LT, q, TERM_ZERO);
  cr_expect_not(check_derive(&w.q, &negative, CERTIFY_STEPS, NULL));
  arena_destroy(&w.arena);
}

Test(check, knows_what_it_used) {
  asked_world w;
  setup(&w, PREMISES("c >= 4", "a <= b", "c <= 9", "b < 5"));
  predicate against = read_text(&w, "a >= 5");
  uint8_t used[4];
  cr_assert(check_derive(&w.q, &against, CERTIFY_STEPS, used));
  cr_expect(!used[0] && used[1] && !used[2] && used[3]);
  arena_destroy(&w.arena);
}

Test(check, conflicts) {
  asked_world w;
  setup(&w, PREMISES("a < b", "c >= 2", "b < a"));
  uint8_t used[3];
  cr_assert_eq(check_conflict(&w.q, used), CHECK_CONFIRMED);
  cr_expect(used[0] && !used[1] && used[2]);
  w.q.premise_count = 2;
  cr_expect_eq(check_conflict(&w.q, used), CHECK_WRONG);
  arena_destroy(&w.arena);
}

// Are both ends bounds of t?
static check_result within(const query *q, term_id t, interval ends) {
  check_result low =
      check_implied(q, predicate_make(REL_GE, t, term_const(q->terms, ends.lo)), NULL);
  check_result high =
      check_implied(q, predicate_make(REL_LE, t, term_const(q->terms, ends.hi)), NULL);
  return low == CHECK_CONFIRMED ? high : low;
}

Test(check, bounds_and_points_that_attain_them) {
  asked_world w;
  setup(&w, PREMISES("a + b == 10", "a <= b"));
  term_id a = w.symbols[0].symbol;
  num there[] = {NUM(5), NUM(5), NUM(0)}, outside[] = {NUM(6), NUM(4), NUM(0)};
  cr_expect_eq(within(&w.q, a, interval_of(0, 5)), CHECK_CONFIRMED);
  cr_expect_eq(within(&w.q, a, interval_of(-3, 8)), CHECK_CONFIRMED);
  cr_expect_neq(within(&w.q, a, interval_of(0, 4)), CHECK_CONFIRMED);
  cr_expect_neq(within(&w.q, a, interval_of(1, 5)), CHECK_CONFIRMED);
  cr_expect(check_attained(&w.q, a, NUM(5), there));
  cr_expect_not(check_attained(&w.q, a, NUM(4), there));
  cr_expect_not(check_attained(&w.q, a, NUM(6), outside));
  cr_expect_not(check_attained(&w.q, a, NUM(5), NULL));
  arena_destroy(&w.arena);
}

Test(check, equal_forms_need_divisors_that_are_not_zero) {
  asked_world w;
  setup(&w, PREMISES("b >= 1"));
  term_table *t = &w.terms;
  term_id a = w.symbols[0].symbol, b = w.symbols[1].symbol, c = w.symbols[2].symbol;
  term_id form = term_add(t, a, term_mul(t, b, term_floordiv(t, TERM_ZERO, b)));
  cr_expect_eq(check_equal(&w.q, a, form, &b, 1), CHECK_CONFIRMED);
  cr_expect_neq(check_equal(&w.q, a, form, &c, 1), CHECK_CONFIRMED);
  cr_expect_neq(check_equal(&w.q, a, term_add(t, a, c), NULL, 0), CHECK_CONFIRMED);
  arena_destroy(&w.arena);
}

// f(a) == 1 says nothing of points that can be evaluated: evaluating all of them must not pass for a proof.
Test(check, unknown_functions_are_not_evaluated) {
  asked_world w;
  setup(&w, NULL);
  for (int i = 0; i < 3; i++) w.symbols[i].range = interval_of(0, 3);
  term_id a = w.symbols[0].symbol, b = w.symbols[1].symbol;
  w.premises[0] = predicate_make(REL_EQ, term_apply(&w.terms, 0, &a, 1), TERM_ONE);
  w.q.premise_count = 1;
  cr_expect_eq(check_implied(&w.q, predicate_make(REL_LE, a, b), NULL), CHECK_OPEN);
  cr_expect_eq(check_conflict(&w.q, NULL), CHECK_OPEN);
  w.premises[1] = predicate_make(REL_NE, term_apply(&w.terms, 0, &b, 1), TERM_ONE);
  w.q.premise_count = 2;
  cr_expect_eq(check_implied(&w.q, predicate_make(REL_NE, a, b), NULL), CHECK_CONFIRMED);
  arena_destroy(&w.arena);
}

// As a tree this term has 2^60 leaves.
Test(check, shared_parts_do_not_multiply_work) {
  asked_world w;
  setup(&w, PREMISES("a <= 3", "b <= 3", "c <= 3"));
  for (int i = 0; i < 3; i++) w.symbols[i].range = interval_of(0, 3);
  term_id x = w.symbols[0].symbol, b = w.symbols[1].symbol;
  for (int i = 0; i < 60; i++) {
    term_id half = term_floordiv(&w.terms, term_add(&w.terms, x, b), term_int(&w.terms, 2 + i % 2));
    x = term_min(&w.terms, half, term_floordiv(&w.terms, x, term_int(&w.terms, 3)));
  }
  cr_expect_neq(check_implied(&w.q, predicate_make(REL_GE, x, term_int(&w.terms, 9)), NULL),
                CHECK_CONFIRMED);
  arena_destroy(&w.arena);
}

Test(check, large_powers_end_the_check_only) {
  asked_world w;
  setup(&w, PREMISES("a >= 2"));
  w.symbols[0].range.lo = num_pow(&w.budget, NUM(2), 2000);
  predicate p = predicate_make(REL_GE, term_pow(&w.terms, w.symbols[0].symbol, 60), TERM_ONE);
  cr_expect_eq(check_implied(&w.q, p, NULL), CHECK_OPEN);
  // what comes after is checked as before
  predicate true_of_a = predicate_make(REL_GE, w.symbols[0].symbol, TERM_ONE);
  cr_expect_eq(check_implied(&w.q, true_of_a, NULL), CHECK_CONFIRMED);
  cr_expect_eq(check_implied(&w.q, check_negation(&w.terms, true_of_a), NULL), CHECK_WRONG);
  arena_destroy(&w.arena);
}

// --- shrinking

typedef struct needs {
  uint8_t *keep;
  uint64_t mask;  // of the members that are needed
  uint32_t calls;
} needs;

static bool has_all(void *data) {
  needs *n = data;
  n->calls++;
  for (uint32_t i = 0; i < 64; i++) {
    if ((n->mask >> i & 1) && !n->keep[i]) return false;
  }
  return true;
}

Test(shrink, leaves_what_is_needed) {
  shape_arena arena;
  arena_init(&arena, 0);
  const uint64_t masks[] = {0, 1, 1ull << 63, 0x8000400020001ull, UINT64_MAX};
  for (uint32_t m = 0; m < 5; m++) {
    uint8_t keep[64];
    memset(keep, 1, sizeof keep);
    needs n = {keep, masks[m], 0};
    shrink_set(&arena, keep, 64, has_all, &n);
    for (uint32_t i = 0; i < 64; i++) cr_expect_eq(keep[i], masks[m] >> i & 1);
    cr_expect_leq(n.calls, 4 * 64);
  }
  arena_destroy(&arena);
}
