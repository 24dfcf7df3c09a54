// SPDX-License-Identifier: Apache-2.0
// A program that stays open: edits change it, and only what depends on them is analysed again.
//
// Ids. Operations and values have ids that never change and are never given twice: those of the program that was opened
// count from 0 in the order of its text, what is inserted gets the next ones. Symbols have stable names: the author's,
// or S0, S1, ... in the order in which the session first speaks of them. A symbol is known again by where it comes from
// (an argument and axis, the k-th that an operation makes), so it keeps its name however often things are analysed.
//
// Invariants, at the end of every call:
//   1. The program is well-formed: a value that is used is there and defined before its use; a function keeps its
//      terminator. A group of edits happens as a whole or not at all.
//   2. The shape kept for every value, and the diagnostics, are those of a fresh analysis (infer_run) of the whole
//      program, up to the names of symbols.
//
// How an edit is answered. A fresh analysis visits the operations in the order of the program. What a visit says rests
// on the operation, its operands, and what the store knows then of the symbols that the rule asks about. Of a class of
// symbols, those that stated predicates connect (classes.c), the store knows what was stated about that class, in that
// order, and nothing else. The log of the last whole analysis says who asked about which symbols, who stated something
// of them, who made them. A push is an assumption more, a pop one less; an edit is operations, arguments or declarations
// that came, went or are others.
//
// What an analysis begins with is stated before all operations: a declaration says what is known of its symbol, an
// assumption what is known of sizes. So a symbol that is declared otherwise is one whose class is solved again. An
// argument states nothing and makes its symbols: it concerns those that use it, and the predicates that name dims by
// the positions of arguments (given.c).
//
//   3. While an edit is followed (affected.c, resolve.c), operations are visited in the order of the program, and when `op` is
//      visited, the store knows of every class that op asks about or speaks of exactly what it would know in a fresh
//      analysis when that comes to op: either no later operation has stated anything of the class, or the class is being
//      solved again: all that was found out about it was forgotten (store_forget), what was given was stated again,
//      and of the operations those before op.
//   4. What an operation stated before it is visited again is forgotten before: classes of which it stated something
//      are solved again. The same of what the declaration of a symbol stated.
//   5. What may see something else than before is visited: edited operations, users of results and arguments that came
//      out otherwise, those whose types name a symbol which is another one now, and those that asked about a class that is
//      solved again or that an earlier operation now says more of.
//   6. Of two symbols the older is the one that a fresh analysis would make first, whatever their numbers (ages.c).
//
// From 3 and 4 each visit says what it says in a fresh analysis, and from 5 so does what is not visited; the order of
// facts within a class is that of a fresh analysis, too, and from 6 which of two equal symbols represents the other; so
// what the store knows at the end is the same, up to numbers of symbols. An operation that is visited again gives its
// symbols again. Where a class that was not to be solved again turns out to be one (a later operation stated something of
// it), it is added and all begins anew, a bounded number of times. Shapes are compared where their dims speak of a class
// that was solved again.
//
// A diagnostic belongs to the operation, assumption or binding that it is about, and is made again with it: where that is
// visited, read or stated again (diags.h). A refuted predicate leaves the store as it was, so what follows is not
// concerned. An operation without a rule is visited as any other; that the first of its name has a note is settled at
// the end.
//
// Where any of this is not certain the whole program is analysed again (whole.c) and compared with what was known; both
// are counted: operations with regions, calls, those that make dims for their operands, or ran again after others (late);
// diagnostics of nothing that is visited, or more of them than are kept; classes that such or operations of other scopes speak of; names for large
// terms, functions of no symbol, facts that did not have all consequences for want of credit (store_is_short);
// terms that were compared by hashes of numbers (term_order); declarations where names denote expressions or arguments'
// values, are looked up by operations, or come in another order and are named elsewhere than in the entry's own scope;
// arguments of other functions, tuples; edits that concern half of the program.
// Where a session_push is a whole analysis, the one from before is put aside, and session_pop takes that up again where
// the program is the same.
//
// Cost: an edit O(log n) for each affected operation, each user that it inspects and each symbol that is solved
// again, and what those cost in a whole analysis; one visit of each thing given, at each argument where some came or went,
// and at each value whose type names a symbol that is declared no longer; O(n) where the whole program is analysed.
// Not thread-safe; any session by one thread at a time. Memory: six arenas with the limit each.
#ifndef SHAPE_SESSION_SESSION_H
#define SHAPE_SESSION_SESSION_H

