// SPDX-License-Identifier: Apache-2.0
// Analyses a graph: walks its operations, applies their rules, follows regions and calls, to a fixpoint.
//
// A frame is one instance of a function: the entry is frame 0; every call with other argument dims or values makes one
// (calls with equal canonical arguments share a frame). Functions that nothing calls get a frame with fresh arguments.
// A scope is where facts hold: scope 0 is the entry's body; a region that may not run has a scope of its own, inside
// which it is analysed to its end, its results are kept in canonical form, and its facts are popped.
// Cost: each operation's rule runs once, and again only when it asked for that and the store has learnt something, at
// most INFER_MAX_ROUNDS times.
#ifndef SHAPE_INFER_INFER_H
#define SHAPE_INFER_INFER_H

#include "solver/facts/store.h"
#include "solver/ops/op.h"

typedef struct infer_binding {
  const char *name;  // a declared symbol, "argK.A" (a size) or "argK" (a value)
  uint32_t name_length;
  int64_t value;
} infer_binding;

// Which operation the notes of the store's log come from, in turns: those from `first` to the next one's.
typedef struct infer_step {
  uint32_t frame;
  op_id op;  // ID_NONE: none
  uint32_t first;
  uint32_t symbols;  // how many there were when it began
} infer_step;

typedef struct infer_given {    // an assumption or a binding
  graph_assumption assumption;  // text NULL: it is the binding
  infer_binding binding;
  bool read;    // false: it is not understood, and says nothing
  predicate p;  // as it was stated
  reason why;
  uint32_t symbols;  // how many there were before
  uint32_t diag;     // what is wrong with it, in graph->diags; ID_NONE: nothing
} infer_given;

// What a caller keeps that solves parts again. Everything is in the graph's arena.
typedef struct infer_log {
  store_log store;
  infer_step *steps;
  uint32_t step_count, step_capacity;
  infer_given *given;  // in their order: bindings, assumptions of the graph, those of the caller
  uint32_t given_count, given_capacity;
} infer_log;

typedef struct infer_options {
  infer_log *log;                 // NULL: none is kept; else empty
  const type_id *argument_types;  // of the entry, to specialise it with; NULL: as declared
  uint32_t argument_count;
  const infer_binding *bindings;
  uint32_t binding_count;
  const infer_binding
      *bounds;  // upper limits of dims and values; types then print what bounds follow
  uint32_t bound_count;
  bool alone;          // each operation by itself, as a verifier sees it (alone.c)
  bool strict;         // an error where a declared type of an ONNX model is not what its nodes give
  bool find_bounds;    // types print bounds also where the program has none
  bool whole_regions;  // branches are walked once more without their conditions, for infer_whole
  const graph_assumption *assumptions;  // of the caller, besides those of the graph
  uint32_t assumption_count;
  const char *entry;  // NULL: "main", or the only function
  uint64_t steps;     // 0: the default
  // By op_id: operations of 0 are taken for such that have no rule, to see what follows from the others; NULL: all count.
  const uint8_t *understood;
} infer_options;

typedef struct infer_frame {
  func_id func;
  uint32_t caller;  // the call's op_id, ID_NONE for roots
  uint32_t parent;  // the frame of the call; ID_NONE for roots
  uint32_t scope;   // of its body
  op_id blamed;  // the outermost call that shares its function with another; ID_NONE: there is none
  value_info *values;  // of all values of the function
  value_id value_base, value_end;
  const value_id *results;  // operands of its return; NULL when it has none
  uint32_t result_count;
} infer_frame;

typedef struct infer_scope {
  uint32_t parent;  // ID_NONE for scope 0
  op_id op;         // whose region it is; ID_NONE for scope 0 and roots
  uint32_t region;  // index of the region in op
  uint32_t frame;
  term_id
      condition;  // not 0 wherever the region runs, over what is known before `op`; TERM_NONE: not known
} infer_scope;

// Which frame a call runs in; the last record of a (frame, op) counts.
typedef struct infer_call {
  uint32_t frame;  // of the caller
  op_id op;
  uint32_t callee;  // frame
} infer_call;

// A fact that survived its scope, in canonical form at the end of that scope, for the report.
typedef struct infer_claim {
  predicate p;
  fact_id fact;
  reason why;
  uint32_t scope;
  bool guard;  // a requirement that the declarations alone do not prove
} infer_claim;

