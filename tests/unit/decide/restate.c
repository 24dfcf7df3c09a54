// SPDX-License-Identifier: Apache-2.0
// Requirements in simpler words: equivalent under the declared ranges, whatever else the store knows.
#include <criterion/criterion.h>

#include "solver/decide/store_query.h"
#include "tests/unit/world.h"

static predicate broadcasts(world *w, term_id x, term_id y) {
  return predicate_make(REL_EQ, term_bcast(&w->terms, x, y), term_bcast(&w->terms, y, x));
}

static void expect(const restatement *r, relation rel, term_id left, term_id right) {
  cr_expect(r->p.rel == rel && r->p.left == left && r->p.right == right);
}

static term_table *begin(world *w) {
  world_open_store(w, WORLD_STEPS, 2, 0);
  return &w->terms;
}

Test(restate, a_position_table_is_a_bound) {
  world w;
  restatement r;
  term_table *t = begin(&w);
  term_id table = term_min(t, w.a, term_int(t, 512));
  cr_assert(store_restate(w.store, broadcasts(&w, w.a, table), &r));
  expect(&r, REL_LE, w.a, term_int(t, 512));
  bool says = false;
  for (uint32_t i = 0; i < r.count; i++)
    says |= r.settled[i].left == table && r.settled[i].right == w.a;
  cr_expect(says, "which argument the minimum is");
  arena_destroy(&w.arena);
}

Test(restate, half_the_length) {
  world w;
  restatement r;
  term_table *t = begin(&w);
  term_id half = term_neg(t, term_floordiv(t, term_neg(t, w.a), term_int(t, 2)));
  cr_assert(store_restate(w.store, broadcasts(&w, half, term_min(t, half, term_int(t, 1500))), &r));
  expect(&r, REL_LE, w.a, term_int(t, 3000));
  arena_destroy(&w.arena);
}

Test(restate, a_disjunction_stays) {
  world w;
  restatement r;
  term_table *t = begin(&w);
  cr_expect(!store_restate(w.store, broadcasts(&w, w.a, w.b), &r), "no minimum");
  cr_expect(!store_restate(w.store, broadcasts(&w, w.a, term_min(t, w.b, term_int(t, 9))), &r),
            "a == min(b, 9), or one of them is 1: no bound says that");
  // Where the table has one row, whatever is broadcast with it fits but for 0 rows.
  cr_expect(!store_restate(w.store, broadcasts(&w, w.a, term_min(t, w.a, TERM_ONE)), &r),
            "it holds at all points");
  arena_destroy(&w.arena);
}

// What the store knows may rest on other requirements: it makes no two predicates equivalent.
Test(restate, facts_do_not_count) {
  world w;
  restatement r;
  term_table *t = begin(&w);
  store_add(w.store, predicate_make(REL_LE, w.b, term_int(t, 9)),
            (reason){.kind = REASON_OP, .what = "test"});
  // Under b <= 9 this would be a <= b.
  predicate p = predicate_make(REL_LE, w.a, term_min(t, w.b, term_int(t, 9)));
  cr_expect(!store_restate(w.store, p, &r));
  arena_destroy(&w.arena);
}

// A guard is stated by itself: that the store knows it, or more, makes it no other check.
Test(restate, alone_facts_decide_nothing) {
  world w;
  restatement r;
  term_table *t = begin(&w);
  term_id sum = term_add(t, w.a, w.b), table = term_min(t, sum, term_int(t, 64));
  predicate p = broadcasts(&w, table, sum);
  store_add(w.store, p, (reason){.kind = REASON_OP, .what = "test"});
  store_add(w.store, predicate_make(REL_LE, w.a, term_int(t, 9)),
            (reason){.kind = REASON_OP, .what = "test"});
  cr_expect(!store_restate(w.store, p, &r), "it is known");
  cr_assert(store_restate_alone(w.store, p, &r));
  expect(&r, REL_LE, sum, term_int(t, 64));
  arena_destroy(&w.arena);
}

