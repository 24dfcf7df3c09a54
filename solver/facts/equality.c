// SPDX-License-Identifier: Apache-2.0
// The theory of x == y and x == c: union-find whose links are definitions, chosen by rank and age, so that answers do
// not depend on the order of facts. Path compression alone gives O(log n) amortised per look-up (Tarjan 1975); it is the
// memo of canon.c.
#include <assert.h>

#include "solver/facts/core.h"

bool equality_goes_first(shape_store *s, term_id x, term_id y) {
  assert(term_kind_of(s->terms, x) == TERM_SYMBOL && term_kind_of(s->terms, y) == TERM_SYMBOL);
  uint32_t i = term_get(s->terms, x)->as.symbol, k = term_get(s->terms, y)->as.symbol;
  uint8_t rank_x = store_symbol_record(s, i)->info.rank;
  uint8_t rank_y = store_symbol_record(s, k)->info.rank;
  return rank_x != rank_y ? rank_x > rank_y : term_symbol_order(s->terms, i, k) > 0;
}

void equality_merge(shape_store *s, term_id x, term_id y, proof_id proof) {
  assert(x != y);
  if (equality_goes_first(s, x, y)) {
    canon_define(s, x, y, proof);
  } else {
    canon_define(s, y, x, proof);
  }
}

static theory_result notify(shape_store *s, const store_event *event) {
  if (event->kind != EVENT_EQ) return THEORY_PASS;
  if (term_kind_of(s->terms, event->term) == TERM_SYMBOL) {
    canon_define(s, event->term, TERM_ZERO, event->proof);
    return THEORY_DONE;
  }
  const term_node *node = term_get(s->terms, event->term);
  if (node->kind != TERM_SUM || node->count != 2) return THEORY_PASS;
  term_part a = node->as.parts[0], b = node->as.parts[1];
  bool unit_a = num_is_one(a.coefficient), unit_b = num_is_one(b.coefficient);
  bool minus_a = num_is(a.coefficient, -1), minus_b = num_is(b.coefficient, -1);
  if (term_kind_of(s->terms, b.monomial) != TERM_SYMBOL || (!unit_b && !minus_b)) {
    return THEORY_PASS;
  }
  if (a.monomial == TERM_ONE) {
    num value = unit_b ? num_neg(s->budget, a.coefficient) : a.coefficient;
    canon_define(s, b.monomial, term_const(s->terms, value), event->proof);
    return THEORY_DONE;
  }
  if (term_kind_of(s->terms, a.monomial) != TERM_SYMBOL) return THEORY_PASS;
  if (!(unit_a && minus_b) && !(minus_a && unit_b)) return THEORY_PASS;
  equality_merge(s, a.monomial, b.monomial, event->proof);
  return THEORY_DONE;
}

const theory equality_theory = {.notify = notify};