// Where a symbol comes from, by symbol number of the term table.
typedef enum origin_kind {
  ORIGIN_ARGUMENT_SIZE,
  ORIGIN_ARGUMENT_VALUE,
  ORIGIN_DECLARED,
  ORIGIN_OPAQUE,
  ORIGIN_FRESH
} origin_kind;

typedef struct infer_origin {
  origin_kind kind;
  uint32_t frame;
  uint32_t argument;      // of the function, for arguments
  uint32_t axis;          // or index of the element
  op_id op;               // OPAQUE: the operation that made it
  uint32_t graph_symbol;  // DECLARED: index in graph->symbols
} infer_origin;

// Values in branches that may not run, under what holds around them alone: what the condition of a branch says of its
// dims is not in there. Only with `whole_regions`.
typedef struct infer_whole {
  shape_imap of;  // frame << 32 | value -> index in values
  value_info *values;
  uint32_t count, capacity;
} infer_whole;

typedef struct infer_result {
  shape_graph *graph;
  term_table *terms;
  shape_store *store;
  infer_frame *frames;
  uint32_t frame_count;
  infer_call *calls;
  uint32_t call_count;
  infer_scope *scopes;
  uint32_t scope_count;
  infer_claim *claims;
  uint32_t claim_count;
  infer_origin *origins;  // by symbol number
  uint32_t origin_count;
  struct {
    uint32_t frames, calls, scopes, claims, origins;
  } capacity;
  // Facts that hold only because a loop ended: those before this one may be of that kind. What was stated before it must
  // not rest on facts that were stated later.
  fact_id late_end;
  // What rules said besides facts: assumptions, failures, requirements that they could not state.
  const rule_log *log;
  func_id entry;
  const value_id
      *arguments;  // of the entry, where a caller has other ones than its block; else NULL
  uint32_t argument_count;
  infer_whole whole;
  bool uses_bounds;  // some type in the program has bounds: refined types print theirs
  struct {
    uint8_t *ops;  // by op_id: its rule ran again after its users had read its results
    uint32_t count;
  } late;
  uint32_t walked;  // how many symbols there were when the entry's body had been walked once
  struct infer_state *state;  // private, for infer_revisit
} infer_result;

// Diagnostics go to graph->diags. The result lives in graph->arena.
infer_result *infer_run(shape_graph *graph, shape_budget *budget, const infer_options *options);

// A value of a branch as infer_whole has it; NULL: what the frame has is all there is.
const value_info *infer_whole_value(const infer_result *result, uint32_t frame, value_id value);

// Whether some calls of the function are not followed: it calls itself, and may not end.
bool infer_is_endless(const infer_result *result, func_id func);

// After infer_run: applies the rule of one operation of the entry's own body once more, on what its operands and the
// store are now; its results were cleared by the caller, and what it reports is reported again. The operation and its
// values may be newer than the run: then the caller has made room for the values in frame 0. False where the outcome
// depends on more than the operation, its operands and the store: operations that inspect other functions and scopes.
bool infer_revisit(infer_result *result, op_id op);
// Before the first of these calls after the program was edited.
void infer_edited(infer_result *result);

// After infer_run, for a caller that has an assumption or binding more, or other names: reads it again, over the symbols
// of the entry. Where it is not understood (`read`), a diagnostic is added as infer_run does.
void infer_read_given(infer_result *result, infer_given *given);
const char *infer_assumption_text(const graph_assumption *assumption);  // what its reason says
// States it; of a conflict there is a diagnostic.
add_result infer_state_given(infer_result *result, const infer_given *given);
// The note that an operation has no rule, which infer_run adds for the first of its name and infer_revisit never.
void infer_note_unknown(infer_result *result, op_id op);

// After infer_run, for a caller that edits what an analysis begins with. Nothing is solved again by these.
// Declares a row of graph->symbols: a new one, or, with `anew`, once more; returns the symbol's number. Without `anew` the
// symbol stays, and *changed says whether it is declared otherwise now (see store_declare_again).
uint32_t infer_declare(infer_result *result, uint32_t row, bool anew, bool *changed);
// Makes the dims and elements of an argument of the entry from its type. Its number is that of its value, counted from
// the first of the block's.
void infer_make_argument(infer_result *result, value_id argument);

#endif
