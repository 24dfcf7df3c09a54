// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>

#include "tests/unit/report/fixture.h"

static const report_symbol *symbol_named(const shape_report *r, const char *name) {
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    const report_text *text = &r->symbols[i].name;
    if (text->length == strlen(name) && memcmp(text->text, name, text->length) == 0)
      return &r->symbols[i];
  }
  return NULL;
}

Test(report, names_in_order_of_first_appearance) {
  fixture f;
  fixture_open(&f, 3);
  term_id hidden = fixture_opaque(&f);
  shape_report *r = fixture_report(&f);
  cr_expect_str_eq(fixture_text(&f, r, f.size[0]), "S0");
  cr_expect_str_eq(fixture_text(&f, r, f.size[2]), "S2");
  cr_expect_str_eq(fixture_text(&f, r, hidden), "S3");
  const report_symbol *s = symbol_named(r, "S1");
  cr_assert_not_null(s);
  cr_expect_eq(s->origin, FROM_ARGUMENT_SIZE);
  cr_expect_eq(s->axis, 1);
  fixture_close(&f);
}

Test(report, never_gives_an_authors_name_away) {
  fixture f;
  fixture_open(&f, 2);
  term_id named = fixture_declare(&f, "S0");
  shape_report *r = fixture_report(&f);
  cr_expect_str_eq(fixture_text(&f, r, named), "S0");
  cr_expect_str_eq(fixture_text(&f, r, f.size[0]), "S1");
  cr_expect_str_eq(fixture_text(&f, r, f.size[1]), "S2");
  fixture_close(&f);
}

Test(report, quotes_names_that_are_no_words) {
  fixture f;
  fixture_open(&f, 1);
  term_id named = fixture_declare(&f, "batch size");
  shape_report *r = fixture_report(&f);
  cr_expect_str_eq(fixture_text(&f, r, term_add(&f.terms, named, TERM_ONE)), "\"batch size\" + 1");
  fixture_close(&f);
}

Test(report, authors_names_survive_merges) {
  fixture f;
  fixture_open(&f, 2);
  term_id batch = fixture_declare(&f, "batch");
  fixture_require(&f, REL_EQ, f.size[0], batch);
  fixture_require(&f, REL_EQ, f.size[1], f.size[0]);
  shape_report *r = fixture_report(&f);
  cr_expect_str_eq(fixture_text(&f, r, f.size[1]), "batch");
  cr_expect_str_eq(fixture_list(&f, &r->constraints), "");
  const report_symbol *s = symbol_named(r, "batch");
  cr_assert_not_null(s);
  cr_expect_eq(s->origin, FROM_DECLARATION);
  cr_expect_eq(s->argument, 0);
  cr_expect_eq(s->axis, 0);
  fixture_close(&f);
}

Test(report, two_names_of_one_class_are_told) {
  fixture f;
  fixture_open(&f, 1);
  term_id n = fixture_declare(&f, "N"), m = fixture_declare(&f, "M");
  fixture_require(&f, REL_EQ, n, m);
  shape_report *r = fixture_report(&f);
  cr_expect_str_eq(fixture_text(&f, r, m), "N");
  cr_expect_str_eq(fixture_list(&f, &r->constraints), "N == M");
  const report_symbol *s = symbol_named(r, "M");
  cr_assert_not_null(s);
  cr_expect_eq(s->definition.length, 1);
  cr_expect_eq(s->definition.text[0], 'N');
  fixture_close(&f);
}

