// SPDX-License-Identifier: Apache-2.0
// The theory of bounds: facts about forms become their intervals and excluded values; intervals spread through sums,
// products and atoms, each step counted, so that a chain that never settles stops (its answers stay sound).
#include <assert.h>

#include "solver/facts/core.h"

static theory_result done(bool ok) { return ok ? THEORY_DONE : THEORY_CONFLICT; }

static theory_result notify(shape_store *s, const store_event *event) {
  shape_budget *b = s->budget;
  num k, offset;
  if (event->kind == EVENT_GE) {
    interval known = range_of(s, event->term, WANT_LO, NULL);
    if (known.has_lo && num_sign(known.lo) >= 0) return THEORY_DONE;
  } else if (event->kind == EVENT_NE && range_nonzero(s, event->term, NULL)) {
    return THEORY_DONE;
  }
  term_id base = form_split(s, event->term, &k, &offset);
  num minus = num_neg(b, offset);
  switch (event->kind) {
  case EVENT_EQ: {
    if (!num_divides(b, k, offset)) break;  // the linear theory has seen to it
    num value = num_floordiv(b, minus, k);
    uint32_t form = form_make(s, base);
    return done(form_bound_low(s, form, value, event->proof) &&
                form_bound_high(s, form, value, event->proof));
  }
  case EVENT_GE: {
    uint32_t form = form_make(s, base);
    if (num_sign(k) > 0) {
      return done(form_bound_low(s, form, num_ceildiv(b, minus, k), event->proof));
    }
    return done(form_bound_high(s, form, num_floordiv(b, minus, k), event->proof));
  }
  case EVENT_NE: {
    if (!num_divides(b, k, offset)) return THEORY_DONE;
    uint32_t form = form_make(s, base);
    return done(form_exclude(s, form, num_floordiv(b, minus, k), event->proof));
  }
  case EVENT_DIV: break;
  }
  return THEORY_DONE;
}

// What is known of a product, by a form or by one end of a form that holds it.
typedef struct bounded {
  term_id term;
  interval range;
  proof_id lo_proof, hi_proof;
} bounded;

static bool propagate_product(shape_store *s, const bounded *x);

// Bounds `x`, a monomial, from below or above when that says more than what is known.
static bool bound_monomial(shape_store *s, term_id x, bool low, num value, proof_id proof) {
  if (num_bits(value) > FACTS_BOUND_BITS) return true;
  interval known = range_of(s, x, low ? WANT_LO : WANT_HI, NULL);
  if (low && known.has_lo && num_compare(known.lo, value) >= 0) return true;
  if (!low && known.has_hi && num_compare(known.hi, value) <= 0) return true;
  if (term_kind_of(s->terms, x) == TERM_PRODUCT && store_info(s, x)->def != TERM_NONE) {
    // The solved form has another term for it; only its factors learn something.
    bounded b = {x, low ? interval_at_least(value) : interval_at_most(value), proof, proof};
    return propagate_product(s, &b);
  }
  uint32_t form = form_make(s, x);
  return low ? form_bound_low(s, form, value, proof) : form_bound_high(s, form, value, proof);
}

static proof_id end_proof(const store_form *form, bool low) {
  return low ? form->lo_proof : form->hi_proof;
}

// k*x >= lo - (the largest of the others), for the part k*x of a form that is at least lo; and so on.
static bool propagate_part(shape_store *s, uint32_t id, uint32_t at, bool low) {
  shape_budget *b = s->budget;
  const store_form *form = &s->forms.items[id];
  if (low ? !form->range.has_lo : !form->range.has_hi) return true;
  num rest = low ? form->range.lo : form->range.hi;
  proof_id proof = end_proof(form, low);
  term_id t = form->term;
  uint32_t count = term_get(s->terms, t)->count;
  assert(at < count);
  for (int pass = 0; pass < 2;
       pass++) {  // first the values, then, where they say something, the proofs
    for (uint32_t i = 0; i < count; i++) {
      if (i == at) continue;
      term_part part = term_get(s->terms, t)->as.parts[i];
      bool positive = num_sign(part.coefficient) > 0;
      bool need_high = positive == low;  // of the monomial
      unsigned want = need_high ? WANT_HI : WANT_LO;
      interval x = range_of(s, part.monomial, want, pass ? &proof : NULL);
      if (pass) continue;
      if (need_high ? !x.has_hi : !x.has_lo) return true;
      num end = need_high ? x.hi : x.lo;
      rest = num_sub(b, rest, num_mul(b, part.coefficient, end));
    }
    if (pass) break;
    term_part part = term_get(s->terms, t)->as.parts[at];
    bool x_low = low == (num_sign(part.coefficient) > 0);
    num value =
        x_low ? num_ceildiv(b, rest, part.coefficient) : num_floordiv(b, rest, part.coefficient);
    interval known = range_of(s, part.monomial, x_low ? WANT_LO : WANT_HI, NULL);
    if (x_low && known.has_lo && num_compare(known.lo, value) >= 0) return true;
    if (!x_low && known.has_hi && num_compare(known.hi, value) <= 0) return true;
    rest = value;
  }
  term_part part = term_get(s->terms, t)->as.parts[at];
  bool x_low = low == (num_sign(part.coefficient) > 0);
  return bound_monomial(s, part.monomial, x_low, rest, proof);
}

