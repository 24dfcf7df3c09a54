// SPDX-License-Identifier: Apache-2.0
// The inside of a shape_context: a table of terms, a store, the names of its symbols, the list of what was assumed.
//
//   context.c   making and freeing, symbols, the way into the library and out of it
//   express.c   expressions: built, parsed, printed
//   assume.c    assumptions, checkpoints
//   prove.c     queries
//   reasons.c   why an answer is what it is
//   gather.c    premises as they were stated
//   model.c     values of expressions at one point
//
// Every call runs under arena_protect. What ends one (memory, bits, a token) may leave the store half-changed: the context
// then makes a new store and states its assumptions again before the next call, so that a failed call changes nothing.
// The context of an analysis has the store of that analysis, and ends with it.
#ifndef SHAPE_API_CONTEXT_H
#define SHAPE_API_CONTEXT_H

#include "solver/api/token.h"
#include "solver/base/intern.h"
#include "solver/facts/store.h"
#include "solver/term/print.h"

typedef struct context_symbol {
  name_id name;
  term_id term;
  int64_t min, max, multiple_of;
  bool
      scoped;  // declared in a scope of the store, which takes what the declaration implied with it
} context_symbol;

typedef struct context_symbols {
  shape_intern names;  // and texts of origins
  context_symbol *items;
  uint32_t count, capacity;
  shape_imap by_name;    // name_id -> index in items
  shape_imap by_number;  // number of the term's symbol -> the same
} context_symbols;

typedef struct context_assumption {
  predicate p;
  const term_id *divisors;  // that are assumed not to be 0 with it
  uint32_t divisor_count;
  uint32_t scopes;     // of the store, open when it had been assumed
  const char *origin;  // NULL: none
  const char *text;    // NULL: not yet printed
} context_assumption;

typedef struct context_mark {  // of a checkpoint
  uint32_t assumptions, scopes;
} context_mark;

struct shape_report;

// Where facts and names come from that the context did not make: a report.
typedef struct context_source {
  struct shape_report *report;
  void (*print)(const struct context_source *source, shape_strbuf *out, term_id t);
  void (*explain)(const struct context_source *source, const reason *why, shape_reason *out);
} context_source;

struct shape_context {
  shape_arena own_arena;
  shape_arena
      scratch;  // rewound to `empty` after each call; its bytes count against the same limit
  arena_mark empty;
  shape_budget own_budget;
  shape_arena *arena;
  shape_budget *budget;
  term_table *terms;
  shape_store *store;
  uint64_t steps;  // of one call
  shape_error error;
  context_symbols symbols;
  context_assumption *assumptions;
  uint32_t assumption_count, assumption_capacity;
  context_mark *marks;
  uint32_t mark_count, mark_capacity;
  uint32_t scopes;  // of the store that are open
  term_id probe;    // of model.c: a symbol of which nothing is known; TERM_NONE: none yet
  const context_source *source;  // of the context of an analysis; NULL in others
  uint32_t given;                // that many symbols are the source's
  uint32_t changes;              // counts assumptions that came or went
  bool stale;                    // the store is to be made anew
  bool has_conflict;             // the last assumption that was rejected is kept
  predicate rejected;            // it
};

// Steps of one call, as of one request of `shape decide`.
enum { CONTEXT_STEPS = 2000000 };
// The `frame` of reasons that are assumptions of the context, and not of the analysis.
#define CONTEXT_FRAME UINT32_MAX
// The scope of facts that were stated for a while. It is no scope of a program: the store remembers what it has forgotten,
// and its readers take scope 0 for what holds in every run.
#define CONTEXT_SCOPE UINT32_MAX

// Runs body(context, call) with the budget of one call. False: the error is set.
typedef void context_body(shape_context *context, void *call);
bool context_run(shape_context *context, context_body *body, void *call);
bool context_has(const shape_context *context, shape_expr e);
void context_take_symbol(shape_context *context, name_id name, term_id symbol);
// Sets the error to SHAPE_INVALID; returns false.
bool context_invalid(shape_context *context, const char *message);

// Divisors of atoms in the term that may be 0, appended to *list; for context_body.
typedef struct divisor_list {
  shape_context *context;
  shape_arena *arena;
  term_id *items;
  uint32_t count, capacity;
} divisor_list;
void divisors_of(divisor_list *list, term_id t);
void divisors_add(divisor_list *list, term_id divisor);
void divisors_of_predicate(divisor_list *list, predicate p);

// Reads a predicate; false after setting the error. Divisors that the normal form loses are added to the list.
bool context_read_predicate(shape_context *context, const char *text, predicate *out,
                            divisor_list *divisors);
void context_print(shape_context *context, shape_strbuf *out, term_id t);
const char *context_predicate_text(shape_context *context, predicate p);  // in the arena

// States an assumption in the store: ADD_CONFLICT, and nothing is stated, where it contradicts others.
add_result context_state(shape_context *context, predicate p, const divisor_list *divisors,
                         uint32_t index);

// --- prove.c
bool context_is_predicate(shape_context *context, shape_relation rel, shape_expr a, shape_expr b);
// Opens a scope in which the divisors are not 0, where that is not known; *opened says whether. False: no point is left.
bool context_enter(shape_context *context, const divisor_list *divisors, bool *opened);
void context_leave(shape_context *context, bool opened);
// A conflict inside the domain of a query is one of the assumptions, or says that the query is defined nowhere.
bool context_conflicts(shape_context *context, bool opened);
shape_answer context_ask(shape_context *context, predicate p, const divisor_list *divisors,
                         bool *spent);

// --- reasons.c: of what the store proves or refutes, as shape_context_reasons; for context_body. False: it does neither.
bool context_reasons(shape_context *context, predicate p, shape_reason *reasons, uint32_t room,
                     uint32_t *count);

#endif
