// SPDX-License-Identifier: Apache-2.0
// libshape-client: programs in a daemon, without writing JSON. A program is built call by call or given as MLIR text,
// opened as a session, queried, edited and explained; answers are structs.
//
// Blocking: shape_remote_open_graph, shape_remote_ask, shape_remote_edit, ... return when their reply is there.
// Poll-driven: the functions shape_remote_send_* queue the request of the blocking one and return its id. Hand the reply
// that shape_client_next returns for this id to the function shape_remote_take_* of the same name.
//
// The texts and arrays of answers belong to the remote and stay until its next call. A remote belongs to the thread of
// its client, and is closed before it. See proto/PROTOCOL.md, "Sessions" and "The graph", for what each field means.
#ifndef SHAPE_REMOTE_H
#define SHAPE_REMOTE_H

#include <shape_client.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- programs, as lists of what they consist of; types are spelled as in MLIR: "tensor<?x8xf32>"

typedef struct shape_remote_value {
  const char *name;  // without %
  const char *type;  // NULL: unknown
} shape_remote_value;

typedef enum shape_remote_attribute_kind {  // as in shape.h
  SHAPE_REMOTE_UNIT,
  SHAPE_REMOTE_BOOL,    // ints[0]
  SHAPE_REMOTE_INT,     // ints[0]; text: its type, or NULL
  SHAPE_REMOTE_FLOAT,   // number; text: its type, or NULL
  SHAPE_REMOTE_STRING,  // text
  SHAPE_REMOTE_INTS,    // ints
  SHAPE_REMOTE_DENSE,   // ints: elements of a tensor, or one for all; text: its type
  SHAPE_REMOTE_TYPE,    // text
  SHAPE_REMOTE_SYMBOL,  // text: a function, without @
  SHAPE_REMOTE_ENUM,    // text: "LT"
  SHAPE_REMOTE_ARRAY,   // items
  SHAPE_REMOTE_DICT,  // items with names; text: of which dialect attribute it has the members, or NULL
  SHAPE_REMOTE_MLIR,  // text: any attribute in MLIR's spelling
} shape_remote_attribute_kind;

typedef struct shape_remote_attribute {
  const char *name;  // NULL: an item of an array
  shape_remote_attribute_kind kind;
  const int64_t *ints;
  size_t count;  // of ints
  double number;
  const char *text;
  const struct shape_remote_attribute *items;
  size_t item_count;
} shape_remote_attribute;

typedef struct shape_remote_block {  // a region of one block
  const shape_remote_value *arguments;
  size_t argument_count;
  const struct shape_remote_op *ops;
  size_t op_count;
  const char *const *returns;  // what the block returns
  size_t return_count;
} shape_remote_block;

typedef struct shape_remote_op {
  const char *name;             // "stablehlo.add"
  const char *const *operands;  // names; NULL: an optional operand that is absent
  size_t operand_count;
  const shape_remote_value *results;
  size_t result_count;
  const shape_remote_attribute *attributes;
  size_t attribute_count;
  const shape_remote_block *regions;
  size_t region_count;
} shape_remote_op;

typedef struct shape_remote_symbol {
  const char *name;
  int64_t min, max;      // INT64_MAX: not bounded
  int64_t divisible_by;  // 0: by anything
} shape_remote_symbol;

typedef struct shape_remote_graph shape_remote_graph;

// NULL: no memory. What fails later (memory, an operation before any function) is the status of opening the graph.
shape_remote_graph *shape_remote_graph_new(void);
void shape_remote_graph_free(shape_remote_graph *graph);
void shape_remote_graph_symbol(shape_remote_graph *graph, const shape_remote_symbol *symbol);
void shape_remote_graph_constraint(shape_remote_graph *graph, const char *predicate);
// Begins a function; the operations that follow are its own, until the next function begins.
void shape_remote_graph_function(shape_remote_graph *graph, const char *name,
                                 const shape_remote_value *arguments, size_t count);