#include "solver/decide/store_query.h"
#include "solver/infer/infer.h"

typedef struct session_core session_core;

typedef struct session_limits {
  size_t memory;            // bytes of each arena; 0: no limit
  uint64_t steps;           // of one call; 0: the default
  uint32_t bits, elements;  // as those of run_limits
} session_limits;

// NULL when there is no memory.
session_core *session_new(const session_limits *limits);
void session_free(session_core *session);
size_t session_bytes(const session_core *session);
// For the next calls: a status other than OK in `stop` ends them, and `progress` counts their steps. NULL: nothing does.
void session_watch(session_core *session, const atomic_int *stop, atomic_uint_least64_t *progress);

// For the next edits: the program has at most that many operations, and a type that an edit brings along at most that many axes.
// 0: no limit.
void session_bound(session_core *session, uint64_t ops, uint64_t rank);

// --- failures of a request; the session is as it was before
typedef struct session_failure {
  shape_status status;
  uint32_t edit;       // which of a list; ID_NONE: none in particular
  uint64_t ops, rank;  // how many there would be, where the status is SIZE for a bound; else 0
  // Of an error in the program that is opened: its code, static, and where it is, from 1; NULL and 0: none.
  const char *code;
  uint32_t line, column;
  char message[200];  // empty: that of the status
} session_failure;

// --- opening
typedef void session_reader(shape_graph *graph, shape_budget *budget, void *data);

typedef struct session_start {
  session_reader *read;  // fills an empty graph with the program. Errors in it: SHAPE_SYNTAX
  void *data;
  const char *entry;  // NULL: "main", or the only function
  const infer_binding *bindings;
  uint32_t binding_count;
} session_start;

bool session_open(session_core *session, const session_start *start, session_failure *failure);

// --- editing
typedef enum session_edit_kind {
  EDIT_INSERT,         // the operation `text` before or after `op`
  EDIT_REMOVE,         // `op`, which nothing uses any more when all edits are done
  EDIT_REPLACE,        // `op` by the operation `text`, with as many results, which keep their ids
  EDIT_RETYPE,         // the declared type of `value` becomes `text`
  EDIT_REWIRE,         // all uses of `value` use `with` instead
  EDIT_SYMBOL,         // adds the declared symbol `text`, or replaces the one of its name
  EDIT_REMOVE_SYMBOL,  // the declaration of the symbol named `text`
  EDIT_INSERT_ARGUMENT,  // of type `text`, named `name`, beside argument `value`; VALUE_NONE: the last of the entry
  EDIT_REMOVE_ARGUMENT,  // `value`, which nothing uses any more
  EDIT_ASSUME,           // the predicate `text`
  EDIT_RETRACT,          // the assumption `text`, as it was spelled
  EDIT_KINDS
} session_edit_kind;

typedef struct session_edit {
  session_edit_kind kind;
  op_id op;
  bool after;
  value_id value, with;
  const char *text;  // outlives the call
  size_t length;
  const char *name;  // of an argument; empty: made from its id
  size_t name_length;
} session_edit;

// Reads `text` of an edit into an empty graph: an operation as the only one in the body of function 0, a type as that of
// value 0, a symbol as symbol 0. Names (or "#17", ids) that it uses and does not define are asked for with
// outer(outer_data, ...), which returns a value of the graph. Errors become diagnostics.
typedef value_id session_outer(void *outer_data, const char *name, size_t length);
typedef void session_fragment_reader(shape_graph *graph, shape_budget *budget,
                                     session_edit_kind kind, session_outer *outer,
                                     void *outer_data);

typedef uint32_t shape_key;  // of a shape that the session knows; equal shapes have equal keys
#define SHAPE_NONE UINT32_MAX

typedef struct session_change {
  value_id value;
  shape_key before, after;  // SHAPE_NONE: the value was not there, or is gone
} session_change;

typedef struct session_diag {
  op_id op;  // ID_NONE: of no operation
  diag_severity severity;
  const char *code, *message;
} session_diag;

