// SPDX-License-Identifier: Apache-2.0
// Which items speak of a symbol, and the symbols and the table of a query.
#include <criterion/criterion.h>

#include "solver/report/uses.h"
#include "solver/report/work.h"
#include "tests/unit/report/fixture.h"

Test(uses, of_a_symbol_are_in_the_order_in_which_they_were_added) {
  fixture f;
  fixture_open(&f, 3);
  shape_report *r = fixture_report(&f);
  symbol_uses u = {.r = r};
  term_id twice = term_mul(&f.terms, f.size[0], f.size[0]);
  uses_add(&u, 4, predicate_make(REL_EQ, twice, f.size[0]));
  uses_add(&u, 2, predicate_make(REL_LE, f.size[0], f.size[1]));
  uint32_t last = uses_of(&u, f.size[0]);
  cr_assert_neq(last, ID_NONE);
  cr_expect_eq(u.list[last].item, 2);
  cr_assert_neq(u.list[last].next, ID_NONE);
  cr_expect_eq(u.list[u.list[last].next].item, 4);
  cr_expect_eq(u.list[u.list[last].next].next, ID_NONE, "an item is there once");
  cr_expect_eq(u.list[uses_of(&u, f.size[1])].next, ID_NONE);
  cr_expect_eq(uses_of(&u, f.size[2]), ID_NONE);
  fixture_close(&f);
}

Test(uses, symbols_are_met_once_with_what_is_declared_of_them) {
  fixture f;
  fixture_open(&f, 2);
  met_symbols m = {.r = fixture_report(&f)};
  met_symbols_add(&m, predicate_make(REL_LE, f.size[1], f.size[0]));
  met_symbols_add(&m, predicate_make(REL_EQ, f.size[0], TERM_ONE));
  cr_assert_eq(m.count, 2);
  met_symbols other = {.r = m.r};
  symbol_uses u = {.r = m.r};
  uses_add(&u, 0, predicate_make(REL_LE, TERM_ZERO, TERM_ONE));
  uses_add(&u, 1, predicate_make(REL_LE, f.size[1], f.size[0]));
  met_symbols_add_item(&other, &u, 0, 0);
  cr_expect_eq(other.count, 0, "it has none");
  met_symbols_add_item(&other, &u, 1, 0);
  cr_expect_eq(other.count, 2);
  cr_expect_eq(other.items[0].symbol, f.size[1]);
  cr_expect_eq(m.items[0].symbol, f.size[1]);
  cr_expect_eq(m.items[1].symbol, f.size[0]);
  cr_expect(m.items[0].range.has_lo && num_is(m.items[0].range.lo, 0));
  fixture_close(&f);
}

Test(uses, a_small_query_has_terms_and_steps_of_its_own) {
  fixture f;
  fixture_open(&f, 2);
  shape_report *r = fixture_report(&f);
  small_query s;
  small_query_open(&s, r, 1000);
  term_id sum = term_add(&f.terms, f.size[0], f.size[1]);
  uint64_t spent = r->work->budget->steps_used;
  uint32_t terms = f.terms.count;
  cr_expect_eq(term_get(&s.terms, extract_term(&s.from, sum))->count, 2);
  cr_expect_eq(f.terms.count, terms);
  budget_take(&s.allowance, 10);
  cr_expect_eq(r->work->budget->steps_used, spent);
  fixture_close(&f);
}
