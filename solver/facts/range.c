// SPDX-License-Identifier: Apache-2.0
// Bounds of canonical terms by interval arithmetic over the bounds of forms, and their propagation (Davis, Constraint
// propagation with interval labels, 1987) with integer rounding. Cheap and sound; the tight answers are query's.
#include <assert.h>

#include "solver/facts/core.h"

static interval compute(shape_store *s, term_id t, unsigned want, proof_id *proof);

// Drops ends whose product with a number of `more` bits would come near the limit of coefficients, which ends the job.
static interval clip(shape_store *s, interval x, uint64_t more, uint32_t exponent) {
  uint64_t limit = s->budget->max_bits / 2;
  if (x.has_lo && num_bits(x.lo) * (uint64_t)exponent + more > limit) x.has_lo = false;
  if (x.has_hi && num_bits(x.hi) * (uint64_t)exponent + more > limit) x.has_hi = false;
  return x;
}

static uint64_t end_bits(interval x) {
  uint64_t lo = x.has_lo ? num_bits(x.lo) : 0, hi = x.has_hi ? num_bits(x.hi) : 0;
  return lo > hi ? lo : hi;
}

static interval multiply(shape_store *s, interval x, interval y, uint32_t exponent) {
  y = clip(s, y, end_bits(x), exponent);
  return interval_mul(s->budget, x, interval_pow(s->budget, y, exponent));
}

static interval scale(shape_store *s, interval x, num k, num offset) {
  x = clip(s, x, num_bits(k), 1);
  x = interval_scale(s->budget, x, k);
  if (!num_is_zero(offset)) x = interval_add(s->budget, x, interval_point(offset));
  return x;
}

static unsigned flipped(unsigned want) { return ((want & WANT_LO) << 1) | ((want & WANT_HI) >> 1); }

static unsigned ends_of(interval x) {
  return (x.has_lo ? WANT_LO : 0u) | (x.has_hi ? WANT_HI : 0u);
}

static interval range_with_form(shape_store *s, term_id t, unsigned want, proof_id *proof) {
  interval x = compute(s, t, want, NULL);
  term_kind kind = term_kind_of(s->terms, t);
  num k = NUM(1), offset = NUM(0);
  uint32_t id = NONE;
  if (kind != TERM_SUM) {
    id = form_find(s, t);
  } else if (s->forms.sums || term_get(s->terms, t)->count <= 2) {
    id = form_find(s, form_split(s, t, &k, &offset));
  }
  if (id == NONE) {
    if (proof && (want & ends_of(x))) compute(s, t, want & ends_of(x), proof);
    return x;
  }
  interval known = scale(s, s->forms.items[id].range, k, offset);
  assert(id < s->forms.count && s->forms.items[id].live);
  bool low_known = known.has_lo && (!x.has_lo || num_compare(known.lo, x.lo) > 0);
  bool high_known = known.has_hi && (!x.has_hi || num_compare(known.hi, x.hi) < 0);
  interval met;
  // Nothing has noticed yet that the facts conflict; an interval must not be empty.
  if (!interval_meet(x, known, &met)) low_known = high_known = false;
  if (proof) {
    unsigned from_form = (low_known ? WANT_LO : 0u) | (high_known ? WANT_HI : 0u);
    unsigned computed = want & ~from_form & ends_of(x);
    if (computed) compute(s, t, computed, proof);
    from_form &= want;
    if (num_sign(k) < 0) from_form = flipped(from_form);
    if (from_form & WANT_LO) *proof = proof_join(s, *proof, s->forms.items[id].lo_proof);
    if (from_form & WANT_HI) *proof = proof_join(s, *proof, s->forms.items[id].hi_proof);
  }
  if (low_known) {
    x.has_lo = true;
    x.lo = known.lo;
  }
  if (high_known) {
    x.has_hi = true;
    x.hi = known.hi;
  }
  return x;
}