Test(report, a_divisible_size_keeps_its_symbol) {
  fixture f;
  fixture_open(&f, 2);
  term_id four = term_int(&f.terms, 4);
  fixture_require(&f, REL_DIVISIBLE, f.size[0], four);
  term_id quarter = term_floordiv(&f.terms, f.size[0], four);
  shape_report *r = fixture_report(&f);
  cr_expect_str_eq(fixture_text(&f, r, f.size[0]), "S0");
  cr_expect_str_eq(fixture_text(&f, r, quarter), "floordiv(S0, 4)");
  cr_expect_str_eq(fixture_text(&f, r, term_scale(&f.terms, quarter, NUM(8))), "2*S0");
  cr_expect_str_eq(fixture_text(&f, r, term_mul(&f.terms, quarter, f.size[1])),
                   "S1*floordiv(S0, 4)");
  cr_expect_str_eq(fixture_text(&f, r, term_mul(&f.terms, f.size[0], f.size[0])), "S0*S0");
  cr_expect_str_eq(fixture_list(&f, &r->constraints), "mod(S0, 4) == 0");
  cr_expect_str_eq(fixture_list(&f, &r->guards), "mod(S0, 4) == 0");
  const report_symbol *s = symbol_named(r, "S0");
  cr_assert_not_null(s);
  cr_expect(num_is(s->divisible_by, 4));
  cr_expect_eq(s->definition.text, NULL);
  fixture_close(&f);
}

Test(report, a_made_size_is_told_by_the_argument) {
  fixture f;
  fixture_open(&f, 1);
  term_id made = fixture_opaque(&f);
  fixture_require(&f, REL_EQ, term_scale(&f.terms, made, NUM(4)), f.size[0]);
  shape_report *r = fixture_report(&f);
  cr_expect_str_eq(fixture_text(&f, r, f.size[0]), "S0");
  cr_expect_str_eq(fixture_text(&f, r, made), "floordiv(S0, 4)");
  cr_expect_str_eq(fixture_list(&f, &r->constraints), "mod(S0, 4) == 0");
  cr_expect(r->refinable);
  fixture_close(&f);
}

Test(report, lists_no_implied_constraint) {
  fixture f;
  fixture_open(&f, 3);
  fixture_require(&f, REL_LE, f.size[0], f.size[1]);
  fixture_require(&f, REL_LE, f.size[0], f.size[2]);
  fixture_require(&f, REL_LE, f.size[1], f.size[2]);
  fixture_require(&f, REL_LE, f.size[1], f.size[2]);
  fixture_require(&f, REL_GE, f.size[0], TERM_ZERO);
  shape_report *r = fixture_report(&f);
  cr_expect_str_eq(fixture_list(&f, &r->constraints), "S0 <= S1; S1 <= S2");
  cr_expect_str_eq(fixture_list(&f, &r->guards), "S0 <= S1; S1 <= S2");
  fixture_close(&f);
}

Test(report, guards_speak_of_arguments_only) {
  fixture f;
  fixture_open(&f, 1);
  term_id made = fixture_opaque(&f);
  fixture_claim(&f, REL_LE, made, f.size[0], true);
  shape_report *r = fixture_report(&f);
  cr_expect_eq(r->constraints.count, 1);
  cr_expect_eq(r->guards.count, 0);
  cr_assert_eq(r->unchecked_count, 1);
  cr_expect_str_eq(r->unchecked[0].requirement, "it is required");
  fixture_close(&f);
}

Test(report, requirements_add_up) {
  fixture f;
  fixture_open(&f, 2);
  term_id made = fixture_opaque(&f);
  fixture_require(&f, REL_LE, f.size[0], term_int(&f.terms, 9));
  fixture_require(&f, REL_LE, f.size[0], f.size[1]);
  fixture_claim(&f, REL_LE, f.size[0], f.size[1], true);
  fixture_claim(&f, REL_GE, f.size[0], TERM_ZERO, true);
  fixture_claim(&f, REL_LE, made, f.size[0], true);
  fixture_claim(&f, REL_LE, f.size[1], made, true);
  f.log.proven = 5;
  shape_report *r = fixture_report(&f);
  cr_expect_str_eq(fixture_list(&f, &r->guards), "S0 <= 9; S0 <= S1");
  cr_expect_eq(r->unchecked_count, 1, "one for each operation and requirement");
  cr_expect_eq(r->ledger.guards, 2);
  cr_expect_eq(r->ledger.unchecked, 1);
  cr_expect_eq(r->ledger.proven, 5 + 2);
  cr_expect_eq(r->ledger.requirements, 10);
  fixture_close(&f);
}

