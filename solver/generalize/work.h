// SPDX-License-Identifier: Apache-2.0
// What the steps of a generalisation share; private to the folder.
#ifndef SHAPE_GENERALIZE_WORK_H
#define SHAPE_GENERALIZE_WORK_H

#include "solver/emit/instructions.h"
#include "solver/formats/fx/uses.h"
#include "solver/formats/mlir/edit.h"
#include "solver/formats/onnx/refine.h"
#include "solver/generalize/generalize.h"

// --- literals.c

typedef enum literal_kind {
  LITERAL_RESHAPE,
  LITERAL_BROADCAST,
  LITERAL_EXPAND,
  LITERAL_FILL
} literal_kind;
#define LITERAL_TYPE     ID_NONE
#define LITERAL_COMPUTED INT64_MIN  // no literal: an item of a list that other operations make

typedef struct literal_row {
  const char *name;
  literal_kind kind;
  uint32_t operand;
  const char *dynamic;
  bool is_list;  // the operand is a list of integers, each a value of its own
} literal_row;

// A result whose dims are literals.
typedef struct literal_site {
  op_id op;
  const literal_row *row;
  op_id list;          // that makes the operand, whose items the literals are; ID_NONE: none
  uint32_t rank;       // of the result
  const int64_t *was;  // its dims at the original dims
  const int64_t *
      written;  // the elements of the operand, one for each axis: -1 and 0 may be among them; else `was`
  uint32_t first_symbol;  // in the graph, of the first dim
  term_id
      *now;  // by axis: its dim over symbols of arguments, or its number; TERM_NONE: not decided
  bool *
      stays;  // by axis: what is written is right whatever the dim is (0 and -1 of a reshape, 1 of Expand), or is not reached
  bool changed;  // some literal is no number now
  bool
      own_list;  // `list` has other users, which need it as it is: the operation gets one of its own
} literal_site;

typedef struct literal_sites {
  literal_site *items;
  uint32_t count, capacity;
  uint32_t *of_op;  // by op_id: index of its site, or ID_NONE
} literal_sites;

// What is known of the program as it is: where an argument is, and what it is at the original dims.
typedef struct original {
  analysis a;
  func_id entry;
  value_id arguments;  // first
  uint32_t argument_count;
  const bool *const *freed;  // by argument and axis of its type: original_is_freed
  const bool *tracked;       // by value: its elements are followed also where dims are free
} original;

// The dim of a value at the original dims; -1: not known.
int64_t original_dim(const original *o, value_id value, uint32_t axis);
// The dim of an argument as it is declared; -1: it is no number.
int64_t original_argument_dim(const original *o, uint32_t argument, uint32_t axis);
// Whether a symbol replaces the number; not where the type of the argument has no such axis: what is inferred of it may.
bool original_is_freed(const original *o, uint32_t argument, uint32_t axis);

// --- origin.c: terms of a report at the original dims

typedef struct origin_values origin_values;

// In the memory of the report, whose facts stay what they are.
origin_values *origin_values_make(shape_report *report, const original *from);
// The value of a term. False: not known. Cost: of the names in it that no call met before, and the term.
bool value_at_origin(origin_values *v, term_id term, int64_t *value);
// Whether a symbol is one that no dim of an argument determines. Cost: as above.
bool symbol_is_data(origin_values *v, uint32_t symbol);
// Whether the symbol is a dim of an argument of the entry.
bool origin_of_argument(const infer_result *infer, uint32_t symbol);

typedef struct loosening {
  const original *from;
  literal_sites sites;
  const mlir_uses *uses;      // of MLIR text
  const fx_uses *statements;  // of an FX graph
  source_span
      nodes;  // of an ONNX model: its graph; literals of operations that begin elsewhere are left alone
  bool rewrites;         // the format is written back, so that literals may be rewritten
  bool drops_literals;   // types that are literals are dropped also where they are not rewritten
  const type_id *types;  // by value_id: as declared
  const type_id *functions;  // by func_id: the same
  const bool *kept;          // by value_id: its type stays
} loosening;

