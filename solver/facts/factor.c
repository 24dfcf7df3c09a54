// SPDX-License-Identifier: Apache-2.0
// The theory of products: common factors that are proven not to be zero are cancelled, and only those.
#include <assert.h>

#include "solver/facts/core.h"

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

// --- sums as factors

static uint32_t exponent_of(const term_table *terms, term_id monomial, term_id atom) {
  term_power room;
  const term_power *powers;
  uint32_t count = term_powers(terms, monomial, &powers, &room);
  for (uint32_t i = 0; i < count; i++) {
    if (powers[i].atom == atom) return powers[i].exponent;
  }
  return 0;
}

// The sum that x is multiplied by in t, where x is there to the first power only; else TERM_ZERO.
static term_id cofactor(shape_store *s, term_id t, term_id x) {
  assert(term_is_atom(s->terms, x));
  term_id sum = TERM_ZERO, rest;
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(s->terms, t, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    term_parts(s->terms, t, &parts, &room);
    term_part part = parts[i];
    uint32_t exponent = part.monomial == TERM_ONE ? 0 : exponent_of(s->terms, part.monomial, x);
    if (exponent > 1) return TERM_ZERO;
    if (!exponent || !term_divide_exact(s->terms, part.monomial, x, &rest)) continue;
    sum = term_add(s->terms, sum, term_scale(s->terms, rest, part.coefficient));
  }
  return sum;
}

// t == f*q for a sum f that `holds` of: (a + 1)*b - (a + 1)*c is (a + 1)*(b - c). What x is multiplied by is such an f, if
// there is one.
static bool sum_factor(shape_store *s, term_id t, bool (*holds)(shape_store *, term_id, proof_id *),
                       term_id *q, proof_id *proof) {
  term_id tried[FACTS_FACTORS_TRIED], found[FACTS_FACTORS_TRIED];  // atoms, and what they give
  uint32_t tries = 0;
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(s->terms, t, &parts, &room);
  if (count < 4 || count > FACTS_RULE_PARTS) return false;
  for (uint32_t i = 0; i < count; i++) {
    term_parts(s->terms, t, &parts, &room);
    if (parts[i].monomial == TERM_ONE || term_get(s->terms, parts[i].monomial)->degree < 2)
      continue;
    term_power one;
    const term_power *powers;
    term_id monomial = parts[i].monomial;
    uint32_t n = term_powers(s->terms, monomial, &powers, &one);
    for (uint32_t j = 0; j < n && tries < FACTS_FACTORS_TRIED; j++) {
      term_powers(s->terms, monomial, &powers, &one);
      term_id x = powers[j].atom;
      bool again = false;
      for (uint32_t k = 0; k < tries; k++) again |= tried[k] == x;
      if (again) continue;
      term_id f = cofactor(s, t, x);
      for (uint32_t k = 0; k < tries; k++) again |= found[k] == f;
      tried[tries] = x;
      found[tries++] = f;
      if (again) continue;
      if (term_kind_of(s->terms, f) != TERM_SUM || !term_divide_exact(s->terms, t, f, q)) continue;
      if (holds(s, f, proof)) return true;
      f = term_neg(s->terms, f);
      *q = term_neg(s->terms, *q);
      if (holds(s, f, proof)) return true;
    }
  }
  return false;
}

// --- products == products

// Which of two atoms counts more in the order of monomials: quotients and the like before symbols, and symbols as they
// are eliminated, so that products of results give way to products of arguments.
static bool atom_before(shape_store *s, term_id a, term_id b) {
  bool x = term_kind_of(s->terms, a) == TERM_SYMBOL, y = term_kind_of(s->terms, b) == TERM_SYMBOL;
  if (x && y) return equality_goes_first(s, a, b);
  return x != y ? y : term_order(s->terms, a, b) > 0;
}

// The degree in all atoms, or in the open ones alone.
static uint64_t degree_of(shape_store *s, term_id monomial, bool open) {
  if (monomial == TERM_ONE) return 0;
  term_power room;
  const term_power *powers;
  uint32_t count = term_powers(s->terms, monomial, &powers, &room);
  uint64_t degree = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!open || store_speaks_open(s, powers[i].atom)) degree += powers[i].exponent;
  }
  return degree;
}

// The first atom, by atom_before, of `a` with another exponent in b; `best` when that comes first.
static term_id first_difference(shape_store *s, term_id a, term_id b, term_id best) {
  term_power room;
  const term_power *powers;
  uint32_t count = term_powers(s->terms, a, &powers, &room);
  for (uint32_t i = 0; i < count; i++) {
    term_powers(s->terms, a, &powers, &room);
    term_power power = powers[i];
    if (exponent_of(s->terms, b, power.atom) == power.exponent) continue;
    if (best == TERM_NONE || atom_before(s, power.atom, best)) best = power.atom;
  }
  return best;
}

// The order of monomials, total and kept by multiplication: by the degree in open atoms, so that dims of arguments are
// never rewritten into what only a run can determine (see linear.c), then graded lexicographic.
static bool is_greater(shape_store *s, term_id a, term_id b) {
  if (a == b) return false;
  uint64_t x = degree_of(s, a, true), y = degree_of(s, b, true);
  if (x == y) {
    x = degree_of(s, a, false);
    y = degree_of(s, b, false);
  }
  if (x != y) return x > y;
  term_id atom = first_difference(s, a, b, TERM_NONE);
  atom = first_difference(s, b, a, atom);
  assert(atom != TERM_NONE);
  return exponent_of(s->terms, a, atom) > exponent_of(s->terms, b, atom);
}