interval range_of(shape_store *s, term_id t, unsigned want, proof_id *proof) {
  assert(want && want <= WANT_BOTH);
  const term_node *node = term_get(s->terms, t);
  if (node->kind == TERM_CONST) return interval_point(node->as.value);
  if (node->kind == TERM_SYMBOL && form_find(s, t) == NONE)
    return store_symbol_record(s, node->as.symbol)->info.range;
  if (proof || node->depth < FACTS_RANGE_DEPTH) return range_with_form(s, t, want, proof);
  // Large terms hold those that were asked for before, and most facts since then are of younger ones.
  if (!s->forms.ranges)
    s->forms.ranges = arena_zalloc(s->arena, FACTS_RANGES_KEPT * sizeof *s->forms.ranges);
  known_range *known = &s->forms.ranges[(t * 4 + want) % FACTS_RANGES_KEPT];
  if (known->term == t && known->want == want &&
      reach_spares(&s->changes.bounded, known->seen, t)) {
    known->seen = s->changes.bounds;
    return known->range;
  }
  interval x = range_with_form(s, t, want, NULL);
  *known = (known_range){t, want, s->changes.bounds, x};
  return x;
}

static interval compute_sum(shape_store *s, term_id t, unsigned want, proof_id *proof) {
  const term_node *node = term_get(s->terms, t);
  uint32_t count = node->count;
  interval sum = interval_point(NUM(0));
  for (uint32_t i = 0; i < count; i++) {
    term_part part = term_get(s->terms, t)->as.parts[i];
    unsigned side = num_sign(part.coefficient) < 0 ? flipped(want) : want;
    interval x = range_of(s, part.monomial, side, proof);
    sum = interval_add(s->budget, sum, scale(s, x, part.coefficient, NUM(0)));
    if (!((sum.has_lo && (want & WANT_LO)) || (sum.has_hi && (want & WANT_HI)))) {
      return interval_all();  // partial sums bound nothing
    }
  }
  return sum;
}

static interval compute_product(shape_store *s, term_id t, proof_id *proof) {
  uint32_t count = term_get(s->terms, t)->count;
  interval product = interval_point(NUM(1));
  for (uint32_t i = 0; i < count; i++) {
    term_power power = term_get(s->terms, t)->as.powers[i];
    interval x = range_of(s, power.atom, WANT_BOTH, proof);
    product = multiply(s, product, x, power.exponent);
  }
  return product;
}

static interval compute_extremum(shape_store *s, term_id t, unsigned want, proof_id *proof) {
  uint32_t count = term_get(s->terms, t)->count;
  bool is_min = term_kind_of(s->terms, t) == TERM_MIN;
  interval x = interval_all();
  for (uint32_t i = 0; i < count; i++) {
    interval y = range_of(s, term_get(s->terms, t)->as.args[i], want, proof);
    x = i == 0 ? y : is_min ? interval_min(x, y) : interval_max(x, y);
  }
  return x;
}

bool range_in_conflict(shape_store *s, uint32_t id) {
  term_id t = s->forms.items[id].term;
  if (term_kind_of(s->terms, t) == TERM_SYMBOL) return false;
  interval x = compute(s, t, WANT_BOTH, NULL), met;
  if (interval_meet(x, s->forms.items[id].range, &met)) return false;
  proof_id proof = proof_join(s, s->forms.items[id].lo_proof, s->forms.items[id].hi_proof);
  compute(s, t, WANT_BOTH, &proof);
  store_report_conflict(s, proof);
  return true;
}

// What the form of this term adds is range_of's business; this is the rule of its kind.
static interval compute(shape_store *s, term_id t, unsigned want, proof_id *proof) {
  const term_node *node = term_get(s->terms, t);
  switch (node->kind) {
  case TERM_SYMBOL: return store_symbol_record(s, node->as.symbol)->info.range;
  case TERM_SUM: return compute_sum(s, t, want, proof);
  case TERM_PRODUCT: return compute_product(s, t, proof);
  case TERM_FLOORDIV: {
    term_id dividend = node->as.args[0], divisor = node->as.args[1];
    interval x = range_of(s, dividend, WANT_BOTH, proof);
    interval y = range_of(s, divisor, WANT_BOTH, proof);
    return interval_floordiv(s->budget, x, y);
  }
  case TERM_MIN:
  case TERM_MAX: return compute_extremum(s, t, want, proof);
  case TERM_BCAST: {  // one of the two
    term_id a = node->as.args[0], b = node->as.args[1];
    interval x = range_of(s, a, want, proof);
    return interval_join(x, range_of(s, b, want, proof));
  }
  case TERM_SELECT: {
    term_id a = node->as.args[1], b = node->as.args[2];
    interval x = range_of(s, a, want, proof);
    return interval_join(x, range_of(s, b, want, proof));
  }
  case TERM_IS_ZERO:
  case TERM_IS_NEG: return interval_of(0, 1);
  case TERM_BIGMUL: {
    interval x = interval_point(NUM(1));
    uint32_t count = node->count;
    for (uint32_t i = 0; i < count; i++) {
      interval y = range_of(s, term_get(s->terms, t)->as.args[i], WANT_BOTH, proof);
      x = multiply(s, x, y, 1);
    }
    return x;
  }
  default: return interval_all();
  }
}

