// SPDX-License-Identifier: Apache-2.0
// Names for large terms, so that what is made of them stays small: without, the text of a size would double with every
// layer of a model that adds half of its input to it, and every walk over the term with it.
//
// A name n of a term t is the fresh symbol of meaning t: n == t at every point by what n is, so no fact states it and no
// proof needs it. The store keeps no equation either, or the solved form would put t back. What is lost is what only
// the inside of t could determine; its bounds and its residue are posted, with the facts that they rest on, each time that t is
// named, as a scope that ended took them back.
#include <assert.h>

#include "solver/facts/core.h"

static void post_range(shape_store *s, term_id name, term_id t) {
  proof_id base = PROOF_NONE;
  t = canon_with_proof(s, t, &base);
  interval x = range_of(s, t, WANT_BOTH, NULL), known = store_range(s, name);
  if (x.has_lo && !(known.has_lo && num_compare(known.lo, x.lo) >= 0)) {
    proof_id proof = base;
    range_of(s, t, WANT_LO, &proof);
    store_post(s, EVENT_GE, term_sub(s->terms, name, term_const(s->terms, x.lo)), proof);
  }
  if (x.has_hi && !(known.has_hi && num_compare(known.hi, x.hi) <= 0)) {
    proof_id proof = base;
    range_of(s, t, WANT_HI, &proof);
    store_post(s, EVENT_GE, term_sub(s->terms, term_const(s->terms, x.hi), name), proof);
  }
  residue r = range_residue(s, t, NULL);
  if (!num_is_one(r.m) && !num_is_zero(r.m)) {
    proof_id proof = base;
    range_residue(s, t, &proof);
    store_post_divides(s, r.m, term_sub(s->terms, name, term_const(s->terms, r.r)), proof);
  }
}

// Terms that are equal by facts have different names until the store knows it.
static void post_twin(shape_store *s, term_id name, term_id t) {
  proof_id proof = PROOF_NONE;
  uint32_t known;
  term_id canon = canon_with_proof(s, t, &proof);
  if (!imap_get(&s->named.by_canon, canon, &known)) {
    imap_put(&s->named.by_canon, s->arena, canon, name);
    return;
  }
  term_id twin = known;
  if (store_canon(s, twin) == store_canon(s, name)) return;
  term_id other = store_symbol_record(s, term_get(s->terms, twin)->as.symbol)->meaning;
  if (canon_with_proof(s, other, &proof) != canon) return;  // of a scope that ended
  store_post(s, EVENT_EQ, term_sub(s->terms, name, twin), proof);
}

// t == k*base + offset has the name of base in it, so that what differs by a constant or a factor still does.
term_id store_name(shape_store *s, term_id t) {
  uint32_t known;
  term_id name;
  num k, offset;
  assert(!s->trail.in_add);
  t = form_split(s, t, &k, &offset);
  if (imap_get(&s->named.by_term, t, &known)) {
    name = known;
  } else {
    name = store_fresh(s, t, NUM(1));
    store_symbol_record(s, term_get(s->terms, name)->as.symbol)->name = true;
    imap_put(&s->named.by_term, s->arena, t, name);
  }
  store_mark mark = trail_mark(s);
  s->trail.in_add = true;
  s->conflict.found = false;
  post_range(s, name, t);
  post_twin(s, name, t);
  store_settle(s, mark);
  return term_linear(s->terms, name, k, TERM_ONE, NUM(0), offset);
}

term_id store_named(shape_store *s, uint32_t symbol) {
  const symbol_record *record = store_symbol_record(s, symbol);
  return record->name ? record->meaning : TERM_NONE;
}