void shape_remote_graph_op(shape_remote_graph *graph, const shape_remote_op *op);
// What the function returns: its last call.
void shape_remote_graph_return(shape_remote_graph *graph, const char *const *values, size_t count);

// --- edits: a list that is applied as a whole or not at all

// A value or an operation: by address ("%x", "%r#1", "12:7", "#17"), or by the id where `address` is NULL.
typedef struct shape_remote_target {
  const char *address;
  uint64_t id;
} shape_remote_target;

typedef enum shape_remote_position {
  SHAPE_REMOTE_BEFORE,
  SHAPE_REMOTE_AFTER,
  SHAPE_REMOTE_LAST  // of arguments
} shape_remote_position;

typedef struct shape_remote_edits shape_remote_edits;

shape_remote_edits *shape_remote_edits_new(void);
void shape_remote_edits_free(shape_remote_edits *edits);
void shape_remote_insert(shape_remote_edits *edits, const shape_remote_op *op,
                         shape_remote_position position, shape_remote_target at);
void shape_remote_remove(shape_remote_edits *edits, shape_remote_target op);
void shape_remote_replace(shape_remote_edits *edits, shape_remote_target op,
                          const shape_remote_op *with);
void shape_remote_retype(shape_remote_edits *edits, shape_remote_target value, const char *type);
void shape_remote_rewire(shape_remote_edits *edits, shape_remote_target value,
                         shape_remote_target with);
void shape_remote_declare(shape_remote_edits *edits, const shape_remote_symbol *symbol);
void shape_remote_remove_symbol(shape_remote_edits *edits, const char *name);
void shape_remote_insert_argument(shape_remote_edits *edits, const shape_remote_value *argument,
                                  shape_remote_position position, shape_remote_target at);
void shape_remote_remove_argument(shape_remote_edits *edits, shape_remote_target value);
void shape_remote_assume(shape_remote_edits *edits, const char *predicate);
void shape_remote_retract(shape_remote_edits *edits, const char *predicate);

// --- answers

typedef struct shape_remote_shape {
  const char *type;         // NULL: there is no such value
  const char *const *dims;  // numbers, expressions over the session's symbols, NULL where not known
  size_t rank;
  bool ranked;
} shape_remote_shape;

typedef struct shape_remote_change {
  uint64_t value;
  shape_remote_shape before, after;
} shape_remote_change;

typedef struct shape_remote_diagnostic {
  const char *severity, *code, *message;
  int64_t op;  // its id; -1: of none
} shape_remote_diagnostic;

typedef struct shape_remote_inserted {  // of an edit
  bool is_there;
  int64_t op;  // -1: an argument
  const uint64_t *values;
  size_t value_count;
} shape_remote_inserted;

// What a call changed.
typedef struct shape_remote_changes {
  uint64_t version, visited;  // operations that were analysed for it
  bool whole;                 // all of them
  const shape_remote_change *values;
  size_t value_count;
  const shape_remote_inserted *inserted;  // one for each edit
  size_t inserted_count;
  const shape_remote_diagnostic *appeared, *vanished;
  size_t appeared_count, vanished_count;
} shape_remote_changes;

typedef enum shape_remote_query_kind {
  SHAPE_REMOTE_HOLDS,          // text: a predicate
  SHAPE_REMOTE_BOUNDS,         // text: an expression
  SHAPE_REMOTE_SIMPLIFY,       // text: an expression
  SHAPE_REMOTE_SHAPE_OF,       // a
  SHAPE_REMOTE_SAME_SHAPE,     // a, b
  SHAPE_REMOTE_SAME_ELEMENTS,  // a, b: the number of elements
} shape_remote_query_kind;

typedef struct shape_remote_query {
  shape_remote_query_kind kind;
  const char *text;
  shape_remote_target a, b;
} shape_remote_query;

typedef enum shape_remote_truth {
  SHAPE_REMOTE_UNKNOWN,
  SHAPE_REMOTE_TRUE,
  SHAPE_REMOTE_FALSE
} shape_remote_truth;