static bool propagate_sum(shape_store *s, uint32_t id) {
  uint32_t count = term_get(s->terms, s->forms.items[id].term)->count;
  if (count > FACTS_PROPAGATED_PARTS) return true;
  for (uint32_t i = 0; i < count; i++) {
    if (!propagate_part(s, id, i, true) || !propagate_part(s, id, i, false)) return false;
  }
  return true;
}

// atom^e is in the range, atom >= 0.
static bool propagate_power(shape_store *s, const bounded *x, term_power power) {
  shape_budget *b = s->budget;
  if (!interval_is_nonnegative(range_of(s, power.atom, WANT_LO, NULL))) return true;
  proof_id sign = PROOF_NONE;
  range_of(s, power.atom, WANT_LO, &sign);
  if (x->range.has_hi && num_sign(x->range.hi) >= 0) {
    num root = num_iroot(b, x->range.hi, power.exponent);
    proof_id proof = proof_join(s, x->hi_proof, sign);
    if (!bound_monomial(s, power.atom, false, root, proof)) return false;
  }
  if (x->range.has_lo && num_sign(x->range.lo) > 0) {
    num root = num_iroot(b, num_sub(b, x->range.lo, NUM(1)), power.exponent);
    proof_id proof = proof_join(s, x->lo_proof, sign);
    return bound_monomial(s, power.atom, true, num_add(b, root, NUM(1)), proof);
  }
  return true;
}

// atom * rest is in the range and rest is positive.
static bool propagate_factor(shape_store *s, const bounded *x, term_id atom, term_id rest) {
  shape_budget *b = s->budget;
  interval r = range_of(s, rest, WANT_BOTH, NULL);
  if (!interval_is_positive(r)) return true;
  proof_id bounds = PROOF_NONE;
  range_of(s, rest, WANT_BOTH, &bounds);
  if (x->range.has_hi) {
    bool positive = num_sign(x->range.hi) >= 0;
    proof_id proof = proof_join(s, x->hi_proof, bounds);
    num hi = NUM(-1);
    if (positive) hi = num_floordiv(b, x->range.hi, r.lo);
    if (!positive && r.has_hi) hi = num_floordiv(b, x->range.hi, r.hi);
    if (!bound_monomial(s, atom, false, hi, proof)) return false;
  }
  if (x->range.has_lo) {
    bool positive = num_sign(x->range.lo) > 0;
    proof_id proof = proof_join(s, x->lo_proof, bounds);
    num lo = NUM(1);
    if (!positive) lo = num_ceildiv(b, x->range.lo, r.lo);
    if (positive && r.has_hi) lo = num_ceildiv(b, x->range.lo, r.hi);
    if (!bound_monomial(s, atom, true, lo, proof)) return false;
  }
  return true;
}

static bool propagate_product(shape_store *s, const bounded *x) {
  assert(term_kind_of(s->terms, x->term) == TERM_PRODUCT);
  uint32_t count = term_get(s->terms, x->term)->count;
  bool positive = x->range.has_lo && num_sign(x->range.lo) > 0;
  bool negative = x->range.has_hi && num_sign(x->range.hi) < 0;
  for (uint32_t i = 0; i < count; i++) {
    term_power power = term_get(s->terms, x->term)->as.powers[i];
    if (positive || negative) {
      store_post(s, EVENT_NE, power.atom, positive ? x->lo_proof : x->hi_proof);
    }
    if (count == 1) return propagate_power(s, x, power);
    term_id rest;
    if (power.exponent > 1 || !term_divide_exact(s->terms, x->term, power.atom, &rest)) continue;
    if (!propagate_factor(s, x, power.atom, rest)) return false;
  }
  return true;
}

static bounded bounded_form(const shape_store *s, uint32_t id) {
  const store_form *form = &s->forms.items[id];
  return (bounded){form->term, form->range, form->lo_proof, form->hi_proof};
}

static void post_ge(shape_store *s, term_id a, term_id b, proof_id proof) {
  store_post(s, EVENT_GE, term_sub(s->terms, a, b), proof);
}

