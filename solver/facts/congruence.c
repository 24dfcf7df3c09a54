// SPDX-License-Identifier: Apache-2.0
// The theory of m | e for a constant m (Granger, Static analysis of linear congruence equalities, 1991).
//
// k*q + c == 0 (mod m) is brought to q == r (mod m/gcd(k, m)) for the form q, which keeps the residue. Where the form can
// be solved for a symbol, q == m*t + r with a fresh t goes to the equations, so that quotients by m become t.
#include <assert.h>

#include "solver/facts/core.h"

// The inverse of k modulo m, where gcd(k, m) == 1.
static num inverse(shape_budget *b, num k, num m) {
  num s, t;
  num_gcd_ext(b, k, m, &s, &t);
  return num_mod(b, s, m);
}

// A symbol of the form that an equation q == m*t + r can be solved for.
static bool is_solvable(shape_store *s, term_id q, num m) {
  uint32_t inner = canon_mark_inner(s, q);
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(s->terms, q, &parts, &room);
  num g = m;
  bool found = false;
  for (uint32_t i = 0; i < count; i++) {
    if (term_kind_of(s->terms, parts[i].monomial) != TERM_SYMBOL) continue;
    if (canon_is_marked(s, parts[i].monomial, inner)) continue;
    g = num_gcd(s->budget, g, parts[i].coefficient);
    found = true;
  }
  return found && num_is_one(g);
}

static theory_result notify(shape_store *s, const store_event *event) {
  if (event->kind != EVENT_DIV) return THEORY_PASS;
  shape_budget *b = s->budget;
  num k, offset, m = event->modulus;
  assert(num_compare(m, NUM(1)) > 0);
  term_id q = form_split(s, event->term, &k, &offset);
  num g = num_gcd(b, k, m);
  if (!num_divides(b, g, offset)) {
    store_report_conflict(s, event->proof);
    return THEORY_CONFLICT;
  }
  m = num_floordiv(b, m, g);
  if (num_is_one(m)) return THEORY_DONE;
  num r = num_neg(b, num_floordiv(b, offset, g));
  r = num_mod(b, num_mul(b, r, inverse(b, num_floordiv(b, k, g), m)), m);

  residue known = range_residue(s, q, NULL);
  num common = num_gcd(b, known.m, m);
  if (!num_divides(b, common, num_sub(b, known.r, r))) {
    proof_id proof = event->proof;
    range_residue(s, q, &proof);
    store_report_conflict(s, proof);
    return THEORY_CONFLICT;
  }
  if (num_equal(common, m)) return THEORY_DONE;
  if (is_solvable(s, q, m)) {
    term_id rest = term_sub(s->terms, q, term_const(s->terms, r));
    term_id fresh = store_fresh(s, rest, m);
    store_post(s, EVENT_EQ, term_sub(s->terms, rest, term_scale(s->terms, fresh, m)), event->proof);
    return THEORY_DONE;
  }
  if (!form_restrict(s, form_make(s, q), residue_make(b, m, r), event->proof)) {
    return THEORY_CONFLICT;
  }
  return THEORY_DONE;
}

const theory congruence_theory = {.notify = notify};
