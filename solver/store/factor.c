// SPDX-License-Identifier: Apache-2.0
// The theory of products: common factors that are proven not to be zero are cancelled, and only those.
#include "solver/store/core.h"

// Divides the factors of the monomial f that are proven nonzero out of *e; what is left of f is in *zero.
static bool cancel(shape_store *s, term_id f, term_id *e, term_id *zero, proof_id *proof) {
  bool any = false;
  *zero = TERM_ONE;
  term_power room;
  const term_power *powers;
  uint32_t count = term_powers(s->terms, f, &powers, &room);
  for (uint32_t i = 0; i < count; i++) {
    term_powers(s->terms, f, &powers, &room);
    term_power power = powers[i];
    proof_id why = PROOF_NONE;
    term_id factor = term_pow(s->terms, power.atom, power.exponent), q;
    if (range_nonzero(s, power.atom, &why) && term_divide_exact(s->terms, *e, factor, &q)) {
      *proof = proof_join(s, *proof, why);
      *e = q;
      any = true;
    } else {
      *zero = term_mul(s->terms, *zero, power.atom);
    }
  }
  return any;
}

// The monomial that divides every part of t, without its coefficient; TERM_ONE where there is none.
static term_id common_monomial(shape_store *s, term_id t) {
  term_id f = term_common_factor(s->terms, t);
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(s->terms, f, &parts, &room);
  return count == 1 ? parts[0].monomial : TERM_ONE;
}

static theory_result tell_equation(shape_store *s, const store_event *event) {
  term_id f = common_monomial(s, event->term);
  if (f == TERM_ONE) return THEORY_PASS;
  term_id e = event->term, zero, q;
  proof_id proof = event->proof;
  if (cancel(s, f, &e, &zero, &proof)) {
    store_post(s, EVENT_EQ, e, proof);
    return THEORY_DONE;
  }
  // f * q == 0 with q not zero, or no q: one factor is zero, and there is only one.
  if (!term_divide_exact(s->terms, e, f, &q)) return THEORY_PASS;
  if (q != TERM_ONE && !range_nonzero(s, q, &proof)) return THEORY_PASS;
  if (!term_is_atom(s->terms, zero)) {
    if (e == zero) return THEORY_PASS;
    store_post(s, EVENT_EQ, zero, proof);
    return THEORY_DONE;
  }
  if (zero == e) return THEORY_PASS;
  store_post(s, EVENT_EQ, zero, proof);
  return THEORY_DONE;
}

static bool is_positive(shape_store *s, term_id t, proof_id *proof) {
  if (!interval_is_positive(range_of(s, t, WANT_LO, NULL))) return false;
  range_of(s, t, WANT_LO, proof);
  return true;
}

// f*q >= 0 with f > 0 gives q >= 0.
static theory_result tell_inequality(shape_store *s, const store_event *event) {
  if (term_kind_of(s->terms, event->term) != TERM_SUM) return THEORY_PASS;
  term_id f = common_monomial(s, event->term), q;
  proof_id proof = event->proof;
  if (f == TERM_ONE || !is_positive(s, f, &proof)) return THEORY_PASS;
  if (!term_divide_exact(s->terms, event->term, f, &q)) return THEORY_PASS;
  if (term_kind_of(s->terms, q) == TERM_CONST) return THEORY_PASS;
  store_post(s, EVENT_GE, q, proof);
  return THEORY_PASS;  // the product itself is kept too
}

static theory_result tell(shape_store *s, const store_event *event) {
  switch (event->kind) {
  case EVENT_EQ: return tell_equation(s, event);
  case EVENT_GE: return tell_inequality(s, event);
  case EVENT_NE: {
    if (term_kind_of(s->terms, event->term) != TERM_PRODUCT) return THEORY_PASS;
    uint32_t count = term_get(s->terms, event->term)->count;
    for (uint32_t i = 0; i < count; i++) {
      term_id atom = term_get(s->terms, event->term)->as.powers[i].atom;
      store_post(s, EVENT_NE, atom, event->proof);
    }
    return THEORY_DONE;
  }
  default: return THEORY_PASS;
  }
}

const theory factor_theory = {.name = "factor", .tell = tell};
