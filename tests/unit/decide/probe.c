// SPDX-License-Identifier: Apache-2.0
// Points that speak against claims: found for what does not follow, never for what does; values are those of the terms.
#include "solver/decide/probe.h"

#include <criterion/criterion.h>

#include "tests/unit/claims.h"

static query_symbol declared(void *data, term_id symbol) {
  const asked_world *w = data;
  uint32_t i = 0;
  while (i < 2 && w->symbols[i].symbol != symbol) i++;
  cr_assert_eq(w->symbols[i].symbol, symbol);
  return w->symbols[i];
}

static probe *open(asked_world *w) {
  return probe_new(&w->arena, &w->terms, &w->budget, declared, w);
}

// By lines as in claims.h: unknown where a point is to be found, yes where there is none.
static void expect_refuted(const char *lines) {
  for (claim c; claim_next(&lines, &c);) {
    asked_world w;
    predicate asked = claim_open(&w, &c);
    uint32_t held[CLAIM_PREMISES];
    probe *p = open(&w);
    for (uint32_t i = 0; i < w.q.premise_count; i++) held[i] = probe_claim(p, w.premises[i]);
    bool refuted = probe_refutes(p, probe_claim(p, asked), held, w.q.premise_count);
    cr_expect_eq(refuted, strcmp(c.want, "unknown") == 0, "%s|- %s", c.assume, c.ask);
    arena_destroy(&w.arena);
  }
}

Test(probe, what_does_not_follow) {
  expect_refuted("|- a >= 1: unknown\n"
                 "|- a == b: unknown\n"
                 "a <= b |- b <= a: unknown\n"
                 "a == b; b == c |- a <= 7: unknown\n"
                 "a == 2*b |- b <= 100: unknown\n"
                 "min(a, 1000) <= b; b <= 71344; c >= 1 |- a <= 71344*c: unknown\n"
                 "floordiv(a, 8) < floordiv(a, 4); b == 1 |- b*floordiv(a, 4) <= 3: unknown\n"
                 "a*b == c; b >= 2 |- c == 0: unknown\n"
                 "|- bcast(a, b) == bcast(b, a): unknown\n"
                 "|- floordiv(12, a) <= 11: unknown\n");
}

Test(probe, what_follows) {
  expect_refuted("|- a >= 0: yes\n"
                 "a <= b; b <= c |- a <= c: yes\n"
                 "a == b |- bcast(a, b) == a: yes\n"
                 "a >= 5; b == a + c |- min(b, 5) == 5: yes\n"
                 "a == 1; a == 2 |- b == 7: yes\n"
                 "mod(a, 4) == 0 |- 2*floordiv(a, 2) == a: yes\n"
                 "a == 0 |- floordiv(1, a) == 7: yes\n");
}

// Ranges and multiples are kept; a claim without a value speaks for nothing.
Test(probe, declarations) {
  asked_world w;
  asked_world_open(&w, WORLD_STEPS);
  w.symbols[0].range = interval_of(3, 9);
  w.symbols[1].multiple_of = NUM(4);
  term_id a = w.symbols[0].symbol, b = w.symbols[1].symbol, c = w.symbols[2].symbol;
  probe *p = open(&w);
  term_table *t = &w.terms;
  uint32_t low = probe_claim(p, predicate_make(REL_GE, a, term_int(t, 3)));
  uint32_t high = probe_claim(p, predicate_make(REL_LE, a, term_int(t, 8)));
  uint32_t even = probe_claim(p, predicate_make(REL_DIVISIBLE, b, term_int(t, 2)));
  uint32_t eighth = probe_claim(p, predicate_make(REL_DIVISIBLE, b, term_int(t, 8)));
  term_id unknown = term_apply(t, 0, &c, 1);
  uint32_t none = probe_claim(p, predicate_make(REL_EQ, unknown, c));
  cr_expect(!probe_refutes(p, low, NULL, 0) && probe_refutes(p, high, NULL, 0));
  cr_expect(!probe_refutes(p, even, NULL, 0) && probe_refutes(p, eighth, NULL, 0));
  cr_expect(none == PROBE_NONE && !probe_refutes(p, none, NULL, 0));
  cr_expect(!probe_refutes(p, high, &none, 1), "a premise without a value");
  arena_destroy(&w.arena);
}