// --- residues

static inline residue atom_residue(shape_store *s, term_id atom, proof_id *proof) {
  uint32_t id = form_find(s, atom);
  if (id == NONE) return residue_any();
  assert(id < s->forms.count && s->forms.items[id].term == atom);
  const store_form *form = &s->forms.items[id];
  if (proof && !num_is_one(form->res.m)) *proof = proof_join(s, *proof, form->res_proof);
  return form->res;
}

static residue monomial_residue(shape_store *s, term_id t, proof_id *proof) {
  if (t == TERM_ONE) return residue_exact(NUM(1));
  if (term_kind_of(s->terms, t) != TERM_PRODUCT) return atom_residue(s, t, proof);
  residue x = residue_exact(NUM(1));
  uint32_t count = term_get(s->terms, t)->count;
  for (uint32_t i = 0; i < count; i++) {
    term_power power = term_get(s->terms, t)->as.powers[i];
    residue y = atom_residue(s, power.atom, proof);
    for (uint32_t k = 0; k < power.exponent && k < FACTS_RESIDUE_EXPONENT; k++)
      x = residue_mul(s->budget, x, y);
    if (power.exponent > FACTS_RESIDUE_EXPONENT) x = residue_any();
  }
  residue own = atom_residue(s, t, proof), met;
  return residue_meet(s->budget, x, own, &met) ? met : x;
}

residue range_residue(shape_store *s, term_id t, proof_id *proof) {
  const term_node *node = term_get(s->terms, t);
  if (node->kind == TERM_CONST) return residue_exact(node->as.value);
  if (node->kind == TERM_SYMBOL) return atom_residue(s, t, proof);
  if (node->kind != TERM_SUM) return monomial_residue(s, t, proof);
  residue sum = residue_exact(NUM(0));
  uint32_t count = term_get(s->terms, t)->count;
  for (uint32_t i = 0; i < count; i++) {
    term_part part = term_get(s->terms, t)->as.parts[i];
    residue x = monomial_residue(s, part.monomial, proof);
    sum = residue_add(s->budget, sum, residue_scale(s->budget, x, part.coefficient));
  }
  num k, offset;
  uint32_t id = form_find(s, form_split(s, t, &k, &offset));
  if (id == NONE) return sum;
  const store_form *form = &s->forms.items[id];
  residue own = residue_scale(s->budget, form->res, k), met;
  own = residue_add(s->budget, own, residue_exact(offset));
  if (!residue_meet(s->budget, sum, own, &met)) return sum;
  if (proof && !num_is_one(form->res.m)) *proof = proof_join(s, *proof, form->res_proof);
  return met;
}

// --- signs

static bool is_nonzero_monomial(shape_store *s, term_id t, proof_id *proof) {
  uint32_t count = term_get(s->terms, t)->count;
  for (uint32_t i = 0; i < count; i++) {
    if (!range_nonzero(s, term_get(s->terms, t)->as.powers[i].atom, proof)) return false;
  }
  return true;
}

bool range_nonzero(shape_store *s, term_id t, proof_id *proof) {
  num value;
  if (term_const_value(s->terms, t, &value)) return !num_is_zero(value);
  return range_nonzero_in(s, t, range_of(s, t, WANT_BOTH, NULL), proof);
}

bool range_nonzero_in(shape_store *s, term_id t, interval x, proof_id *proof) {
  if (interval_excludes_zero(x)) {
    bool positive = x.has_lo && num_sign(x.lo) > 0;
    if (proof) range_of(s, t, positive ? WANT_LO : WANT_HI, proof);
    return true;
  }
  if (residue_excludes_zero(s->budget, range_residue(s, t, NULL))) {
    if (proof) range_residue(s, t, proof);
    return true;
  }
  num k, offset;
  uint32_t id = form_find(s, form_split(s, t, &k, &offset));
  if (id != NONE && num_divides(s->budget, k, offset)) {
    num root = num_floordiv(s->budget, num_neg(s->budget, offset), k);
    if (form_is_excluded(s, id, root, proof)) return true;
  }
  return term_kind_of(s->terms, t) == TERM_PRODUCT && is_nonzero_monomial(s, t, proof);
}
