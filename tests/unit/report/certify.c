// SPDX-License-Identifier: Apache-2.0
// report_certify: what follows from the facts is confirmed, what was tampered with is not.
#include <criterion/criterion.h>

#include "tests/unit/report/fixture.h"

Test(certify, confirms_what_follows) {
  fixture f;
  fixture_open(&f, 3);
  fixture_require(&f, REL_EQ, f.size[0], f.size[1]);
  fixture_require(&f, REL_LE, f.size[1], f.size[2]);
  fixture_require(&f, REL_DIVISIBLE, f.size[2], term_int(&f.terms, 4));
  shape_report *r = fixture_report(&f);
  cr_assert(r->constraints.count >= 2);
  cr_expect_not(r->certificate.made);
  report_certify(r);
  cr_expect(r->certificate.made);
  cr_expect_eq(r->certificate.constraints,
               r->constraints.count + r->guards.count + r->scoped.count);
  cr_expect_eq(r->certificate.confirmed, r->certificate.constraints);
  cr_expect_eq(r->certificate.implied, r->certificate.implications);
  cr_expect_eq(r->certificate.contradicted, 0);
  // S0 <= S2 needs that both dims are one, and the comparison.
  for (uint32_t i = 0; i < r->constraints.count; i++) {
    const report_constraint *c = &r->constraints.items[i];
    if (c->kind == CONSTRAINT_LE) cr_expect_eq(c->because_count, 2);
    cr_expect_not(c->unconfirmed);
  }
  fixture_close(&f);
}

Test(certify, refuses_what_does_not_follow) {
  fixture f;
  fixture_open(&f, 3);
  fixture_require(&f, REL_LE, f.size[0], f.size[1]);
  fixture_require(&f, REL_DIVISIBLE, f.size[2], term_int(&f.terms, 4));
  shape_report *r = fixture_report(&f);
  uint32_t total = r->constraints.count + r->guards.count;
  cr_assert(total >= 2);
  for (uint32_t i = 0; i < r->constraints.count; i++) {
    report_constraint *c = &r->constraints.items[i];
    if (c->kind == CONSTRAINT_LE) c->p.rel = REL_LT;
    if (c->kind == CONSTRAINT_DIVISIBLE) c->p.right = term_int(&f.terms, 8);
  }
  report_certify(r);
  for (uint32_t i = 0; i < r->constraints.count; i++)
    cr_expect(r->constraints.items[i].unconfirmed, "constraint %u", i);
  cr_expect_eq(r->certificate.confirmed, r->guards.count);
  cr_expect_eq(r->certificate.contradicted, r->constraints.count);
  fixture_close(&f);
}
