// SPDX-License-Identifier: Apache-2.0
// Clamps of sums of minima, and what is none.
#include <criterion/criterion.h>

#include "solver/decide/query.h"
#include "tests/unit/world.h"

#define S(i) (w.symbols[i].symbol)

static const query_spelling *clamp_of(asked_world *w, term_id t) {
  query_simple found = query_simplify(&w->q, t, &(simplify_options){.spell = query_spellings});
  query_spelling *copy = arena_alloc(&w->arena, sizeof *copy);
  *copy = found.spelling;
  return copy;
}

static term_id middle(asked_world *w, term_id x, term_id y, term_id z) {
  return term_max(&w->terms, term_min(&w->terms, x, z), y);
}

Test(clamp, a_maximum_of_a_minimum) {
  asked_world w;
  asked_world_open(&w, 10000000);
  const query_spelling *x = clamp_of(&w, middle(&w, S(0), S(1), S(2)));
  cr_assert(x->found && !x->min_outside);
  cr_expect(x->c == S(1) && x->a != x->b && x->a != S(1) && x->b != S(1));
  arena_destroy(&w.arena);
}

Test(
    clamp,
    a_difference_of_two_minima) {  // min(b, 4*a + 63) - min(4*a, b - 3) is max(min(b - 4*a, 63), 3)
  asked_world w;
  asked_world_open(&w, 10000000);
  term_table *t = &w.terms;
  term_id four = term_scale(t, S(0), NUM(4));
  term_id up = term_min(t, S(1), term_add(t, four, term_int(t, 63)));
  term_id down = term_min(t, four, term_sub(t, S(1), term_int(t, 3)));
  const query_spelling *x = clamp_of(&w, term_sub(t, up, down));
  cr_assert(x->found);
  term_id inner = x->min_outside ? term_max(t, x->a, x->b) : term_min(t, x->a, x->b);
  term_id whole = x->min_outside ? term_min(t, inner, x->c) : term_max(t, inner, x->c);
  predicate same = predicate_make(REL_EQ, whole, term_sub(t, up, down));
  cr_expect(query_ask(&w.q, same).answer == SHAPE_YES);
  cr_expect(term_const_value(t, x->c, &(num){0}));
  arena_destroy(&w.arena);
}

Test(clamp, what_is_none) {
  asked_world w;
  asked_world_open(&w, 10000000);
  term_table *t = &w.terms;
  term_id sum = term_add(t, term_min(t, S(0), S(1)), term_min(t, S(1), S(2)));
  cr_expect(!clamp_of(&w, sum)->found);
  cr_expect(!clamp_of(&w, S(0))->found);
  cr_expect(!clamp_of(&w, TERM_ZERO)->found);
  arena_destroy(&w.arena);
}
