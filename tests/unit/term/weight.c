// SPDX-License-Identifier: Apache-2.0
// How large the text of a term is, found without writing it.
#include <criterion/criterion.h>

#include "solver/term/term.h"
#include "tests/unit/world.h"

Test(weight, counts_names_numbers_and_functions) {
  world w;
  world_open(&w, 0, 100000, 0);
  term_table *t = &w.terms;
  term_id a = term_symbol(t), b = term_symbol(t);
  cr_expect_eq(term_weight(t, a), 1);
  cr_expect_eq(term_weight(t, term_int(t, 7)), 1);
  cr_expect_eq(term_weight(t, term_add(t, a, b)), 2);
  cr_expect_eq(term_weight(t, term_add(t, term_mul(t, a, b), TERM_ONE)), 3);
  cr_expect_eq(term_weight(t, term_add(t, term_mul(t, a, b), TERM_ONE)), 3);
  cr_expect_eq(term_weight(t, term_scale(t, a, NUM(INT64_MIN))), 17);
  cr_expect_eq(term_weight(t, term_pow(t, a, 5)), 5);
  cr_expect_eq(term_weight(t, term_floordiv(t, a, b)), 3);
  cr_expect(term_outweighs(t, term_pow(t, a, 1000000), 100000));
  arena_destroy(&w.arena);
}

Test(weight, counts_long_numbers_by_their_length) {
  world w;
  world_open(&w, 0, 100000, 0);
  term_table *t = &w.terms;
  term_id a = term_symbol(t), big = TERM_ONE;
  for (int i = 0; i < 40; i++) big = term_mul(t, big, term_int(t, INT64_C(1) << 62));
  cr_expect_gt(term_weight(t, big), 500);
  cr_expect(term_outweighs(t, term_mul(t, big, a), 500));
  arena_destroy(&w.arena);
}

// The text has 2^60 names.
Test(weight, of_a_text_of_any_size) {
  world w;
  world_open(&w, 0, 100000, 0);
  term_table *t = &w.terms;
  term_id a = term_symbol(t), b = term_symbol(t);
  for (int i = 0; i < 60; i++)
    a = term_add(t, a, term_floordiv(t, term_add(t, a, b), term_int(t, 3)));
  cr_expect(term_outweighs(t, a, UINT32_MAX - 1));
  cr_expect_eq(term_weight(t, a), UINT32_MAX);
  arena_destroy(&w.arena);
}
