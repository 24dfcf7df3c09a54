// SPDX-License-Identifier: Apache-2.0
#include "solver/decide/suggest.h"

#include <assert.h>

#include "solver/term/limits.h"

typedef struct collector {
  const query *q;
  term_id symbols[SUGGEST_SYMBOLS];
  num divisors[SUGGEST_DIVISORS];
  uint32_t symbol_count, divisor_count;
} collector;

static void note_divisor(collector *c, num value) {
  if (num_sign(value) < 0) value = num_neg(c->q->budget, value);
  if (num_compare(value, NUM(1)) <= 0 || c->divisor_count == SUGGEST_DIVISORS) return;
  for (uint32_t i = 0; i < c->divisor_count; i++) {
    if (num_equal(c->divisors[i], value)) return;
  }
  // Ascending: a smaller divisor asks for less, and what it settles need not be asked of the larger.
  uint32_t at = c->divisor_count++;
  for (; at && num_compare(c->divisors[at - 1], value) > 0; at--)
    c->divisors[at] = c->divisors[at - 1];
  assert(at < c->divisor_count && c->divisor_count <= SUGGEST_DIVISORS);
  c->divisors[at] = value;
}

static void note_symbol(collector *c, term_id symbol) {
  if (c->symbol_count == SUGGEST_SYMBOLS) return;
  for (uint32_t i = 0; i < c->symbol_count; i++) {
    if (c->symbols[i] == symbol) return;
  }
  c->symbols[c->symbol_count++] = symbol;
}

static void visit_all(void *data, term_id atom) {
  collector *c = data;
  const term_node *node = term_get(c->q->terms, atom);
  num value;
  if (node->kind == TERM_SYMBOL) note_symbol(c, atom);
  if (node->kind == TERM_FLOORDIV && term_const_value(c->q->terms, node->as.args[1], &value))
    note_divisor(c, value);
}

static void collect(collector *c, predicate p) {
  num value;
  term_visit_atoms(c->q->terms, p.left, visit_all, c);
  term_visit_atoms(c->q->terms, p.right, visit_all, c);
  if (p.rel == REL_DIVISIBLE && term_const_value(c->q->terms, p.right, &value))
    note_divisor(c, value);
}

typedef struct trial {
  query q;
  predicate *premises;  // those of the query, and room for one more
  predicate goal;
  predicate *out;
  uint32_t found, room, tries;
} trial;

// Whether a suggestion that is there already is weaker: nothing new is said then.
static bool is_covered(const trial *t, predicate candidate) {
  trial probe = *t;
  probe.q.premise_count = t->q.premise_count;
  assert(t->found <= t->room && t->q.premise_count);
  probe.premises[t->q.premise_count - 1] = candidate;
  for (uint32_t i = 0; i < t->found; i++) {
    query_result r = query_ask(&probe.q, t->out[i]);
    if (r.answer == SHAPE_YES || r.conflict) return true;
  }
  return false;
}

// The query in other words, or more of the same, is no answer to it: H <= W or H < W to H + W <= 2*W. But that 8
// divides H is one to floordiv(H, 8)*8 == H.
static bool repeats_goal(term_table *t, predicate q, predicate p) {
  if (p.rel == REL_DIVISIBLE) {
    if (q.rel == REL_DIVISIBLE) return p.left == q.left && p.right == q.right;
    return q.rel == REL_EQ && q.right == TERM_ZERO && q.left == term_mod(t, p.left, p.right);
  }
  if (q.rel == REL_DIVISIBLE) return false;
  term_id x = term_sub(t, p.left, p.right), y = term_sub(t, q.left, q.right);
  return term_kind_of(t, term_sub(t, x, y)) == TERM_CONST ||
         term_kind_of(t, term_add(t, x, y)) == TERM_CONST;
}

// What leaves one of its own symbols a single value is no help: x <= y settles x == y where 2*x == 3*y, as both are 0.
static bool pins_a_symbol(const trial *t, predicate candidate) {
  const term_id sides[] = {candidate.left, candidate.right};
  for (uint32_t i = 0; i < 2; i++) {
    interval before, after;
    query without = t->q;
    num value;
    if (term_kind_of(t->q.terms, sides[i]) != TERM_SYMBOL) continue;
    assert(without.premise_count);
    without.premise_count--;
    if (!query_bounds(&t->q, sides[i], &after)) return true;
    if (interval_is_point(after, &value) && query_bounds(&without, sides[i], &before) &&
        !interval_is_point(before, &value))
      return true;
  }
  return false;
}

static void try_candidate(trial *t, predicate candidate) {
  if (repeats_goal(t->q.terms, t->goal, candidate)) return;
  if (t->found == t->room || t->tries == SUGGEST_TRIES) return;
  t->tries++;
  t->premises[t->q.premise_count - 1] = candidate;
  uint64_t left = budget_left(t->q.budget);
  budget_allow(t->q.budget, left < SUGGEST_STEPS ? left : SUGGEST_STEPS);
  query_result r = query_ask(&t->q, t->goal);
  if (r.answer == SHAPE_YES && !r.conflict && !is_covered(t, candidate)) {
    // A candidate that no point satisfies would make anything follow: there must be a point.
    query_result own = query_ask(&t->q, predicate_make(REL_NE, TERM_ZERO, TERM_ZERO));
    if ((r.witness_true || own.witness_false) && !own.conflict && !pins_a_symbol(t, candidate))
      t->out[t->found++] = candidate;
  }
  budget_allow(t->q.budget, left);
}

static void try_pairs(trial *t, const collector *c, relation rel) {
  for (uint32_t i = 0; i < c->symbol_count; i++) {
    for (uint32_t k = 0; k < c->symbol_count; k++) {
      if (i == k || (rel == REL_EQ && k < i)) continue;
      try_candidate(t, predicate_make(rel, c->symbols[i], c->symbols[k]));
    }
  }
}

uint32_t query_suggest(const query *q, predicate goal, predicate *out, uint32_t room) {
  collector c = {.q = q};
  collect(&c, goal);
  for (uint32_t i = 0; i < q->premise_count && i < SUGGEST_PREMISES; i++)
    collect(&c, q->premises[i]);
  predicate *premises = arena_alloc(q->arena, (q->premise_count + 1u) * sizeof *premises);
  for (uint32_t i = 0; i < q->premise_count; i++) premises[i] = q->premises[i];
  trial t = {.q = *q, .premises = premises, .goal = goal, .out = out, .room = room};
  t.q.premises = premises;
  t.q.premise_count++;
  for (uint32_t i = 0; i < c.symbol_count; i++) {
    for (uint32_t k = 0; k < c.divisor_count; k++) {
      term_id divisor = term_const(q->terms, c.divisors[k]);
      try_candidate(&t, predicate_make(REL_DIVISIBLE, c.symbols[i], divisor));
    }
  }
  for (uint32_t i = 0; i < c.symbol_count; i++)
    try_candidate(&t, predicate_make(REL_GE, c.symbols[i], TERM_ONE));
  try_pairs(&t, &c, REL_LE);
  try_pairs(&t, &c, REL_LT);
  try_pairs(&t, &c, REL_EQ);
  return t.found;
}