typedef struct shape_remote_reason {
  int64_t op;        // its id; -1: a declaration or an assumption
  const char *rule;  // NULL: none
  const char *message;
} shape_remote_reason;

typedef struct shape_remote_answer {
  const char *error;                   // NULL, or what is wrong with the query
  shape_remote_truth truth;            // of HOLDS, SAME_SHAPE, SAME_ELEMENTS
  bool conflict;                       // the program contradicts itself: anything would follow
  const char *min, *max;               // of BOUNDS, numbers of any length; NULL: not bounded
  const char *simplified;              // of SIMPLIFY
  shape_remote_shape shape;            // of SHAPE_OF
  const shape_remote_reason *because;  // of HOLDS, where asked for
  size_t because_count;
} shape_remote_answer;

typedef struct shape_remote_guard {
  const char *predicate;  // over the symbols of the arguments
  const char *kind;       // "eq", "divisible", ...
  const char *message;    // of its first reason, or ""
  uint64_t line;          // of that, in the program's text; 0: none
} shape_remote_guard;

// What has to be checked at run time: that each axis of each argument is what `arguments` says, and the guards.
typedef struct shape_remote_guards {
  const shape_remote_guard *guards;
  size_t count;
  const shape_remote_shape *arguments;  // of the entry; symbols are those of session/analyze
  size_t argument_count;
  size_t unchecked;  // requirements that no guard covers
} shape_remote_guards;

// --- sessions

typedef struct shape_remote shape_remote;

typedef struct shape_remote_options {
  const char *entry;  // NULL: main, or the first function
  const char *const *assume;
  size_t assume_count;
} shape_remote_options;

// *remote is there (and must be closed) also when opening fails, unless memory ran out, for shape_remote_error.
// `options` may be NULL. The client outlives the remote.
shape_client_status shape_remote_open_text(shape_client *client, const char *mlir, size_t length,
                                           const shape_remote_options *options,
                                           shape_remote **remote);
shape_client_status shape_remote_open_graph(shape_client *client, const shape_remote_graph *graph,
                                            const shape_remote_options *options,
                                            shape_remote **remote);
void shape_remote_close(shape_remote *remote);  // ends the session; NULL: nothing
// Why the last call failed. Of failures of the connection `name` is "" and `message` the client's.
const shape_client_error *shape_remote_error(const shape_remote *remote);

// --- blocking. A query that is wrong has an error of its own; the others are answered, and the status is OK.
shape_client_status shape_remote_ask(shape_remote *remote, const shape_remote_query *queries,
                                     size_t count, bool because, shape_remote_answer *answers);
// One predicate; UNKNOWN where the call fails, too.
shape_remote_truth shape_remote_holds(shape_remote *remote, const char *predicate);
shape_client_status shape_remote_edit(shape_remote *remote, const shape_remote_edits *edits,
                                      shape_remote_changes *changes);
// Assumes until shape_remote_pop.
shape_client_status shape_remote_push(shape_remote *remote, const char *const *predicates,
                                      size_t count, shape_remote_changes *changes);
shape_client_status shape_remote_pop(shape_remote *remote, shape_remote_changes *changes);
shape_client_status shape_remote_find_guards(shape_remote *remote, shape_remote_guards *guards);

// --- poll-driven. `queries` of take are those that were sent.
shape_client_status shape_remote_send_ask(shape_remote *remote, const shape_remote_query *queries,
                                          size_t count, bool because, uint64_t *id);
shape_client_status shape_remote_take_ask(shape_remote *remote, const shape_client_reply *reply,
                                          size_t count, shape_remote_answer *answers);
shape_client_status shape_remote_send_edit(shape_remote *remote, const shape_remote_edits *edits,
                                           uint64_t *id);
shape_client_status shape_remote_take_edit(shape_remote *remote, const shape_client_reply *reply,
                                           shape_remote_changes *changes);

#ifdef __cplusplus
}
#endif

#endif
