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

Test(restate, a_position_table_is_a_bound) {
  world w;
  restatement r;
  world_open_store(&w, WORLD_STEPS, 2, 0);
  term_id table = term_min(&w.terms, w.a, term_int(&w.terms, 512));
  cr_assert(store_restate(w.store, broadcasts(&w, w.a, table), &r));
  expect(&r, REL_LE, w.a, term_int(&w.terms, 512));
  bool says = false;
  for (uint32_t i = 0; i < r.count; i++)
    says |= r.settled[i].left == table && r.settled[i].right == w.a;
  cr_expect(says, "which argument the minimum is");
  arena_destroy(&w.arena);
}

Test(restate, half_the_length) {
  world w;
  restatement r;
  world_open_store(&w, WORLD_STEPS, 2, 0);
  term_table *t = &w.terms;
  term_id half = term_neg(t, term_floordiv(t, term_neg(t, w.a), term_int(t, 2)));
  cr_assert(store_restate(w.store, broadcasts(&w, half, term_min(t, half, term_int(t, 1500))), &r));
  expect(&r, REL_LE, w.a, term_int(t, 3000));
  arena_destroy(&w.arena);
}

Test(restate, a_disjunction_stays) {
  world w;
  restatement r;
  world_open_store(&w, WORLD_STEPS, 2, 0);
  term_table *t = &w.terms;
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
  world_open_store(&w, WORLD_STEPS, 2, 0);
  term_table *t = &w.terms;
  store_add(w.store, predicate_make(REL_LE, w.b, term_int(t, 9)),
            (reason){.kind = REASON_OP, .what = "test"});
  // Under b <= 9 this would be a <= b.
  predicate p = predicate_make(REL_LE, w.a, term_min(t, w.b, term_int(t, 9)));
  cr_expect(!store_restate(w.store, p, &r));
  arena_destroy(&w.arena);
}