// Of integers of 64 bits those that are far from the ends are tried.
Test(probe, wide_ranges) {
  asked_world w;
  asked_world_open(&w, WORLD_STEPS);
  w.symbols[0].range = w.symbols[1].range = interval_of(INT64_MIN, INT64_MAX);
  w.symbols[1].range.lo = num_sub(&w.budget, NUM(INT64_MIN), NUM(1));
  term_id a = w.symbols[0].symbol, b = w.symbols[1].symbol;
  probe *p = open(&w);
  uint32_t same = probe_claim(p, predicate_make(REL_EQ, a, b));
  uint32_t bounded = probe_claim(p, predicate_make(REL_GE, b, term_int(&w.terms, INT64_MIN)));
  uint32_t negative = probe_claim(p, predicate_make(REL_GE, a, TERM_ZERO));
  cr_expect(probe_refutes(p, same, NULL, 0) && probe_refutes(p, negative, NULL, 0));
  cr_expect(!probe_refutes(p, bounded, NULL, 0));
  arena_destroy(&w.arena);
}

static term_id value_of(void *data, term_id atom) {
  const term_id *values = data;
  for (uint32_t i = 0; i < 3; i++) {
    if (values[i] == atom) return values[3 + i];
  }
  return atom;
}

Test(probe, values_are_those_of_terms) {
  static const char *const TEXTS[] = {
      "3*a - 2*b + 7",          "a*b*b - c",        "floordiv(a - b, 3)", "mod(a - 2*b, 5)",
      "min(a, b + 2, c) + a",   "max(a - b, c, 4)", "bcast(a, b)",        "floordiv(a, b)",
      "ceildiv(a*b - c, c + 1)"};
  for (uint32_t k = 0; k < sizeof TEXTS / sizeof *TEXTS; k++) {
    asked_world w;
    asked_world_open(&w, WORLD_STEPS);
    term_id values[6];
    for (uint32_t i = 0; i < 3; i++) values[i] = w.symbols[i].symbol;
    term_id t = claim_term(&w.terms, values, TEXTS[k]);
    probe *p = open(&w);
    uint32_t node = probe_term(p, t), of[3];
    uint32_t at = probe_claim(p, predicate_make(REL_EQ, t, term_int(&w.terms, 12)));
    for (uint32_t i = 0; i < 3; i++) of[i] = probe_term(p, values[i]);
    for (uint32_t attempt = 0; attempt < 30; attempt++) {
      int64_t got, x, want = 0;
      probe_scatter(p, at, attempt);
      for (uint32_t i = 0; i < 3; i++) {
        cr_assert(probe_value(p, of[i], &x) && x >= 0);
        values[3 + i] = term_int(&w.terms, x);
      }
      bool known = probe_value(p, node, &got);
      if (!known && strcmp(TEXTS[k], "floordiv(a, b)") == 0) continue;  // by 0
      term_id there = term_substitute(&w.terms, t, value_of, values, NULL);
      cr_assert(known && term_int_value(&w.terms, there, &want));
      cr_expect_eq(got, want, "%s", TEXTS[k]);
    }
    arena_destroy(&w.arena);
  }
}

static query_symbol any_size(void *data, term_id symbol) {
  (void)data;
  return (query_symbol){symbol, interval_at_least(NUM(0)), NUM(1)};
}

enum { LINKS = 20 };

// Between two looks many symbols move, and what is kept of terms without them is what they are worth.
Test(probe, values_follow_moves) {
  asked_world w;
  asked_world_open(&w, WORLD_STEPS);
  probe *p = probe_new(&w.arena, &w.terms, &w.budget, any_size, NULL);
  term_id links[LINKS], sum = TERM_ZERO;
  uint32_t of[LINKS], claims[LINKS], whole;
  for (uint32_t i = 0; i < LINKS; i++) {
    links[i] = term_symbol(&w.terms);
    of[i] = probe_term(p, links[i]);
    sum = term_add(&w.terms, sum, term_mul(&w.terms, links[i], links[i]));
  }
  whole = probe_term(p, sum);
  for (uint32_t i = 0; i + 1 < LINKS; i++)
    claims[i] = probe_claim(p, predicate_make(REL_LE, links[i], links[i + 1]));
  claims[LINKS - 1] = probe_claim(p, predicate_make(REL_LE, links[LINKS - 1], links[0]));
  for (uint32_t i = 0; i < LINKS; i++) {
    int64_t got, x, want = 0;
    cr_expect(probe_refutes(p, claims[i], &claims[(i + 1) % LINKS], 1));
    for (uint32_t k = 0; k < LINKS; k++) {
      cr_assert(probe_value(p, of[k], &x));
      want += x * x;
    }
    cr_expect(probe_value(p, whole, &got) && got == want);
  }
  arena_destroy(&w.arena);
}

