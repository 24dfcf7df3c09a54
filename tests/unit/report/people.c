// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>

#include "solver/report/people.h"
#include "tests/unit/report/fixture.h"

static const char *said(fixture *f, shape_report *r, relation rel, term_id a, term_id b) {
  report_text text = people_predicate(r, predicate_make(rel, a, b));
  return text.length ? arena_strndup(&f->arena, text.text, text.length) : "";
}

Test(people, two_dims_that_broadcast_are_said_without_the_function) {
  fixture f;
  fixture_open(&f, 2);
  shape_report *r = fixture_report(&f);
  term_id a = f.size[0], b = f.size[1], one = TERM_ONE, eight = term_int(&f.terms, 8);
  term_id ab = term_bcast(&f.terms, a, b), ba = term_bcast(&f.terms, b, a);
  term_id a8 = term_bcast(&f.terms, a, eight);
  cr_expect_str_eq(said(&f, r, REL_EQ, ab, ba), "S0 == S1, or one of them is 1");
  cr_expect_str_eq(said(&f, r, REL_EQ, ab, b), "S0 == S1, or S0 is 1");
  cr_expect_str_eq(said(&f, r, REL_EQ, b, ab), "S0 == S1, or S0 is 1");
  cr_expect_str_eq(said(&f, r, REL_EQ, ab, a), "S1 == 1 where S0 is 1");
  cr_expect_str_eq(said(&f, r, REL_EQ, a8, eight), "S0 == 8, or it is 1");
  term_id blocks = term_add(&f.terms, a, one);
  term_id joined = term_bcast(&f.terms, blocks, term_int(&f.terms, 17));
  cr_expect_str_eq(said(&f, r, REL_EQ, joined, term_int(&f.terms, 17)), "S0 == 16, or it is 0");
  cr_expect_str_eq(said(&f, r, REL_EQ, a, b), "");
  cr_expect_str_eq(said(&f, r, REL_LE, ab, ba), "");
  cr_expect_str_eq(said(&f, r, REL_EQ, ab, one), "");
  fixture_close(&f);
}

// What is said is what holds, at every point.
Test(people, what_is_said_has_the_same_points) {
  for (int64_t a = 0; a < 5; a++) {
    for (int64_t b = 0; b < 5; b++) {
      int64_t ab = a == 1 ? b : a, ba = b == 1 ? a : b;
      cr_expect_eq(ab == ba, a == b || a == 1 || b == 1);
      cr_expect_eq(ab == b, a == b || a == 1);
      cr_expect_eq(ab == a, a != 1 || b == 1);
    }
  }
}

Test(people, elements_that_nothing_shown_speaks_of_are_left_out) {
  fixture f;
  fixture_open(&f, 2);
  term_id hidden = fixture_opaque(&f);
  shape_report *r = fixture_report(&f);
  const bool *shown = people_symbols(r);
  for (uint32_t i = 0; i < r->symbol_count; i++)
    cr_expect_eq(shown[i], r->symbols[i].term != hidden, "%u", i);
  cr_expect_not(people_see_bcast(r));
  fixture_close(&f);
}
