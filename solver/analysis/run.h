// SPDX-License-Identifier: Apache-2.0
// One analysis of one program, for the layers of this repository: the public API (solver/shape.h) is written on it. What
// options point to stays the caller's, and outlives the run.
//
// A shape_run owns an arena, and everything that it answers lives as long as it does. Runs share nothing, so different
// threads may use different ones. It does no I/O and reads no format: a reader (solver/formats, or the caller's own on
// solver/graph/graph.h) fills the graph.
//
//   shape_run *p = shape_run_new(text, length, NULL);
//   shape_run_read(p, GRAPH_MLIR, reader, NULL);
//   shape_run_analyze(p, NULL);
//   shape_run_ask(p, "mod(S0, 4) == 0");   // SHAPE_YES, SHAPE_NO or SHAPE_UNKNOWN
//   shape_run_free(p);
//
// Status codes are those of solver/base/status.def. A program with errors is no failure: the status is SHAPE_OK and
// shape_run_errors counts them. After any other status the run can only be freed.
#ifndef SHAPE_ANALYSIS_RUN_H
#define SHAPE_ANALYSIS_RUN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/base/trace.h"
#include "solver/base/status.h"
#include "solver/graph/format.h"

typedef struct shape_run shape_run;

struct shape_graph;   // solver/graph/graph.h
struct shape_report;  // solver/report/report.h
struct shape_budget;  // solver/base/budget.h

typedef struct run_limits {
  size_t memory;           // bytes; 0: the default
  uint64_t steps;          // of reasoning; 0: the default
  const atomic_int *stop;  // another thread stores a shape_status here to end the job; NULL: never
  atomic_uint_least64_t *progress;  // steps used so far, now and then; NULL: not reported
  // Ends the job as if it was cancelled once that many steps (and up to 1024 more) are used; 0: never. For callers that
  // may only give it a moment: what ends within that is the answer, and no budget was spent.
  uint64_t abandon_at;
  const shape_trace
      *trace;  // receives the steps of the analysis, see solver/base/trace.h; NULL: none
  uint64_t
      fail_at;  // for tests: this allocation and later ones fail (solver/base/fault.h); 0: none
  void (*poll)(void *data);  // see the arena's; NULL: none
  void *poll_data;
  uint32_t bits;  // of an integer; 0: the default, SHAPE_BITS_DEFAULT
  uint32_t
      elements;  // of a tensor whose values are followed, SHAPE_ELEMENTS_MAX at most; 0: that many
} run_limits;

#define SHAPE_STEPS_DEFAULT ((uint64_t)2000000000)
#define SHAPE_BITS_DEFAULT  65536
#define SHAPE_ELEMENTS_MAX  4096

// NULL when there is no memory. The text is not copied.
shape_run *shape_run_new(const char *text, size_t length, const run_limits *limits);
void shape_run_free(shape_run *program);

// Fills the graph from the text. What is wrong with the text becomes diagnostics.
typedef shape_status run_reader(struct shape_graph *graph, struct shape_budget *budget, void *data);
shape_status shape_run_read(shape_run *program, graph_format format, run_reader *reader,
                            void *data);
// Runs body under the program's protection, so that memory and budget failures come back as a status.
shape_status shape_run_protect(shape_run *program, void (*body)(shape_run *program, void *data),
                               void *data);

typedef struct run_binding {
  const char *name;  // a declared symbol, "argK.A" (a size) or "argK" (a value)
  size_t name_length;
  int64_t value;
} run_binding;

typedef struct run_options {
  const uint32_t *argument_types;  // of the entry, as type ids of this graph; NULL: as declared
  uint32_t argument_count;
  const run_binding *bindings;
  uint32_t binding_count;
  const run_binding *bounds;  // at most that much; refined types have the bounds that follow
  uint32_t bound_count;
  bool strict;         // an error where a declared type of an ONNX model is not what its nodes give
  bool find_bounds;    // refined types have bounds also where the program has none
  bool whole_regions;  // as infer_options has it
  const char *const *assumptions;  // predicates, such as "H % 8 == 0"
  uint32_t assumption_count;
  const char *entry;  // NULL: "main", or the only function
  bool warnings_are_errors;
  bool must_be_refinable;  // dims that the arguments do not determine are errors
  bool
      alone;  // each operation by itself, as a verifier sees it: what never runs has to fit as well
  bool certify;  // the independent checker derives what is reported again
  // By operation: those of 0 are taken for such that have no rule; NULL: all count (solver/infer/infer.h).
  const uint8_t *understood;
} run_options;

// Analyses a program that was read; one with syntax errors gets a report of those. Once per program.
shape_status shape_run_analyze(shape_run *program, const run_options *options);

uint32_t shape_run_errors(const shape_run *program);  // diagnostics of severity error
uint32_t shape_run_diagnostics(const shape_run *program);
// One of them: a text that lives as long as the program; line and column count from 1.
const char *shape_run_diagnostic(const shape_run *program, uint32_t index, uint32_t *line,
                                 uint32_t *column);
uint32_t shape_run_symbols(const shape_run *program);
// The name of a symbol, in the order of the report.
const char *shape_run_symbol(const shape_run *program, uint32_t index, size_t *length);
// Is a predicate over the names of the report implied by the program? Texts that are none are SHAPE_UNKNOWN, with
// *error (may be NULL) set to what was expected.
shape_answer shape_run_ask(shape_run *program, const char *predicate, const char **error);

// For the layers above, which know the structs.
struct shape_graph *shape_run_graph(shape_run *program);
// Finds where the source says that the operations of diagnostics come from; within shape_run_protect.
void shape_run_locate(shape_run *program);
struct shape_report *shape_run_report(shape_run *program);  // NULL before shape_run_analyze
struct shape_budget *shape_run_budget(shape_run *program);

#endif