// floordiv(x + shift, 3) and twice that, against every bound near 0: the bound of x says the same.
Test(restate, bounds_of_quotients) {
  static const relation RELS[] = {REL_GE, REL_LE, REL_GT, REL_LT};
  for (int64_t shift = -4; shift <= 4; shift++) {
    for (int64_t bound = -3; bound <= 3; bound++) {
      for (uint32_t i = 0; i < 8; i++) {
        world w;
        world_open_store(&w, WORLD_STEPS, 1, -100);
        term_table *t = &w.terms;
        term_id q = term_floordiv(t, term_add(t, w.a, term_int(t, shift)), term_int(t, 3));
        if (i >= 4) q = term_scale(t, q, NUM(-2));
        predicate p = predicate_make(RELS[i & 3], q, term_int(t, bound)), was = p;
        cr_assert(restate_quotient(t, &p));
        cr_assert(term_kind_of(t, p.left) == TERM_SYMBOL && (p.rel == REL_GE || p.rel == REL_LE));
        int64_t end;
        cr_assert(term_int_value(t, p.right, &end));
        for (int64_t x = -30; x <= 30; x++) {
          int64_t n = x + shift, f = n / 3 - (n % 3 < 0);
          if (i >= 4) f *= -2;
          bool holds = was.rel == REL_GE   ? f >= bound
                       : was.rel == REL_LE ? f <= bound
                       : was.rel == REL_GT ? f > bound
                                           : f < bound;
          cr_expect_eq(p.rel == REL_GE ? x >= end : x <= end, holds);
        }
        arena_destroy(&w.arena);
      }
    }
  }
}

Test(restate, nested_quotients_and_what_is_none) {
  world w;
  world_open_store(&w, WORLD_STEPS, 2, 0);
  term_table *t = &w.terms;
  term_id inner = term_floordiv(t, term_add(t, w.a, w.b), term_int(t, 2));
  term_id outer = term_floordiv(t, term_add(t, inner, term_int(t, 1)), term_int(t, 5));
  predicate p = predicate_make(REL_GE, outer, term_int(t, 2));
  cr_assert(restate_quotient(t, &p));
  cr_expect(p.rel == REL_GE && p.left == term_add(t, w.a, w.b) && p.right == term_int(t, 18));
  p = predicate_make(REL_EQ, inner, term_int(t, 2));
  cr_expect(!restate_quotient(t, &p));
  p = predicate_make(REL_GE, w.a, w.b);
  cr_expect(!restate_quotient(t, &p));
  p = predicate_make(REL_GE, TERM_ZERO, TERM_ZERO);
  cr_expect(!restate_quotient(t, &p));
  p = predicate_make(REL_LE, term_add(t, inner, w.a), term_int(t, 2));
  cr_expect(!restate_quotient(t, &p));
  arena_destroy(&w.arena);
}

// What had no simpler form has none under other names of its symbols, and costs nothing; other ranges are another matter.
Test(restate, the_same_under_other_names) {
  world w;
  restatement r;
  world_open_store(&w, WORLD_STEPS, 3, 0);
  term_table *t = &w.terms;
  const term_id nine = term_int(t, 9);
  term_id c = w.symbols[2];
  const predicate first = broadcasts(&w, w.a, term_min(t, w.b, nine)),
                  second = broadcasts(&w, w.a, term_min(t, c, nine)),
                  other = broadcasts(&w, w.a, term_min(t, w.b, term_int(t, 8))),
                  always = predicate_make(REL_LE, term_min(t, w.b, nine), w.b),
                  again = predicate_make(REL_LE, term_min(t, c, nine), c);
  cr_expect_not(store_restate(w.store, first, &r) || r.always);
  const uint64_t steps = w.budget.steps_used;
  cr_expect_not(store_restate(w.store, second, &r) || r.always);
  cr_expect_leq(w.budget.steps_used, steps + 20);
  cr_expect_not(store_restate(w.store, other, &r) || r.always);
  cr_expect_gt(w.budget.steps_used, steps + 20);
  cr_expect_not(store_restate_alone(w.store, always, &r));
  cr_expect(r.always);
  r.always = false;
  cr_expect_not(store_restate_alone(w.store, again, &r));
  cr_expect(r.always);
  arena_destroy(&w.arena);
}
