// SPDX-License-Identifier: Apache-2.0
// Reasons: from the proofs, which is cheap, and irreducible sets by leaving facts out and solving again.
#include "solver/certify/check.h"
#include "solver/decide/component.h"
#include "solver/decide/shrink.h"

#include <assert.h>
#include <string.h>

uint32_t store_because(shape_store *s, predicate p, fact_id *facts, uint32_t room,
                       bool *truncated) {
  proof_id proof = PROOF_NONE;
  component_ask(s, p, &proof, BECAUSE_STEPS);
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
  assert(shadow->parent == s);
  for (uint32_t i = shadow->symbols.count; i < s->symbols.count; i++) {
    store_symbol_record(shadow, i);
    shadow->symbols.items[i].term = s->symbols.items[i].term;
    shadow->symbols.items[i].meaning = s->symbols.items[i].meaning;
    shadow->symbols.items[i].divisor = s->symbols.items[i].divisor;
    store_redeclare(shadow, i);
  }
}

// A set of facts, and what is to follow from those that are kept.
typedef struct explaining {
  shape_store *shadow;
  const shape_store *s;
  const fact_id *facts;
  uint32_t count;
  uint8_t *keep;
  const predicate *rejected;  // these must conflict with the facts; or NULL
  const predicate *p;         // this is to follow
} explaining;

// A conflict of what is kept is enough: everything follows.
static bool follows(void *data) {
  explaining *x = data;
  reason none = {.kind = REASON_NONE};
  store_push(x->shadow, 0);
  bool in_conflict = false;
  for (uint32_t i = 0; i < x->count && !in_conflict; i++) {
    if (!x->keep[i]) continue;
    const fact *f = &x->s->facts.items[x->facts[i]];
    in_conflict = store_add(x->shadow, f->p, f->why) == ADD_CONFLICT;
  }
  if (!in_conflict && x->rejected)
    in_conflict = store_add(x->shadow, *x->rejected, none) == ADD_CONFLICT;
  bool yes = in_conflict;
  if (!in_conflict && x->p) {
    store_answer r = store_ask(x->shadow, *x->p);
    yes = r.conflict || r.answer == SHAPE_YES;
  }
  store_pop(x->shadow);
  assert(x->shadow->scopes.count == 0);
  return yes;
}

// Shrinks the facts in place; returns how many are left.
static uint32_t shrink(shape_store *s, fact_id *facts, uint32_t count, const predicate *rejected,
                       const predicate *p) {
  if (count > EXPLAIN_FACTS) return count;
  explaining x = {.s = s, .facts = facts, .count = count, .rejected = rejected, .p = p};
  x.shadow = shadow_of(s);
  x.keep = arena_alloc(&s->scratch, count + 1u);
  memset(x.keep, 1, count);
  declare_symbols(s, x.shadow);
  if (!follows(&x)) return count;
  shrink_set(&s->scratch, x.keep, count, follows, &x);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (x.keep[i]) facts[kept++] = facts[i];
  }
  return kept;
}

bool store_explain(shape_store *s, predicate p, fact_id *facts, uint32_t room, uint32_t *count) {
  *count = 0;
  proof_id proof = PROOF_NONE;
  store_answer r = component_ask(s, p, &proof, CERTIFY_STEPS);
  if (!r.conflict && r.answer != SHAPE_YES) return false;
  arena_mark mark = arena_get_mark(&s->scratch);
  fact_id *core = arena_alloc(&s->scratch, (s->facts.live_count + 1) * sizeof *core);
  uint32_t size = proof_facts(s, proof, core, s->facts.live_count, NULL);
  size = shrink(s, core, size, NULL, &p);
  *count = size < room ? size : room;
  if (*count) memcpy(facts, core, *count * sizeof *facts);
  arena_rewind(&s->scratch, mark);
  return true;
}

uint32_t store_conflict_core(shape_store *s, predicate rejected, fact_id *facts, uint32_t room,
                             bool *truncated) {
  arena_mark mark = arena_get_mark(&s->scratch);
  fact_id *core = arena_alloc(&s->scratch, (s->conflict.count + 1) * sizeof *core);
  uint32_t size = store_conflict(s, core, s->conflict.count, NULL);
  assert(size == s->conflict.count);
  size = shrink(s, core, size, &rejected, NULL);
  *truncated = size > room;
  if (size > room) size = room;
  if (size) memcpy(facts, core, size * sizeof *facts);
  arena_rewind(&s->scratch, mark);
  return size;
}
