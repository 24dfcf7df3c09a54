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
  event_queue *queue = event.kind == EVENT_EQ ? &s->equations : &s->others;
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
  if (s->in_conflict) return;
  assert(proof == PROOF_NONE || proof < s->proof_count);
  s->in_conflict = true;
  s->conflict_proof = proof;
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
  for (uint32_t i = 0; i < THEORY_COUNT && !s->in_conflict; i++) {
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
  while (s->dirty_head < s->dirty_count) {
    *form = s->dirty[s->dirty_head++];
    assert(*form < s->form_count && s->forms[*form].queued);
    s->forms[*form].queued = false;
    if (s->forms[*form].live) return true;
  }
  s->dirty_head = s->dirty_count = 0;
  return false;
}

// False where there were events: what they say is not known.
static bool drop_all(shape_store *s) {
  bool none = s->equations.head == s->equations.count && s->others.head == s->others.count;
  s->equations.head = s->equations.count = 0;
  s->others.head = s->others.count = 0;
  for (uint32_t i = s->dirty_head; i < s->dirty_count; i++) s->forms[s->dirty[i]].queued = false;
  s->dirty_head = s->dirty_count = 0;
  return none;
}

bool store_run(shape_store *s) {
  store_event event;
  uint32_t form;
  s->credit += FACTS_CREDIT_PER_FACT;
  if (s->credit > FACTS_CREDIT_MAX) s->credit = FACTS_CREDIT_MAX;
  s->rounds = s->credit < FACTS_ROUNDS ? s->credit : FACTS_ROUNDS;
  // Events are bounded too; what is dropped at the end is only not known. Releasing all forms is the longest that a
  // sound run takes.
  uint64_t left = FACTS_EVENTS + FACTS_EVENTS_PER_FORM * (uint64_t)s->form_count;
  while (!s->in_conflict && left-- && budget_spend(s->budget, 1)) {
    if (take(&s->equations, &event) || take(&s->others, &event)) {
      hand_out(s, event);
    } else if (s->rounds && take_dirty(s, &form)) {
      s->rounds--;
      s->credit -= s->credit > 0;
      for (uint32_t i = 0; i < THEORY_COUNT && !s->in_conflict; i++) {
        if (theories[i]->propagate && s->forms[form].live) theories[i]->propagate(s, form);
      }
    } else {
      break;
    }
  }
  s->is_short |= s->credit < FACTS_CREDIT_PLENTY || !s->rounds || s->budget->steps_left == 0;
  return drop_all(s);
}
