// SPDX-License-Identifier: Apache-2.0
// What the parts of simplification share; private to solver/decide.
//
//   simplify.c  candidates for the smallest equal term, each proven equal before it counts
//   disprove.c  proofs, after a look for a point that speaks against what is to be proven
//   affine.c    candidates from the ranges of symbols and from equalities of the premises
//   min_size.c  how small a text of the term can be
//   clamp.c     max(min(a, b), c) and min(max(a, b), c), which terms do not hold
#ifndef SHAPE_DECIDE_SIMPLIFY_H
#define SHAPE_DECIDE_SIMPLIFY_H

#include "solver/decide/probe.h"
#include "solver/decide/solver.h"

typedef struct simplifier {
  qsolver *s;
  problem *base;
  term_id term, best;
  uint32_t best_size;
  uint32_t proofs_left;
  const num *sample[SIMPLIFY_SAMPLES];  // points of the premises
  num *env[SIMPLIFY_SAMPLES];           // the same by symbol number
  uint8_t *env_known;                   // which numbers have values in them, one for all samples
  uint32_t env_count;
  num value[SIMPLIFY_SAMPLES];  // of the term there
  uint32_t sample_count;
  probe *points;   // NULL: none is sought as yet
  uint32_t *held;  // the premises there
  literal tried[SIMPLIFY_PROOFS];
  bool proven[SIMPLIFY_PROOFS];  // that these have no point
  uint32_t tried_count;
} simplifier;

// The value of a term at a sample; false where it has none.
bool simplify_value(simplifier *x, uint32_t sample, term_id id, num *out);
// Are the terms equal at all points of the premises? Takes a proof.
bool simplify_equal(simplifier *x, term_id a, term_id b);
// Has the literal, which says that the claim is false, no point of the premises? Takes a proof.
bool simplify_proves(simplifier *x, literal l, predicate claim);
// No point of the premises satisfies these literals. Takes a proof.
bool simplify_refuted(simplifier *x, const literal *literals, uint32_t count);
// A sum of multiples of symbols equal to the term, which is defined at all points of the ranges; TERM_NONE: none is
// found. Where the premises are more than ranges, none is sought.
term_id simplify_affine(simplifier *x, term_id id);
// Is floordiv(e, d) the same without that part of e, as ranges show?
bool simplify_drops(simplifier *x, term_id e, term_part part, term_id d);
// The sum with the names that the premises give to parts of it, where that is shorter.
term_id simplify_declared(simplifier *x, term_id id);

// No spelling of the best term is smaller, as far as the samples show; 0 where they show nothing.
uint32_t simplify_min_size(simplifier *x);

// Leaves and calls of the text.
uint32_t simplify_size(qsolver *s, term_id id);

#endif