typedef struct kind_case {
  constraint_kind kind;
  const char *expr;
} kind_case;

Test(report, classifies) {
  fixture f;
  fixture_open(&f, 4);
  term_table *t = &f.terms;
  term_id a = f.size[0], b = f.size[1], c = f.size[2], d = f.size[3];
  fixture_claim(&f, REL_EQ, term_mul(t, a, b), term_mul(t, c, d), false);
  fixture_claim(&f, REL_EQ, a, term_mul(t, b, c), false);
  fixture_claim(&f, REL_EQ, a, term_add(t, term_scale(t, b, NUM(4)), TERM_ONE), false);
  fixture_claim(&f, REL_EQ, term_scale(t, a, NUM(3)), term_scale(t, b, NUM(3)), false);
  fixture_claim(&f, REL_LT, a, b, false);
  fixture_claim(&f, REL_GE, c, term_int(t, 2), false);
  fixture_claim(&f, REL_LE, term_scale(t, a, NUM(2)), term_int(t, 9), false);
  fixture_claim(&f, REL_NE, a, d, false);
  fixture_claim(&f, REL_DIVISIBLE, term_scale(t, d, NUM(2)), term_int(t, 6), false);
  shape_report *r = fixture_report(&f);
  static const kind_case want[] = {{CONSTRAINT_GROUP_MUL_EQ, "S0*S1 == S2*S3"},
                                   {CONSTRAINT_MUL_EQ, "S0 == S1*S2"},
                                   {CONSTRAINT_AFFINE_EQ, "S0 == 4*S1 + 1"},
                                   {CONSTRAINT_EQ, "S0 == S1"},
                                   {CONSTRAINT_LT, "S0 < S1"},
                                   {CONSTRAINT_LE, "S2 >= 2"},
                                   {CONSTRAINT_LE, "S0 <= 4"},
                                   {CONSTRAINT_NE, "S0 != S3"},
                                   {CONSTRAINT_DIVISIBLE, "mod(S3, 3) == 0"}};
  // The claims contradict one another, so none of them is dropped as implied by the rest.
  for (uint32_t i = 0; i < sizeof want / sizeof *want; i++) {
    bool found = false;
    for (uint32_t k = 0; k < r->constraints.count; k++) {
      const report_constraint *got = &r->constraints.items[k];
      if (got->expr.length == strlen(want[i].expr) &&
          memcmp(got->expr.text, want[i].expr, got->expr.length) == 0) {
        cr_expect_eq(got->kind, want[i].kind, "%s", want[i].expr);
        found = true;
      }
    }
    cr_expect(found, "%s is not in %s", want[i].expr, fixture_list(&f, &r->constraints));
  }
  fixture_close(&f);
}

// Nothing at the start of a run determines x and y: with S0 := x*y the check of S0 could not be written.
Test(report, computed_sizes_do_not_hide_those_of_arguments) {
  fixture f;
  fixture_open(&f, 2);
  term_id x = fixture_opaque(&f), y = fixture_opaque(&f);
  fixture_require(&f, REL_EQ, f.size[0], term_mul(&f.terms, x, y));
  fixture_require(
      &f, REL_EQ, f.size[1],
      term_add(&f.terms, term_scale(&f.terms, x, NUM(2)), term_scale(&f.terms, y, NUM(3))));
  fixture_require(&f, REL_GE, f.size[0], term_int(&f.terms, 3));
  fixture_require(&f, REL_GE, f.size[1], term_int(&f.terms, 4));
  shape_report *r = fixture_report(&f);
  cr_expect_str_eq(fixture_text(&f, r, f.size[0]), "S0");
  cr_expect_str_eq(fixture_text(&f, r, f.size[1]), "S1");
  cr_expect_str_eq(fixture_list(&f, &r->guards), "S0 >= 3; S1 >= 4");
  fixture_close(&f);
}
