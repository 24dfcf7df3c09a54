// SPDX-License-Identifier: Apache-2.0
// An operation's rule: what the dims and elements of its results are, what it requires of its operands.
//
// One row of a .def table per operation and version says which rule serves it, with which parameter, and where the
// semantics are. A rule reads operands and attributes through this header, sets results, and states facts; it never
// sees theories, scopes, calls or formats. Facts run in every direction because dims are terms: stating that two terms
// are equal restricts the operand as much as the result.
//
// Rules are idempotent: a rule that answers RULE_AGAIN runs again when the store has learnt something. They state:
//   rule_fact     what is true by the construction of the operation's result (never a guard)
//   rule_require  what the operation requires of its operands; a run that breaks it ends in a shape error. Where it is
//                 proven already nothing is recorded; where it is refuted it is an error diagnostic; else it becomes a
//                 constraint and a guard
//   rule_error    a program that is ill-formed for all dims (ranks, axes, attribute lengths)
//   rule_unchecked  a requirement that it cannot state, because something about the operands is not known
#ifndef SHAPE_OPS_OP_H
#define SHAPE_OPS_OP_H

#include <assert.h>

#include "solver/term/print.h"
#include "solver/value/value.h"

typedef enum rule_status {
  RULE_DONE,
  RULE_AGAIN,  // undecided: run again when the store knows more (results so far are sound)
  // Nothing can be said: results that the rule did not set get fresh symbols from their declared types, and there is a note,
  // once for each name. A rule that knows the operation calls rule_set_unknown and returns RULE_DONE instead.
  RULE_UNKNOWN
} rule_status;

typedef struct rule_context rule_context;
// When a rule runs, the operation has as many operands and results as its row of the table promises.
typedef rule_status rule_function(rule_context *c);

// How infer walks the regions of an operation.
typedef enum op_structure {
  OP_PLAIN,  // no regions, or regions that are not followed: nothing in them is analysed
  OP_APPLY,  // regions applied to scalars of the element types (reduce, sort, scatter, map ...): analysed on their own
  OP_WHILE,
  OP_IF,
  OP_CASE,
  OP_CALL,    // func.call, and composite through `decomposition`
  OP_RETURN,  // ends a region: its operands are the region's results
  OP_BRANCH,  // ends a block: its first operand is 1 where it goes on at the first of two successors
  OP_SWITCH,  // ends a block: it goes on at successor i + 1 where its first operand is case_values[i], else at the first
  OP_ONNX_LOOP,  // Loop, Scan and SequenceMap of ONNX (infer/onnx_loops.c)
  OP_ONNX_SCAN,
  OP_ONNX_MAP,
  OP_ASSUMING,  // runs its region once, results are its yield (shape.assuming, all "execute once" regions)
  OP_INDEX_SWITCH,  // region i + 1 runs where the operand is cases[i], else region 0 (scf.index_switch)
  OP_EXECUTE,       // runs its region once, which may have several blocks (scf.execute_region)
  OP_COUNTED,       // counted trips (infer/counted.c)
  OP_ASYNC,  // runs its region once on its operands; its result is the future of what the region returns
  OP_REPEAT  // runs its regions any number of times, without values that they carry (lmhlo.while)
} op_structure;

typedef struct op_row {
  const char *name;  // "stablehlo.add"
  rule_function *rule;
  uint32_t param;     // chosen by the table: which arithmetic, which comparison, ...
  uint8_t structure;  // op_structure
  int8_t min_operands, max_operands;  // max -1: any number
  int8_t results;                     // -1: any number
  const char *rule_name;              // "elementwise"
  const char *source;                 // "StableHLO spec: add"
  const char
      *signature;  // element types, ranks, attributes (rules/verify/signature.c); NULL: anything
  uint16_t since, until;  // versions (ONNX opsets); 0, 0: all
  const char
      *parameters;  // PyTorch: names of the operands in order, separated by spaces; else NULL
} op_row;

// Whether the rule is all that is to be followed: no regions that make results, no calls.
static inline bool op_row_is_own(const op_row *row) {
  return row->structure == OP_PLAIN || row->structure == OP_APPLY || row->structure == OP_RETURN ||
         row->structure == OP_BRANCH || row->structure == OP_SWITCH;
}

// A requirement that no predicate states: the answer lists it, as no check of the arguments covers it.
typedef struct unchecked_row {
  op_id op;
  uint32_t frame, scope;
  const char *requirement, *reason;  // static texts
  uint32_t next;                     // an older row of the same operation and frame, or ID_NONE
  bool stated;                       // a later visit of the rule could state it
} unchecked_row;

// An operation that fails wherever it runs, in a region that may not run.
typedef struct failure_row {
  op_id op;
  const char *message;
} failure_row;