// min(..) <= hi: where all arguments but one are above hi, it is that one. The same of max(..) >= lo.
static void bound_chosen(shape_store *s, const store_form *form) {
  assert(term_kind_of(s->terms, form->term) == TERM_MIN ||
         term_kind_of(s->terms, form->term) == TERM_MAX);
  bool is_min = term_kind_of(s->terms, form->term) == TERM_MIN;
  if (is_min ? !form->range.has_hi : !form->range.has_lo) return;
  num end = is_min ? form->range.hi : form->range.lo;
  proof_id proof = end_proof(form, !is_min);
  unsigned want = is_min ? WANT_LO : WANT_HI;
  uint32_t count = term_get(s->terms, form->term)->count, chosen = NONE;
  for (uint32_t i = 0; i < count; i++) {
    interval x = range_of(s, term_get(s->terms, form->term)->as.args[i], want, NULL);
    if (is_min ? x.has_lo && num_compare(x.lo, end) > 0 : x.has_hi && num_compare(x.hi, end) < 0)
      continue;
    if (chosen != NONE) return;
    chosen = i;
  }
  if (chosen == NONE) return;
  for (uint32_t i = 0; i < count; i++) {
    if (i != chosen) range_of(s, term_get(s->terms, form->term)->as.args[i], want, &proof);
  }
  term_id arg = term_get(s->terms, form->term)->as.args[chosen], limit = term_const(s->terms, end);
  post_ge(s, is_min ? limit : arg, is_min ? arg : limit, proof);
}

// From an atom to its arguments.
static void propagate_atom(shape_store *s, uint32_t id) {
  store_form form = s->forms.items[id];
  const term_node *node = term_get(s->terms, form.term);
  uint32_t count = node->count;
  num m;
  switch (node->kind) {
  case TERM_FLOORDIV: {
    term_id dividend = node->as.args[0];
    if (!term_const_value(s->terms, node->as.args[1], &m) || num_sign(m) <= 0) return;
    if (form.range.has_lo) {
      num lo = num_mul(s->budget, m, form.range.lo);
      post_ge(s, dividend, term_const(s->terms, lo), form.lo_proof);
    }
    if (form.range.has_hi) {
      num above = num_mul(s->budget, m, num_add(s->budget, form.range.hi, NUM(1)));
      post_ge(s, term_const(s->terms, num_sub(s->budget, above, NUM(1))), dividend, form.hi_proof);
    }
    return;
  }
  case TERM_MIN:
    bound_chosen(s, &form);
    if (!form.range.has_lo) return;
    for (uint32_t i = 0; i < count; i++) {
      term_id arg = term_get(s->terms, form.term)->as.args[i];
      post_ge(s, arg, term_const(s->terms, form.range.lo), form.lo_proof);
    }
    return;
  case TERM_MAX:
    bound_chosen(s, &form);
    if (!form.range.has_hi) return;
    for (uint32_t i = 0; i < count; i++) {
      term_id arg = term_get(s->terms, form.term)->as.args[i];
      post_ge(s, term_const(s->terms, form.range.hi), arg, form.hi_proof);
    }
    return;
  default: return;
  }
}

// What is on an atom whose bounds moved is inspected too, as far as the rounds go.
static void touch_watchers(shape_store *s, term_id atom) {
  uint32_t left = s->bus.rounds;
  uint32_t cell = store_info(s, atom)->watch & WATCH_END;
  for (; cell != WATCH_END && left; left--) {
    assert(cell < s->watches.count);
    watch_cell watched = s->watches.cells[cell];
    if (watched.kind == WATCH_FORM) form_touch(s, watched.item);
    cell = watched.next;
  }
}

static theory_result propagate(shape_store *s, uint32_t id) {
  const store_form *form = &s->forms.items[id];
  assert(form->live);
  term_id t = form->term;
  interval range = form->range;
  // Stale forms (see define.c) move when they are reached again. Those with a rule hold a product that is defined.
  if (form->rule == TERM_NONE ? store_canon(s, t) != t : !canon_has_canonical_atoms(s, t)) {
    form_release(s, id);
    return THEORY_DONE;
  }
  if (range.has_lo && range.has_hi && num_equal(range.lo, range.hi)) {
    proof_id proof = proof_join(s, form->lo_proof, form->hi_proof);
    store_post(s, EVENT_EQ, term_sub(s->terms, t, term_const(s->terms, range.lo)), proof);
  }
  if (range_in_conflict(s, id)) return THEORY_CONFLICT;
  switch (term_kind_of(s->terms, t)) {
  case TERM_SUM:
    if (!propagate_sum(s, id)) return THEORY_CONFLICT;
    break;
  case TERM_PRODUCT: {
    bounded x = bounded_form(s, id);
    if (!propagate_product(s, &x)) return THEORY_CONFLICT;
    break;
  }
  default:
    propagate_atom(s, id);
    touch_watchers(s, t);
    break;
  }
  return THEORY_DONE;
}

const theory range_theory = {.notify = notify, .propagate = propagate};
