// SPDX-License-Identifier: Apache-2.0
// Proofs for simplification. Most candidates are wrong: a point shows that before a search, which would not find more.
#include <assert.h>

#include "solver/decide/simplify.h"

// A symbol that is not of the query has no value at a point.
static query_symbol declared(void *data, term_id symbol) {
  const query *q = data;
  for (uint32_t i = 0; i < q->symbol_count; i++) {
    if (q->symbols[i].symbol == symbol) return q->symbols[i];
  }
  return (query_symbol){symbol, interval_of(1, 0), NUM(1)};
}

static void open_points(simplifier *x) {
  qsolver *s = x->s;
  const query *q = s->q;
  x->points = probe_new(s->arena, s->t, s->budget, declared, (void *)q);
  x->held = arena_alloc(s->arena, (q->premise_count + 1) * sizeof *x->held);
  for (uint32_t i = 0; i < q->premise_count; i++)
    x->held[i] = probe_claim(x->points, q->premises[i]);
}

// Whether there is a point of the premises where the claim is false; false: none was found.
static bool disproved(simplifier *x, predicate claim) {
  if (!x->points) open_points(x);
  return probe_refutes(x->points, probe_claim(x->points, claim), x->held, x->s->q->premise_count);
}

static bool search(simplifier *x, literal l, predicate claim) {
  qsolver *s = x->s;
  problem p;
  if (lattice_refutes(s, l)) return true;
  if (disproved(x, claim)) return false;
  problem_copy(&p, x->base);
  problem_add(&p, l);
  // Models are checked against the literal as well.
  predicate differs = predicate_make(l.kind == LITERAL_NE ? REL_NE : REL_GE, l.e, TERM_ZERO);
  search_options sought = search_any(SIMPLIFY_NODES);
  sought.asked = &differs;
  sought.holds = true;
  return search_problem(s, &p, &sought) == VERDICT_REFUTED;
}

bool simplify_proves(simplifier *x, literal l, predicate claim) {
  assert(l.kind == LITERAL_NE || l.kind == LITERAL_GE);
  if (x->proofs_left == 0) return false;
  x->proofs_left--;
  assert(x->tried_count <= SIMPLIFY_PROOFS);
  for (uint32_t i = 0; i < x->tried_count; i++) {
    if (x->tried[i].e == l.e && x->tried[i].kind == l.kind) return x->proven[i];
  }
  bool proven = search(x, l, claim);
  if (x->tried_count < SIMPLIFY_PROOFS) {
    x->tried[x->tried_count] = l;
    x->proven[x->tried_count++] = proven;
  }
  return proven;
}