typedef struct session_diags {
  const session_diag *items;
  uint32_t count;
} session_diags;

// Valid until the next call.
typedef struct session_changes {
  uint64_t version;  // counts the changes of the program
  const session_change *values;
  uint32_t value_count;
  session_diags appeared, vanished;
  const op_id *inserted;      // one for each edit: the new operation, or ID_NONE
  const value_id *arguments;  // one for each edit: the new argument, or VALUE_NONE
  uint32_t inserted_count;
  uint32_t visited;  // operations that were inspected
  bool whole;        // all of them: the program was analysed anew
} session_changes;

bool session_edit_all(session_core *session, const session_edit *edits, uint32_t count,
                      session_fragment_reader *read, session_changes *out,
                      session_failure *failure);
// Assumes predicates until session_pop. Levels nest.
bool session_push(session_core *session, const graph_assumption *assumptions, uint32_t count,
                  session_changes *out, session_failure *failure);
bool session_pop(session_core *session, session_changes *out, session_failure *failure);
// Everything as one change, from nothing: what an owner starts with.
bool session_all(session_core *session, session_changes *out, session_failure *failure);

// --- reading
typedef struct session_shape {
  const char *type;  // refined, in MLIR's spelling
  const char *const
      *dims;  // rank of them: numbers and expressions over stable names; NULL: not known
  uint32_t rank;
  bool ranked;
} session_shape;

const session_shape *session_shape_of(const session_core *session, shape_key key);
shape_key session_value_shape(const session_core *session, value_id value);  // SHAPE_NONE: gone
const shape_graph *session_graph(const session_core *session);  // ids are those of the session
bool session_has_op(const session_core *session, op_id op);
bool session_has_value(const session_core *session, value_id value);
uint64_t session_version(const session_core *session);
uint32_t session_depth(const session_core *session);  // of session_push
session_diags session_diagnostics(const session_core *session);

typedef struct session_stats {
  uint32_t ops, values, symbols;
  uint64_t edits, visited, incremental,
      whole;  // groups of edits; operations inspected; answered incrementally; by everything
  const char *entry;
} session_stats;
session_stats session_get_stats(const session_core *session);

// The program as it is, for a fresh analysis or for its text: in `graph` (graph_init'ed), with its own assumptions.
// Those of session_push are listed after them; every text outlives the call.
void session_program(const session_core *session, shape_graph *graph);
const infer_binding *session_bindings(const session_core *session, uint32_t *count);
const graph_assumption *session_pushed(const session_core *session, uint32_t *count);

// By an address (graph/address.h) of the program as it is. NULL: *value and *axis (ID_NONE: none) are set; else what is wrong.
const char *session_address(const session_core *session, const char *text, size_t length,
                            value_id *value, uint32_t *axis);
op_id session_address_op(const session_core *session, const char *text, size_t length);

// --- queries. Names are stable symbols, and values of the entry: v17.0, dim 0 of value 17, or an address, %x.0.
// ASK_WHY: as ASK_HOLDS, with the facts that the answer follows from.
typedef enum session_query_kind { ASK_HOLDS, ASK_BOUNDS, ASK_SIMPLIFY, ASK_WHY } session_query_kind;

enum { SESSION_REASONS_MAX = 64 };

// A fact that an answer needs: none of them can be left out.
typedef struct session_reason {
  op_id
      op;  // that states it; ID_NONE: a declaration, an assumption, or an operation that was not edited in
  const char *rule;  // NULL: none
  const char *message;
} session_reason;

typedef struct session_reply {
  store_answer answer;  // ASK_HOLDS
  interval bounds;      // ASK_BOUNDS
  bool conflict;        // the facts have no solution
  const char *text;     // ASK_SIMPLIFY
  // ASK_WHY; valid until the next call. None of an answer that is not known.
  const session_reason *reasons;
  uint32_t reason_count;
} session_reply;

bool session_ask(session_core *session, session_query_kind kind, const char *text, size_t length,
                 session_reply *out, session_failure *failure);

// Whether what is kept is what a fresh analysis says (invariant 2), for tests. O(n). *where says what differs.
bool session_verify(session_core *session, const char **where);

#endif
