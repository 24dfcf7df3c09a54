// SPDX-License-Identifier: Apache-2.0
// What survives a scope: its facts, as they were stated, for the report.
#include <assert.h>

#include "solver/infer/state.h"

// What a user gives (bindings, assumptions, declared ranges) is not found by the analysis and is no claim of it.
static bool is_claim(const shape_graph *g, const fact *f) {
  if (f->why.kind == REASON_ASSUMPTION)
    return f->why.subject < g->declared.assumption_count &&
           g->declared.assumptions[f->why.subject].found;
  return f->why.kind == REASON_OP || f->why.kind == REASON_TYPE;
}

void claims_collect(infer_state *s, fact_id first) {
  infer_result *r = s->r;
  uint32_t end = store_fact_count(s->store);
  assert(first <= end);
  for (fact_id i = first; i < end; i++) {
    const fact *f = store_fact(s->store, i);
    if (!is_claim(s->g, f) || f->scope != s->scope) continue;
    r->claims = arena_grow(s->arena, r->claims, r->claim_count, r->claim_count + 1,
                           &r->capacity.claims, sizeof(*r->claims));
    r->claims[r->claim_count++] = (infer_claim){
        .p = f->p, .fact = i, .why = f->why, .scope = s->scope, .guard = f->why.required};
  }
}