// What rules say besides facts: kept by infer for the whole run, shared by all contexts.
typedef struct rule_log {
  const char **assumptions;  // each once
  uint32_t assumption_count, assumption_capacity;
  shape_imap reported;    // (operation, message) pairs that are diagnosed already
  uint32_t fresh;         // symbols that rules have made
  uint32_t conflicts;     // facts and requirements that were refuted
  uint64_t element_work;  // elements of large values computed so far (elements_afford)
  value_info **assumed;   // values whose rank was assumed in a region that may not run
  uint32_t assumed_count, assumed_capacity;
  unchecked_row *unchecked;  // in the order in which they were recorded
  uint32_t unchecked_count, unchecked_capacity;
  failure_row *failures;  // in the order in which they were found
  uint32_t failure_count, failure_capacity;
  bool strict;        // an error where a declared type of an ONNX model is not what its nodes give
  bool lists_marked;  // those that an operator of PyTorch changes
  uint32_t proven;    // requirements that were known when they were stated, of first visits
  shape_imap unchecked_of;  // (frame, op) -> its last row
  struct kept_terms *kept;  // arrays of elements (context.c); NULL: none as yet
  term_id *dims_room;       // of arrays of dims: the next one
  uint32_t dims_left;
} rule_log;

struct rule_context {
  shape_graph *graph;
  term_table *terms;
  shape_store *store;
  shape_budget *budget;
  shape_arena *arena;
  value_info *values;  // of the current frame, indexed by value_id - value_base
  value_id value_base;
  uint32_t frame;
  uint32_t scope;  // whose facts are being stated
  const op_row *row;
  op_id op;
  const term_id *symbols;  // terms of graph->symbols
  rule_log *log;
  const term_namer *namer;  // for messages; may be NULL
  op_id
      blamed;  // the call that conflicts here are errors of (infer_frame); ID_NONE: the operation's own
  bool conditional;  // in a scope that may not run
  bool
      by_condition;  // what conflicts here does so by the condition of its region alone: not an error
  bool quiet;        // do not report diagnostics (a trial run of a loop body)
  bool again;        // not the first visit
  bool buffers;      // results are buffers that have dims: what is said of them is required
  bool judged;       // a visit for dims alone: what the operation requires was stated before
  const graph_attr *about;  // attribute that errors are of: editors show them there; NULL: of none
  void *infer;              // the caller's; rules do not look inside
};

// --- operands and results
static inline const value_info *rule_value(const rule_context *c, value_id v) {
  static const value_info unknown = {0};
  assert(v == VALUE_NONE || v >= c->value_base);
  return v == VALUE_NONE ? &unknown : &c->values[v - c->value_base];
}
static inline const value_info *rule_operand(const rule_context *c, uint32_t i) {
  return rule_value(c, graph_operand(c->graph, c->op, i));
}
static inline uint32_t rule_operand_count(const rule_context *c) {
  return c->graph->ops[c->op].operand_count;
}
static inline uint32_t rule_result_count(const rule_context *c) {
  return c->graph->ops[c->op].result_count;
}
const graph_type *rule_operand_type(const rule_context *c,
                                    uint32_t i);  // declared; NULL when absent
const graph_type *rule_result_type(const rule_context *c, uint32_t i);
shape_dtype rule_operand_dtype(const rule_context *c,
                               uint32_t i);  // DTYPE_OTHER when not a tensor or scalar
shape_dtype rule_result_dtype(const rule_context *c, uint32_t i);

// An operand of unknown rank gets `rank` fresh dims; false when it is known and differs (nothing is reported).
bool rule_assume_rank(rule_context *c, uint32_t operand, uint32_t rank);

// --- results: each merges with the declared type (a declared number is a required fact) and with earlier visits.
void rule_set_dims(rule_context *c, uint32_t result, const term_id *dims, uint32_t rank);  // copies
void rule_set_dims_like(rule_context *c, uint32_t result, const value_info *like);         // shares
void rule_set_elements(rule_context *c, uint32_t result, const term_id *elements,
                       uint32_t count);  // copies
void rule_share_elements(rule_context *c, uint32_t result,
                         const value_info *like);  // the same, in the same order
void rule_set_value(rule_context *c, uint32_t result,
                    const value_info *like);  // dims and elements, shared
void rule_set_length(rule_context *c, uint32_t result, term_id length);  // of a sequence
// Fresh dims where the declared type has `?`, its numbers where it has numbers; keeps what an earlier visit made.
void rule_set_unknown(rule_context *c, uint32_t result);
term_id rule_fresh_size(rule_context *c);  // a new opaque size, >= 0
// A dim of a result that the rule cannot say: what an earlier visit made, else what is declared, else a new one.
term_id rule_unknown_size(rule_context *c, uint32_t result, uint32_t rank, uint32_t axis);
term_id rule_bounded(rule_context *c, term_id t);  // t, or a name for it where it is large
term_id rule_fresh_element(rule_context *c,
                           shape_dtype dtype);  // a new opaque integer in the range of its type