// As analysis_request.prepare: frees the dims of the arguments, drops types, and makes each result with literals a value of
// fresh symbols. data is a loosening.
void loosen(shape_graph *g, void *data);

// --- resolve.c: an expression for each literal that is more than a number

typedef struct settled_names settled_names;

typedef struct resolving {
  shape_report *report;  // of the program that was loosened
  origin_values *origin;
  settled_names *names;
  loosening *loose;
  shape_graph *graph;
  term_table *terms;
  uint32_t *site_of_row;  // by symbol of the graph; ID_NONE: no literal
  uint32_t *first_user;   // by value: a use, as its index in graph->operands and 1; 0: none
  uint32_t *next_user;    // by index in graph->operands: the next use of the same value
  op_id *user;            // by index in graph->operands
} resolving;

// The axis whose literal of a reshape is written as -1: the only one that is more than a number, beside positive numbers.
// ID_NONE: none.
uint32_t literal_hole(const resolving *x, const literal_site *s);
resolving resolve_literals(shape_report *report, loosening *loose);

// --- match.c: dims of a reshape

enum { MATCH_MAX = 64 };

typedef struct match_dim {
  term_id term;
  int64_t number;   // at the original dims
  bool takes_rest;  // of a result: -1 is written, which is what the others leave
  bool taken;       // of a result: a factor of the operand is it
} match_dim;

// Decides dims of the result that are TERM_NONE in `to`: those whose products are products of dims of the operand at the
// original dims become expressions over these, the others their numbers. value: of a term at the original dims.
void match_reshape(term_table *terms, const match_dim *from, uint32_t from_count, match_dim *to,
                   uint32_t to_count, bool (*value)(void *data, term_id term, int64_t *out),
                   void *data);

// The types that the written program has, by value_id: numbers where the dims that are freed change nothing, and where
// nothing determines what a dim becomes.
const type_id *loose_types(const resolving *x);
// Gives the graph the types back that the program declares.
void restore_types(shape_graph *g, const loosening *loose);

// --- dims.c: what computes the dims that literals have become, from dims of arguments

typedef enum dim_step {
  DIM_ADD,
  DIM_SUBTRACT,
  DIM_MULTIPLY,
  DIM_DIVIDE,
  DIM_MINIMUM,
  DIM_STEPS
} dim_step;

// How a format writes it. Each function writes what is needed and returns the number of its result.
typedef struct dim_forms {
  uint32_t (*number)(void *to, int64_t n);
  uint32_t (*argument)(void *to, uint32_t argument, uint32_t axis);
  uint32_t (*step)(void *to, dim_step step, uint32_t a, uint32_t b);
  // b where a is 1, else a. NULL: has none, and literals are no such terms.
  uint32_t (*broadcast)(void *to, uint32_t a, uint32_t b, uint32_t one);
  bool floors;  // division rounds to minus infinity, not to zero
} dim_forms;

typedef struct dim_writer {
  const resolving *x;
  const dim_forms *forms;
  void *to;
  instructions computed;
} dim_writer;

void dim_writer_init(dim_writer *w, const resolving *x, const dim_forms *forms, void *to);
// The number of what the term is; each term is written once. O(size of the terms).
uint32_t dim_put(dim_writer *w, term_id term);
// What no name of the program begins with: the stem, or the stem and a number.
const char *dim_prefix(const shape_graph *g, const char *stem,
                       bool (*is_used)(const shape_graph *g, const char *prefix));

// --- rewrite_onnx.c

// The model with free dims, in pieces.
void rewrite_onnx_model(const resolving *x, const onnx_sink *sink);

// --- rewrite_mlir.c

// The text of the program with free dims; returns the edits that were made.
text_edits rewrite_mlir_text(const resolving *x, shape_strbuf *out);

// --- rewrite_fx.c

// The text of an FX graph whose literals are free, as above; what it says of the dims of values stays.
text_edits rewrite_fx_text(const resolving *x, shape_strbuf *out);
// That text with the dims of its parameters as the report names them, and of no other values.
void rewrite_fx_types(shape_report *report, const original *from, const fx_uses *uses,
                      shape_strbuf *out);

#endif
