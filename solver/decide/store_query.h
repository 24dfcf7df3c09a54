// SPDX-License-Identifier: Apache-2.0
// Full queries to the store: the decision procedure on the connected component of a query, under the budget. Every answer
// is sound: YES holds at every integer point that satisfies the facts, NO at none; SHAPE_UNKNOWN is always allowed.
#ifndef SHAPE_DECIDE_STORE_QUERY_H
#define SHAPE_DECIDE_STORE_QUERY_H

#include "solver/facts/store.h"

typedef struct store_answer {
  shape_answer answer;
  bool conflict;  // the facts themselves have no solution (found out on the way)
  bool budget;    // UNKNOWN because the budget was spent; else contingent or beyond the theories
} store_answer;

store_answer store_ask(shape_store *store, predicate p);
// The same within QUERY_BRIEF_STEPS, for what would only make an answer shorter.
store_answer store_ask_briefly(shape_store *store, predicate p);
bool store_bounds(shape_store *store, term_id t,
                  interval *out);  // tight where it can; false: the facts conflict
term_id store_simplify(shape_store *store, term_id t);  // the smallest equal form under the facts
// The same for several terms, in that many steps at most: points of the facts that are found for one are used for others of
// its symbols. `near` is NULL at first, and lives in that arena.
typedef struct near_points near_points;
term_id store_simplify_near(shape_store *store, term_id t, uint64_t steps, shape_arena *arena,
                            near_points **near);

// A predicate in simpler words, and what it says of the minima and broadcasts in those that it had before: each is one of
// its arguments.
typedef struct restatement {
  predicate p;
  const predicate *settled;  // in the store's arena
  uint32_t count;
  bool always;  // store_restate is false, as p holds at all points
} restatement;

// The simplest predicate found that holds at exactly the points of p, whatever the facts are: under the ranges alone with
// which its symbols were declared. Proven both ways by the decision procedure. False where none is found, where p holds at
// all points or at none, and where the facts decide p. O(size of p) where p has no minima, else RESTATE_STEPS.
bool store_restate(shape_store *store, predicate p, restatement *out);
// The same where the facts decide p, too.
bool store_restate_alone(shape_store *store, predicate p, restatement *out);
// Bounds of a quotient by a number as bounds of its dividend, floordiv(T + 1, 4) >= 1 as T >= 3: at all integers the same.
// False where the predicate is none. O(depth).
bool restate_quotient(term_table *t, predicate *p);
shape_answer store_consistent(shape_store *store);  // NO: the facts have no solution

// --- reasons
// The facts that make p true (or, for ADD_CONFLICT, in conflict): a small superset by the proof structure, oldest first.
// Returns the count, at most `room`; *truncated is set when there were more.
uint32_t store_because(shape_store *store, predicate p, fact_id *facts, uint32_t room,
                       bool *truncated);
// As store_conflict (store.h), irreducible: leave one out and the rejected predicate no longer conflicts. For messages: it solves again.
uint32_t store_conflict_core(shape_store *store, predicate rejected, fact_id *facts, uint32_t room,
                             bool *truncated);
// An irreducible set of facts that imply p: leave one out and it does not follow (within the budget).
// Returns false when p does not follow.
bool store_explain(shape_store *store, predicate p, fact_id *facts, uint32_t room, uint32_t *count);

#endif