// Fresh elements for a small integer result (at most VALUE_FRESH_ELEMENTS, rank 0 or 1) that has none.
void rule_track_result(rule_context *c, uint32_t result);
// A size that the type of a value declares: its number, its symbol, or TERM_NONE for `?`.
term_id rule_declared_size(const rule_context *c, int64_t dim);

// Room for terms that are not needed after the visit: a few of them in `few`, an array of RULE_FEW.
enum { RULE_FEW = 12 };
static inline term_id *rule_room(rule_context *c, term_id *few, uint32_t count) {
  return count <= RULE_FEW ? few : arena_alloc(c->arena, count * sizeof(term_id));
}

// --- facts
void rule_fact(rule_context *c, predicate p, const char *what);
// False when it was refuted (the error is reported at the op, with what it is in conflict with).
bool rule_require(rule_context *c, predicate p, const char *what);
bool rule_require_eq(rule_context *c, term_id a, term_id b, const char *what);
// Whether two dims are equal by all that is known, where minima are in them by a full query. Nothing is required.
bool rule_proves_equal(rule_context *c, term_id a, term_id b);
// The same for a truth value (0 or 1): `truth` false negates it. What it is made of is stated as plain predicates.
bool rule_require_bool(rule_context *c, term_id condition, bool truth, const char *what);
void rule_fact_bool(rule_context *c, term_id condition, bool truth, const char *what);
// Same rank and pairwise equal dims of two operands; false after an error.
bool rule_require_same_shape(rule_context *c, uint32_t a, uint32_t b, const char *what);
// Records a requirement that the rule cannot state, and why: "the indices are within the axis", "the indices are computed
// from data". Both are static texts without the operation's name. One row for each operation and requirement, however
// often the rule runs. What an earlier visit recorded is forgotten when the rule runs again, so a rule that can state the
// requirement by then just states it. Nothing is recorded of operations that are known never to run. O(rows of the
// operation).
__attribute__((cold)) void rule_unchecked(rule_context *c, const char *requirement,
                                          const char *why);
// Forgets what earlier visits of the operation's rule recorded: for infer, before it applies the rule again.
void rule_unchecked_begin(rule_context *c);
// After a rule: leaves unchecked what it needs of operands of unknown rank, and the ranks that it assumed (ranks.c).
__attribute__((cold)) void rule_leave_ranks(rule_context *c);
__attribute__((cold)) void rule_error(rule_context *c, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same, of what a block of its regions returns: editors show it there. ID_NONE: of none.
__attribute__((cold)) void rule_error_in(rule_context *c, block_id block, const char *code,
                                         const char *format, ...)
    __attribute__((format(printf, 4, 5)));
__attribute__((cold)) void rule_warning(rule_context *c, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
__attribute__((cold)) void rule_note(rule_context *c, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The operation fails wherever it runs, in a region that may not run: a note, and what the region's conditions must exclude.
__attribute__((cold)) void rule_fails(rule_context *c, const char *code, const char *message);
// A diagnostic at the operation with the facts that a rejected one was in conflict with as related locations.
__attribute__((cold)) void rule_report_conflict(rule_context *c, predicate p, const char *what);
// An error of what the operation was handed: in a function that several calls share, it is an error of the call. A warning
// says that the operation fails wherever it runs, and is kept among the failures of the log. Returns
// NULL where it is not reported: once for each call and message, `numbers` distinguish those that differ in them.
__attribute__((cold)) diag *rule_blame(rule_context *c, diag_severity severity, const char *code,
                                       uint64_t numbers, const char *key, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
__attribute__((cold)) const char *rule_print(rule_context *c, term_id t);  // for messages
__attribute__((cold)) const char *rule_print_dims(rule_context *c, const value_info *v);
// States an assumption that the answer lists, once per kind ("shape arithmetic in i32 does not overflow").
void rule_assumes(rule_context *c, const char *what);

// --- attributes: false (or the default) when absent; a present one of the wrong form is an error diagnostic
bool rule_ints(rule_context *c, const char *name, const int64_t **values, uint32_t *count);
bool rule_int(rule_context *c, const char *name, int64_t *value);
const char *rule_text(rule_context *c, const char *name);
static inline attr_id rule_attr(const rule_context *c, const char *name) {
  return graph_attr_named(c->graph, c->op, name);
}
// Integers from operand `operand`'s elements as terms, or NULL when they are not tracked (fresh ones are not made).
const term_id *rule_elements(const rule_context *c, uint32_t operand, uint32_t *count);
// The same for an operand that holds dims, offsets or strides: one that is not tracked gets fresh elements, which its
// other uses then see too. NULL after an error, or when the number of elements is not known.
const term_id *rule_size_elements(rule_context *c, uint32_t operand, uint32_t *count);

// --- terms, with the job's tables
static inline term_id rule_int_term(rule_context *c, int64_t value) {
  return term_int(c->terms, value);
}

#endif
