// SPDX-License-Identifier: Apache-2.0
// The method `analyze`, and the command `shape check`: a program in, an answer out. No I/O: the daemon and the command
// line hand in bytes and get bytes, so that they cannot differ.
#ifndef SHAPE_EMIT_ANALYZE_H
#define SHAPE_EMIT_ANALYZE_H

#include "solver/analysis/program_limits.h"
#include "solver/analysis/run.h"
#include "solver/emit/likely.h"
#include "solver/transform/types.h"

typedef enum analyze_output {
  ANALYZE_JSON,
  ANALYZE_TEXT,
  // The program back. Where it has errors these come instead, as text.
  ANALYZE_REFINED,  // MLIR, with refined types in place
  ANALYZE_GRAPH,    // the JSON form of the graph, with refined types
  ANALYZE_SMT2,     // its facts and guards as SMT-LIB
  ANALYZE_DISC,     // MLIR with names of sizes, and its facts as BladeDISC's shape constraint IR
  ANALYZE_VIOLATED,  // which of the points cannot be, as a JSON list; programs with errors are INVALID
  // What has to be checked of the arguments: in the MLIR text, or as a function in C or Python.
  ANALYZE_GUARDS_MLIR,
  ANALYZE_GUARDS_C,
  ANALYZE_GUARDS_PYTHON,
  ANALYZE_ONNX,     // the ONNX model with types in place; parts of the old file go to `copy`
  ANALYZE_SUMMARY,  // what a table of many programs says of it, as JSON; errors included
  // The constraint graph of the entry (solver/emit/constraint_graph.h); SVG and HTML are drawn by `layout`, which is
  // what Graphviz makes of the text for LAYOUT. Where the program has errors these come instead, as text.
  ANALYZE_DRAW_DOT,
  ANALYZE_DRAW_LAYOUT,
  ANALYZE_DRAW_SVG,
  ANALYZE_DRAW_HTML
} analyze_output;

// How sizes that are no numbers are made: as the program has it, with set_dimension_size, or with real_dynamic_slice.
typedef enum analyze_dynamism {
  DYNAMISM_AS_IS,
  DYNAMISM_BOUNDED,
  DYNAMISM_UNBOUNDED
} analyze_dynamism;

typedef struct analyze_request {
  const char *name;  // of the input, in messages
  const char *text;
  size_t length;
  program_limits program;
  bool validated;  // the text is JSON and has passed the gate of solver/formats/json already
  const char *argument_types;   // "tensor<3x4xf32>,tensor<i64>", or NULL
  const char *const *bindings;  // "NAME=N", several with commas
  uint32_t binding_count;
  const char *const *bounds;  // "NAME=N": at most N; refined types have the bounds that follow
  uint32_t bound_count;
  const char *const *assumptions;  // "H % 8 == 0"
  uint32_t assumption_count;
  const char *entry;  // NULL: "main", or the only function
  analyze_output output;
  bool colour;       // TEXT
  bool big_as_text;  // JSON: integers beyond 2^53 as strings
  bool werror, refinable, certify;
  const likely_point *points;  // sizes that were seen; JSON and BROKEN
  uint32_t point_count;
  bool *violated;             // BROKEN: by point
  bool require_static;        // REFINED and GRAPH: sizes that stay dynamic are errors
  bool cleanup;               // REFINED: without shape computations that nothing needs any more
  bool generic;               // REFINED: in MLIR's generic form
  analyze_dynamism dynamism;  // REFINED
  dynamic_taker *dynamic;     // REFINED: takes each value that stays dynamic; NULL: nobody asks
  void *dynamic_to;
  // ONNX: takes parts of the text, in order with what the sink takes; NULL: the sink takes them.
  void (*copy)(void *to, size_t begin, size_t end);
  const char *
      that;  // a predicate: the answer is why it holds, or that it does not; NULL: all that is known
  const char *layout;  // DRAW_SVG and DRAW_HTML
  size_t layout_length;
  const char *const
      *symbols;  // DRAW: only these, what speaks of them, and what that speaks of; none: everything
  uint32_t symbol_count;
  // Lines and columns from 1: the answer is why sizes at that place are what they are; 0: nobody asks.
  uint32_t line, column;
  bool is_confirmation;  // of a run that refutes `that`: no other run is looked for
  // Brings data of ONNX tensors that stand in other files (solver/formats/onnx/onnx.h); NULL: it is not known.
  bool (*external)(void *data, const char *name, uint64_t offset, size_t length, void *to);
  void *external_data;
  run_limits limits;
} analyze_request;

typedef struct analyze_reply {
  shape_status status;  // OK also where the program has errors; INVALID: a parameter of the request
  uint32_t errors;      // of the program
  uint32_t dynamic;     // REFINED and GRAPH: types that stay dynamic
  shape_answer answer;  // of `that`; NO also where the program has errors
  uint32_t open;        // requirements that neither declarations nor data of the program decide
  char message[240];    // where status is not OK
  program_excess excess;  // where status is SIZE because of `program`
} analyze_reply;

typedef void analyze_sink(void *to, const char *data, size_t length);

// Writes the answer to the sink, in pieces. Where the status is INVALID nothing is written.
void analyze(const analyze_request *request, analyze_sink *sink, void *to, analyze_reply *reply);
// The exit status that design gives an outcome.
int analyze_exit_status(const analyze_reply *reply);

#endif
