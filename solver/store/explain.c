// SPDX-License-Identifier: Apache-2.0
// Reasons: from the proofs, which is cheap, and irreducible sets by leaving facts out and solving again.
#include "solver/store/core.h"

#include <string.h>

// Larger sets are not shrunk: each fact that is tried costs a solve of all the others.
enum { MAX_SHRINK = 256 };

uint32_t store_because(shape_store *s, predicate p, fact_id *facts, uint32_t room,
                       bool *truncated) {
  proof_id proof = PROOF_NONE;
  component_ask(s, p, &proof);
  return proof_facts(s, proof, facts, room, truncated);
}

// A store of its own over the same terms, to solve subsets of the facts in.
static shape_store *shadow_of(shape_store *s) {
  if (!s->shadow) {
    s->shadow = store_new(s->arena, s->terms, s->budget);
    s->shadow->parent = s;
  }
  return s->shadow;
}

// Symbols declared as multiples are solved for in the shadow too.
static void declare_symbols(shape_store *s, shape_store *shadow) {
  for (uint32_t i = shadow->symbol_count; i < s->symbol_count; i++) {
    store_symbol_record(shadow, i);
    shadow->symbols[i].term = s->symbols[i].term;
    shadow->symbols[i].meaning = s->symbols[i].meaning;
    shadow->symbols[i].divisor = s->symbols[i].divisor;
    store_redeclare(shadow, i);
  }
}

// Whether p follows from the facts whose flag is not cleared (a clash: everything follows).
static bool follows(shape_store *s, shape_store *shadow, predicate p, const fact_id *facts,
                    uint32_t count, uint32_t without) {
  store_push(shadow, 0);
  bool clash = false;
  for (uint32_t i = 0; i < count && !clash; i++) {
    if (i == without) continue;
    const fact *f = &s->facts[facts[i]];
    clash = store_add(shadow, f->p, f->why) == ADD_CONFLICT;
  }
  bool yes = clash;
  if (!clash) {
    store_answer r = store_ask(shadow, p);
    yes = r.conflict || r.answer == SHAPE_YES;
  }
  store_pop(shadow);
  return yes;
}

bool store_explain(shape_store *s, predicate p, fact_id *facts, uint32_t room, uint32_t *count) {
  *count = 0;
  proof_id proof = PROOF_NONE;
  store_answer r = component_ask(s, p, &proof);
  if (!r.conflict && r.answer != SHAPE_YES) return false;
  arena_mark mark = arena_get_mark(&s->scratch);
  fact_id *core = arena_alloc(&s->scratch, (s->live_count + 1) * sizeof *core);
  uint32_t size = proof_facts(s, proof, core, s->live_count, NULL);
  shape_store *shadow = shadow_of(s);
  declare_symbols(s, shadow);
  if (size <= MAX_SHRINK && follows(s, shadow, p, core, size, NONE)) {
    for (uint32_t i = size; i-- > 0;) {
      if (!follows(s, shadow, p, core, size, i)) continue;
      memmove(core + i, core + i + 1, (size - i - 1) * sizeof *core);
      size--;
    }
  }
  *count = size < room ? size : room;
  if (*count) memcpy(facts, core, *count * sizeof *facts);
  arena_rewind(&s->scratch, mark);
  return true;
}
