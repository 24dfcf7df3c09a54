// SPDX-License-Identifier: Apache-2.0
// The bus: hands events to the theories until nothing changes. Equations go first, because every other statement is
// smaller once they are solved.
#include <assert.h>

#include "solver/facts/core.h"

static const theory *const theories[] = {&equality_theory, &linear_theory, &congruence_theory,
                                         &factor_theory, &range_theory};
enum { THEORY_COUNT = sizeof theories / sizeof *theories };

static void post(shape_store *s, store_event event) {
  assert(event.kind != EVENT_DIV || num_compare(event.modulus, NUM(1)) > 0);
  assert(event.term < s->terms->count);
  event_queue *queue = event.kind == EVENT_EQ ? &s->bus.equations : &s->bus.others;
  STORE_GROW(s, queue->items, queue->count, queue->count + 1u, queue->capacity);
  queue->items[queue->count++] = event;
}

void store_post(shape_store *s, event_kind kind, term_id term, proof_id proof) {
  post(s, (store_event){.kind = kind, .term = term, .modulus = NUM(0), .proof = proof});
}

void store_post_divides(shape_store *s, num modulus, term_id term, proof_id proof) {
  modulus = num_abs(s->budget, modulus);
  if (num_is_one(modulus)) return;
  if (num_is_zero(modulus)) {
    store_post(s, EVENT_EQ, term, proof);
    return;
  }
  post(s, (store_event){.kind = EVENT_DIV, .term = term, .modulus = modulus, .proof = proof});
}

void store_report_conflict(shape_store *s, proof_id proof) {
  if (s->conflict.found) return;
  assert(proof == PROOF_NONE || proof < s->proofs.count);
  s->conflict.found = true;
  s->conflict.proof = proof;
}

static bool constant_holds(shape_store *s, const store_event *event, num value) {
  switch (event->kind) {
  case EVENT_EQ: return num_is_zero(value);
  case EVENT_GE: return num_sign(value) >= 0;
  case EVENT_NE: return !num_is_zero(value);
  case EVENT_DIV: return num_divides(s->budget, event->modulus, value);
  }
  return true;
}

static void hand_out(shape_store *s, store_event event) {
  event.term = canon_with_proof(s, event.term, &event.proof);
  num value;
  if (term_const_value(s->terms, event.term, &value)) {
    if (!constant_holds(s, &event, value)) store_report_conflict(s, event.proof);
    return;
  }
  for (uint32_t i = 0; i < THEORY_COUNT && !s->conflict.found; i++) {
    if (theories[i]->notify(s, &event) != THEORY_PASS) return;
  }
}

static bool take(event_queue *queue, store_event *event) {
  if (queue->head == queue->count) {
    queue->head = queue->count = 0;
    return false;
  }
  assert(queue->head < queue->count);
  *event = queue->items[queue->head++];
  return true;
}

static bool take_dirty(shape_store *s, uint32_t *form) {
  while (s->bus.dirty_head < s->bus.dirty_count) {
    *form = s->bus.dirty[s->bus.dirty_head++];
    assert(*form < s->forms.count && s->forms.items[*form].queued);
    s->forms.items[*form].queued = false;
    if (s->forms.items[*form].live) return true;
  }
  s->bus.dirty_head = s->bus.dirty_count = 0;
  return false;
}

// False where there were events: what they say is not known.
static bool drop_all(shape_store *s) {
  bool none =
      s->bus.equations.head == s->bus.equations.count && s->bus.others.head == s->bus.others.count;
  s->bus.equations.head = s->bus.equations.count = 0;
  s->bus.others.head = s->bus.others.count = 0;
  for (uint32_t i = s->bus.dirty_head; i < s->bus.dirty_count; i++)
    s->forms.items[s->bus.dirty[i]].queued = false;
  s->bus.dirty_head = s->bus.dirty_count = 0;
  return none;
}

bool store_run(shape_store *s) {
  store_event event;
  uint32_t form;
  s->bus.credit += FACTS_CREDIT_PER_FACT;
  if (s->bus.credit > FACTS_CREDIT_MAX) s->bus.credit = FACTS_CREDIT_MAX;
  s->bus.rounds = s->bus.credit < FACTS_ROUNDS ? s->bus.credit : FACTS_ROUNDS;
  // Events are bounded too; what is dropped at the end is only not known. Releasing all forms is the longest that a
  // sound run takes.
  uint64_t left = FACTS_EVENTS + FACTS_EVENTS_PER_FORM * (uint64_t)s->forms.count;
  while (!s->conflict.found && left-- && budget_spend(s->budget, 1)) {
    if (take(&s->bus.equations, &event) || take(&s->bus.others, &event)) {
      hand_out(s, event);
    } else if (s->bus.rounds && take_dirty(s, &form)) {
      s->bus.rounds--;
      s->bus.credit -= s->bus.credit > 0;
      for (uint32_t i = 0; i < THEORY_COUNT && !s->conflict.found; i++) {
        if (theories[i]->propagate && s->forms.items[form].live) theories[i]->propagate(s, form);
      }
    } else {
      break;
    }
  }
  s->bus.is_short |=
      s->bus.credit < FACTS_CREDIT_PLENTY || !s->bus.rounds || budget_left(s->budget) == 0;
  return drop_all(s);
}
