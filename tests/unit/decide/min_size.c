// SPDX-License-Identifier: Apache-2.0
// The least size of a text.
#include <criterion/criterion.h>

#include "solver/decide/query.h"
#include "tests/unit/world.h"

#define S(i) (w.symbols[i].symbol)

static uint32_t min_size_of(asked_world *w, term_id t) {
  return query_simplify(&w->q, t, &(simplify_options){.spell = query_spellings}).min_size;
}

Test(min_size, names_and_what_joins_them) {
  asked_world w;
  asked_world_open(&w, 10000000);
  term_table *t = &w.terms;
  cr_expect(min_size_of(&w, term_floordiv(t, S(0), term_int(t, 3))) == 3);
  cr_expect(min_size_of(&w, term_min(t, S(0), S(1))) == 3);
  cr_expect(min_size_of(&w, term_mul(t, S(1), term_mod(t, S(0), term_int(t, 5)))) == 3);
  cr_expect(min_size_of(&w, term_min_of(t, (term_id[3]){S(0), S(1), S(2)}, 3)) == 4);
  cr_expect(min_size_of(&w, term_max_of(t, (term_id[3]){S(0), S(1), S(2)}, 3)) == 4);
  cr_expect(min_size_of(&w, term_max(t, term_min(t, S(0), S(1)), S(2))) == 5);
  cr_expect(min_size_of(&w, term_add(t, S(2), term_min(t, S(0), S(1)))) == 5);
  arena_destroy(&w.arena);
}

Test(min_size, of_what_is_no_sum_of_extrema_nothing_is_known) {
  asked_world w;
  asked_world_open(&w, 10000000);
  cr_expect(min_size_of(&w, term_is_zero(&w.terms, term_sub(&w.terms, S(0), S(1)))) == 0);
  arena_destroy(&w.arena);
}
