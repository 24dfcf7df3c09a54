// SPDX-License-Identifier: Apache-2.0
// Cheap queries: by canonical form, ranges, residues and the bounds of forms; and, by the same steps again, why.
#include <assert.h>

#include "solver/facts/core.h"

interval store_range(shape_store *s, term_id t) {
  return range_of(s, store_canon(s, t), WANT_BOTH, NULL);
}

residue store_residue(shape_store *s, term_id t) {
  return range_residue(s, store_canon(s, t), NULL);
}

// In all of these the proof, where asked for, is complete when the answer is not UNKNOWN.

static shape_answer equals_zero(shape_store *s, term_id d, proof_id *proof) {
  num value;
  if (term_const_value(s->terms, d, &value)) return num_is_zero(value) ? SHAPE_YES : SHAPE_NO;
  interval x = range_of(s, d, WANT_BOTH, NULL);
  if (interval_is_point(x, &value) && num_is_zero(value)) {
    if (proof) range_of(s, d, WANT_BOTH, proof);
    return SHAPE_YES;
  }
  return range_nonzero_in(s, d, x, proof) ? SHAPE_NO : SHAPE_UNKNOWN;
}

// One of which only its range is known: no residue, and no number that it is not.
static bool is_free_atom(shape_store *s, term_id t) {
  return term_is_atom(s->terms, t) && form_find(s, t) == NONE;
}

// What equals_zero says of the difference to a number, which is not made.
static shape_answer in_range(shape_store *s, term_id atom, num value) {
  interval x = range_of(s, atom, WANT_BOTH, NULL);
  if (!interval_contains(x, value)) return SHAPE_NO;
  num only;
  return interval_is_point(x, &only) ? SHAPE_YES : SHAPE_UNKNOWN;
}

static shape_answer at_least(shape_store *s, term_id d, int64_t least, proof_id *proof) {
  interval x = range_of(s, d, WANT_BOTH, NULL);
  if (x.has_lo && num_compare(x.lo, NUM(least)) >= 0) {
    if (proof) range_of(s, d, WANT_LO, proof);
    return SHAPE_YES;
  }
  if (x.has_hi && num_compare(x.hi, NUM(least)) < 0) {
    if (proof) range_of(s, d, WANT_HI, proof);
    return SHAPE_NO;
  }
  return SHAPE_UNKNOWN;
}

static shape_answer divides(shape_store *s, term_id e, term_id divisor, proof_id *proof) {
  num m;
  term_id q;
  if (!term_const_value(s->terms, divisor, &m)) {
    if (e == TERM_ZERO || term_divide_exact(s->terms, e, divisor, &q)) return SHAPE_YES;
    q = term_floordiv(s->terms, e, divisor);
    term_id d = term_sub(s->terms, e, term_mul(s->terms, divisor, q));
    d = proof ? canon_with_proof(s, d, proof) : store_canon(s, d);
    return equals_zero(s, d, proof) == SHAPE_YES ? SHAPE_YES : SHAPE_UNKNOWN;
  }
  if (num_is_zero(m)) return SHAPE_UNKNOWN;
  residue known = range_residue(s, e, NULL);
  num common = num_gcd(s->budget, known.m, m);
  bool yes = num_equal(common, num_abs(s->budget, m)) && num_divides(s->budget, m, known.r);
  if (!yes && num_divides(s->budget, common, known.r)) return SHAPE_UNKNOWN;
  if (proof) range_residue(s, e, proof);
  return yes ? SHAPE_YES : SHAPE_NO;
}

static shape_answer negated(shape_answer answer) {
  return answer == SHAPE_YES ? SHAPE_NO : answer == SHAPE_NO ? SHAPE_YES : SHAPE_UNKNOWN;
}

shape_answer holds_with_proof(shape_store *s, predicate p, proof_id *proof) {
  assert((unsigned)p.rel <= REL_DIVISIBLE);
  term_id left = proof ? canon_with_proof(s, p.left, proof) : store_canon(s, p.left);
  term_id right = proof ? canon_with_proof(s, p.right, proof) : store_canon(s, p.right);
  num value;
  if (p.rel == REL_DIVISIBLE) return divides(s, left, right, proof);
  if (left == right) {
    return p.rel == REL_EQ || p.rel == REL_LE || p.rel == REL_GE ? SHAPE_YES : SHAPE_NO;
  }
  if (!proof && p.rel == REL_EQ && is_free_atom(s, left) &&
      term_const_value(s->terms, right, &value))
    return in_range(s, left, value);
  bool turned = p.rel == REL_GT || p.rel == REL_GE;
  term_id d = turned ? term_sub(s->terms, left, right) : term_sub(s->terms, right, left);
  // The difference of canonical terms can only be reduced further where monomials cancel.
  d = proof ? canon_with_proof(s, d, proof) : store_canon(s, d);
  switch (p.rel) {
  case REL_EQ: return equals_zero(s, d, proof);
  case REL_NE: return negated(equals_zero(s, d, proof));
  case REL_LE:
  case REL_GE: return at_least(s, d, 0, proof);
  default: return at_least(s, d, 1, proof);
  }
}

shape_answer store_holds(shape_store *s, predicate p) {
  log_asked(s, p.left);
  log_asked(s, p.right);
  return holds_with_proof(s, p, NULL);
}
