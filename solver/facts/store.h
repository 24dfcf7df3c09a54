// SPDX-License-Identifier: Apache-2.0
// The store: everything that is known about the dims of one program, and what follows from it.
//
// Facts enter through store_add. The theories after it (theory.h) keep a solved form, so that two terms that are equal
// by linear reasoning have the same canonical term, and bounds, residues, products and order for the rest.
//
// Two strengths of queries. The cheap ones (store_canon, store_range, store_holds) cost little more than a look-up
// and are what rules ask on the hot path. The full ones (solver/decide/store_query.h) use every theory on the connected
// component of the query under the budget. Every answer is sound: YES holds at every integer point that satisfies the
// facts, NO at none; SHAPE_UNKNOWN is always allowed.
//
// Scopes: store_push opens a scope, store_pop forgets all facts since, in time proportional to what they touched. Terms
// stay. A contradiction is a result, not a state: the fact that would break the store is not added.
// Order: the answers do not depend on the order in which facts came (representatives may; term_order decides ties).
#ifndef SHAPE_FACTS_STORE_H
#define SHAPE_FACTS_STORE_H

#include "solver/facts/fact.h"
#include "solver/num/interval.h"
#include "solver/num/modular.h"

typedef struct shape_store shape_store;

shape_store *store_new(shape_arena *arena, term_table *terms, shape_budget *budget);

// --- symbols: declared once, when made, in the outermost scope. Ranges are true by construction.
typedef struct symbol_info {
  interval range;   // dims: at least 0
  num multiple_of;  // 1: nothing
  // Which of two equal symbols represents their class: the smaller rank wins, then the older symbol. Names of users
  // before arguments' dims before arguments' values before computed ones.
  uint8_t rank;
} symbol_info;

enum symbol_rank {
  SYMBOL_NAMED = 0,
  SYMBOL_ARGUMENT_SIZE = 1,
  SYMBOL_ARGUMENT_VALUE = 2,
  SYMBOL_OPAQUE = 3,
  SYMBOL_FRESH = 4
};

term_id store_symbol(shape_store *store, symbol_info info);  // a new symbol, as a term
term_id store_symbol_term(shape_store *store,
                          uint32_t symbol);  // TERM_NONE: the store did not make it
const symbol_info *store_symbol_info(shape_store *store, uint32_t symbol);  // as declared

// Fresh symbols (SYMBOL_FRESH) are the store's own: integer elimination and divisibility make them, and canonical terms
// may hold them. Each denotes floordiv(*dividend, *divisor) over older symbols. False for other symbols.
bool store_fresh_meaning(shape_store *store, uint32_t symbol, term_id *dividend, num *divisor);
// `t`, which is no constant, with a fresh symbol for all of it but a factor and a constant: for terms that are too large
// to be built upon (see name.c). The symbol is the same for the same term. Nothing but bounds, residue and what is found
// out later is known of it.
term_id store_name(shape_store *store, term_id t);
// What such a symbol denotes; TERM_NONE for other symbols.
term_id store_named(shape_store *store, uint32_t symbol);
// An equal term without fresh symbols but names, for answers: H where H is 4*t and t is fresh, floordiv(H, 4) for t alone.
term_id store_express(shape_store *store, term_id t);

// --- facts
typedef enum add_result {
  ADD_NEW,      // it said something new
  ADD_KNOWN,    // the store knew it already (by cheap means)
  ADD_CONFLICT  // it contradicts the facts: not added; see store_conflict
} add_result;

add_result store_add(shape_store *store, predicate p, reason why);
static inline add_result store_add_eq(shape_store *store, term_id a, term_id b, reason why) {
  return store_add(store, predicate_make(REL_EQ, a, b), why);
}
// Whether the store knows a == b without a step, so that to state it would change nothing; false too where a log or a
// trace is to hear of what is stated. O(1).
bool store_is_settled(shape_store *store, term_id a, term_id b);
uint32_t store_fact_count(const shape_store *store);
const fact *store_fact(const shape_store *store, fact_id id);
uint32_t store_live_count(const shape_store *store);  // facts of the open scopes
fact_id store_live(const shape_store *store, uint32_t index);
// A store with the same symbols, in the same table of terms, and no facts: for an owner whose store was left half-changed
// by arena_fail. The old one is not used again.
shape_store *store_without_facts(const shape_store *store);
// Counts changes to what the store knows; a rule that could not decide runs again only when it moved.
uint64_t store_version(const shape_store *store);
// While it is the same, the store answers each query as it did: facts that were stated count as well, and a scope that
// ended without any does not.
uint64_t store_state(const shape_store *store);

// --- scopes
void store_push(shape_store *store,
                uint32_t scope);  // facts added from now on carry this scope number
void store_pop(shape_store *store);

// --- what a caller that keeps the store needs to solve parts of it again (solver/session)
typedef enum store_note_kind {
  NOTE_ASKED,   // a query about `a`
  NOTE_STATED,  // store_add of a predicate over `a` and `b`, whatever came of it
  NOTE_MADE     // store_symbol made, or gave again, the symbol of number `a`
} store_note_kind;

typedef struct store_note {
  store_note_kind kind;
  uint32_t a, b;
} store_note;

typedef struct store_log {
  store_note *notes;
  uint32_t count, capacity;
  // Of the visit under way, in which a query that is asked again at once is noted once.
  uint32_t first;
  // The next calls of store_symbol give these symbols again, in this order, where they are declared alike; UINT32_MAX: a
  // new one instead.
  const uint32_t *reuse;
  uint32_t reuse_count;
} store_log;

void store_keep_log(shape_store *store, store_log *log);  // in the store's arena; NULL: no longer
// Forgets the facts listed and everything else that was found out about the symbols; they are as newly declared, but for
// those that the store made itself, which nothing speaks of any more. Only where no scope is open.
// False, and nothing has happened, where what is known about these symbols cannot be separated from the rest: some fact
// that is kept ties one of them to another.
// Cost: what is known about the symbols, the facts younger than the first of these, and later, for every term that was
// canonical, one visit of its atoms.
bool store_forget(shape_store *store, const uint32_t *symbols, uint32_t symbol_count,
                  const fact_id *facts, uint32_t fact_count);
// Declares a symbol otherwise. What was concluded from the old declaration stays until the symbol is forgotten, which is
// to come next.
void store_declare_again(shape_store *store, uint32_t symbol, symbol_info info);
// Some fact did not have all the consequences that it has in a store of fewer facts: what is known then depends on what
// else was stated, not on the facts about the same symbols alone.
bool store_is_short(const shape_store *store);

// --- cheap queries
term_id store_canon(shape_store *store, term_id t);  // the canonical term under the facts; memoised
interval store_range(shape_store *store, term_id t);   // sound, not always tight
residue store_residue(shape_store *store, term_id t);  // sound, not always tight
// By canonical form, ranges and residues only.
shape_answer store_holds(shape_store *store, predicate p);
static inline bool store_equal(shape_store *store, term_id a, term_id b) {
  return a == b || store_canon(store, a) == store_canon(store, b);
}
static inline bool store_known(shape_store *store, predicate p) {
  return store_holds(store, p) == SHAPE_YES;
}

// --- reasons
// After ADD_CONFLICT: the facts that the rejected one was in conflict with.
uint32_t store_conflict(shape_store *store, fact_id *facts, uint32_t room, bool *truncated);

#endif
