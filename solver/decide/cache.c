// SPDX-License-Identifier: Apache-2.0
// Answers to full queries, kept by the query's canonical terms together with the premises and symbols that it was
// asked under. Terms are interned, so those are compared id by id: an answer is given again exactly when everything
// connected to the query is as it was, whatever was pushed, added or popped elsewhere or in between.
// A fixed number of slots, by hash of the query; a larger component than fits is not kept. Cost: that of gathering.
#include <assert.h>
#include <string.h>

#include "solver/decide/component.h"

typedef struct kept_answer {
  bool used;
  predicate asked;
  query_symbol symbols[CACHE_SYMBOLS];
  predicate premises[CACHE_PREMISES];
  uint32_t symbol_count, premise_count;
  shape_answer answer;
  bool conflict;
  unknown_reason reason;
} kept_answer;

struct answer_cache {
  kept_answer slots[CACHE_SLOTS];
};

static kept_answer *slot_of(answer_cache *c, predicate p) {
  uint64_t hash = hash_pair((uint64_t)p.left << 32 | p.right, (uint64_t)p.rel + 1);
  return &c->slots[hash % CACHE_SLOTS];
}

static bool fits(const query *q) {
  return q->symbol_count <= CACHE_SYMBOLS && q->premise_count <= CACHE_PREMISES;
}

static bool same_predicate(predicate a, predicate b) {
  return a.rel == b.rel && a.left == b.left && a.right == b.right;
}

bool same_facts(const query *a, const query *b) {
  if (a->symbol_count != b->symbol_count || a->premise_count != b->premise_count) return false;
  for (uint32_t i = 0; i < b->premise_count; i++) {
    if (!same_predicate(a->premises[i], b->premises[i])) return false;
  }
  for (uint32_t i = 0; i < b->symbol_count; i++) {
    const query_symbol *x = &a->symbols[i], *y = &b->symbols[i];
    if (x->symbol != y->symbol || !interval_equal(x->range, y->range) ||
        !num_equal(x->multiple_of, y->multiple_of))
      return false;
  }
  return true;
}

static bool same_goal(const kept_answer *k, const query *q, predicate p) {
  const query asked = {.symbols = k->symbols,
                       .symbol_count = k->symbol_count,
                       .premises = k->premises,
                       .premise_count = k->premise_count};
  return k->used && same_predicate(k->asked, p) && same_facts(&asked, q);
}

bool answer_cache_get(const shape_store *s, const query *q, predicate p, query_result *out) {
  if (!s->kept.answers || !fits(q)) return false;
  const kept_answer *k = slot_of(s->kept.answers, p);
  if (!same_goal(k, q, p)) return false;
  *out = (query_result){.answer = k->answer, .conflict = k->conflict, .reason = k->reason};
  return true;
}

bool has_small_numbers(const query *q) {
  for (uint32_t i = 0; i < q->symbol_count; i++) {
    const query_symbol *x = &q->symbols[i];
    if ((x->range.has_lo && x->range.lo.big) || (x->range.has_hi && x->range.hi.big) ||
        x->multiple_of.big)
      return false;
  }
  return true;
}

void answer_cache_put(shape_store *s, const query *q, predicate p, const query_result *r) {
  assert(!r->conflict || r->answer == SHAPE_UNKNOWN);
  if (!fits(q) || !has_small_numbers(q) || r->reason == UNKNOWN_BUDGET) return;
  if (!s->kept.answers) s->kept.answers = arena_zalloc(s->arena, sizeof *s->kept.answers);
  kept_answer *k = slot_of(s->kept.answers, p);
  *k = (kept_answer){.used = true,
                     .asked = p,
                     .symbol_count = q->symbol_count,
                     .premise_count = q->premise_count,
                     .answer = r->answer,
                     .conflict = r->conflict,
                     .reason = r->reason};
  if (q->symbol_count) memcpy(k->symbols, q->symbols, q->symbol_count * sizeof *k->symbols);
  if (q->premise_count) memcpy(k->premises, q->premises, q->premise_count * sizeof *k->premises);
}