// A multiple of the product is inside an atom of t, so a rule for it could bring itself back.
static bool holds_inside(shape_store *s, term_id t, term_id product, bool inside) {
  const term_node *node = term_get(s->terms, t);
  switch (node->kind) {
  case TERM_CONST:
  case TERM_SYMBOL: return false;
  case TERM_SUM:
    for (uint32_t i = 0; i < node->count; i++) {
      if (holds_inside(s, node->as.parts[i].monomial, product, inside)) return true;
    }
    return false;
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < node->count; i++) {
      if (holds_inside(s, node->as.powers[i].atom, product, true)) return true;
    }
    return inside && canon_divides(s->terms, product, t);
  default:
    for (uint32_t i = 0; i < node->count; i++) {
      if (holds_inside(s, node->as.args[i], product, true)) return true;
    }
    return false;
  }
}

// e == 0 becomes a rule for its greatest monomial, where that is a product with a unit coefficient.
static theory_result make_rule(shape_store *s, term_id e, proof_id proof) {
  if (s->bus.credit < FACTS_RULE_COST) return THEORY_PASS;
  num k, offset;
  term_id base = form_split(s, e, &k, &offset);
  num value = num_neg(s->budget, num_floordiv(s->budget, offset, k));
  const term_part *parts;
  term_part room, best = {NUM(0), TERM_NONE};
  uint32_t count = term_parts(s->terms, base, &parts, &room);
  if (count > FACTS_RULE_PARTS) return THEORY_PASS;
  for (uint32_t i = 0; i < count; i++) {
    term_parts(s->terms, base, &parts, &room);
    term_part part = parts[i];
    if (best.monomial == TERM_NONE || is_greater(s, part.monomial, best.monomial)) best = part;
  }
  bool is_unit = num_is(best.coefficient, 1) || num_is(best.coefficient, -1);
  if (!is_unit || term_kind_of(s->terms, best.monomial) != TERM_PRODUCT) return THEORY_PASS;
  if (holds_inside(s, base, best.monomial, false)) return THEORY_PASS;
  s->bus.credit -= FACTS_RULE_COST;
  term_id rest = term_sub(s->terms, term_const(s->terms, value), base);
  rest = term_add(s->terms, rest, term_scale(s->terms, best.monomial, best.coefficient));
  if (num_is(best.coefficient, -1)) rest = term_neg(s->terms, rest);
  uint32_t form = form_make(s, base);
  if (!form_bound_low(s, form, value, proof)) return THEORY_CONFLICT;
  if (!form_bound_high(s, form, value, proof)) return THEORY_CONFLICT;
  form_touch(s, form);
  canon_define_product(s, best.monomial, rest, form, proof);
  return THEORY_DONE;
}

static theory_result solve_factors(shape_store *s, const store_event *event) {
  term_id f = common_monomial(s, event->term);
  term_id e = event->term, zero, q;
  proof_id proof = event->proof, why = PROOF_NONE;
  if (sum_factor(s, e, range_nonzero, &q, &why)) {
    store_post(s, EVENT_EQ, q, proof_join(s, proof, why));
    return THEORY_DONE;
  }
  if (f == TERM_ONE) return THEORY_PASS;
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

static theory_result tell_equation(shape_store *s, const store_event *event) {
  theory_result result = solve_factors(s, event);
  return result == THEORY_PASS ? make_rule(s, event->term, event->proof) : result;
}

// A factor of a kept equation may be known not to be zero by now: then it is solved again.
static theory_result propagate(shape_store *s, uint32_t id) {
  const store_form *form = &s->forms.items[id];
  if (form->rule == TERM_NONE || !form->live) return THEORY_PASS;
  assert(form->range.has_lo && form->range.has_hi);
  num value = form->range.lo;
  if (!num_is_zero(value)) return THEORY_PASS;
  term_id f = common_monomial(s, form->term), e = form->term, zero;
  proof_id proof = PROOF_NONE;
  if ((f != TERM_ONE && cancel(s, f, &e, &zero, &proof)) ||
      sum_factor(s, form->term, range_nonzero, &e, &proof))
    form_release(s, id);
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
  proof_id proof = event->proof, why = PROOF_NONE;
  if (sum_factor(s, event->term, is_positive, &q, &why)) {
    store_post(s, EVENT_GE, q, proof_join(s, proof, why));
    return THEORY_PASS;
  }
  if (f == TERM_ONE || !is_positive(s, f, &proof)) return THEORY_PASS;
  if (!term_divide_exact(s->terms, event->term, f, &q)) return THEORY_PASS;
  if (term_kind_of(s->terms, q) == TERM_CONST) return THEORY_PASS;
  store_post(s, EVENT_GE, q, proof);
  return THEORY_PASS;  // the product itself is kept too
}

static theory_result notify(shape_store *s, const store_event *event) {
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

const theory factor_theory = {.notify = notify, .propagate = propagate};