// One symbol with another range and step in each of them.
typedef struct lone_world {
  asked_world w;
  probe *p;
  term_id x;
} lone_world;

static void lone_open(lone_world *l, interval range, int64_t multiple_of) {
  asked_world_open(&l->w, WORLD_STEPS);
  l->w.symbols[0].range = range;
  l->w.symbols[0].multiple_of = num_from_int(multiple_of);
  l->x = l->w.symbols[0].symbol;
  l->p = open(&l->w);
}

Test(probe, powers_of_minus_one) {
  for (int64_t exponent = 1; exponent <= 4; exponent++) {
    lone_world l;
    lone_open(&l, interval_of(-1, -1), 1);
    term_id power = term_pow(&l.w.terms, l.x, (uint32_t)exponent);
    uint32_t negative = probe_claim(l.p, predicate_make(REL_LT, power, TERM_ZERO));
    cr_expect_eq(probe_refutes(l.p, negative, NULL, 0), exponent % 2 == 0, "%d", (int)exponent);
    arena_destroy(&l.w.arena);
  }
}

// The gap is 2^40, falls by 1 within 2^23, and 2^63 is no int64.
Test(probe, roots_at_the_end_of_int64) {
  lone_world l;
  lone_open(&l, interval_of(1, INT64_MAX), 1 << 23);
  term_table *t = &l.w.terms;
  term_id first = term_is_zero(t, term_sub(t, l.x, term_int(t, 1 << 23)));
  uint32_t low =
      probe_claim(l.p, predicate_make(REL_LE, first, term_int(t, (INT64_C(1) << 40) + 1)));
  uint32_t high = probe_claim(l.p, predicate_make(REL_LE, term_int(t, INT64_C(1) << 40), first));
  cr_expect(!probe_refutes(l.p, low, NULL, 0));
  cr_expect(probe_refutes(l.p, high, NULL, 0));
  arena_destroy(&l.w.arena);
}

// Each term is one deeper than the one that was added before it.
Test(probe, depth_is_bounded) {
  lone_world l;
  lone_open(&l, interval_of(0, 9), 1);
  term_table *t = &l.w.terms;
  uint32_t deep = 0;
  term_id chain = l.x;
  for (uint32_t i = 0; i < 200; i++) {
    chain = term_floordiv(t, term_add(t, term_mul(t, chain, chain), l.x), term_int(t, 7));
    deep += probe_term(l.p, chain) == PROBE_NONE;
  }
  cr_expect_gt(deep, 100);
  cr_expect_lt(deep, 200);
  arena_destroy(&l.w.arena);
}

enum { DIMS = 50 };

// Each dim is broadcast to all before it. That they are equal or 1 is said of each apart: none of it follows from the rest.
Test(probe, chains_of_broadcasts) {
  asked_world w;
  asked_world_open(&w, WORLD_STEPS);
  term_table *t = &w.terms;
  probe *p = probe_new(&w.arena, t, &w.budget, any_size, NULL);
  uint32_t claims[DIMS], held[DIMS];
  term_id all = term_symbol(t);
  for (uint32_t i = 0; i < DIMS; i++) {
    term_id dim = term_symbol(t), before = all;
    all = term_bcast(t, dim, before);
    claims[i] = probe_claim(p, predicate_make(REL_EQ, all, term_bcast(t, before, dim)));
    cr_assert(claims[i] != PROBE_NONE);
  }
  for (uint32_t i = 0; i < DIMS; i++) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < DIMS; k++) {
      if (k != i) held[count++] = claims[k];
    }
    cr_expect(probe_refutes(p, claims[i], held, count), "%u", i);
  }
  arena_destroy(&w.arena);
}
