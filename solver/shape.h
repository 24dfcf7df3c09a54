// SPDX-License-Identifier: Apache-2.0
// The public C API of libshape.
//
// A shape_program is one analysis: it owns an arena, and everything that it answers lives as long as it does. Programs
// share nothing, so different threads may use different programs. The library does no I/O and reads no format: a reader
// (proto/mlir, proto/graph, proto/onnx, or the caller's own on solver/graph/graph.h) fills the graph.
//
//   shape_program *p = shape_program_new(text, length, NULL);
//   shape_program_read(p, SHAPE_FORMAT_MLIR, reader, NULL);
//   shape_program_analyze(p, NULL);
//   shape_program_ask(p, "mod(S0, 4) == 0");   // SHAPE_YES, SHAPE_NO or SHAPE_UNKNOWN
//   shape_program_free(p);
//
// Status codes are those of solver/base/status.def. A program with errors is no failure: the status is SHAPE_OK and
// shape_program_errors counts them. After any other status the program can only be freed.
#ifndef SHAPE_H
#define SHAPE_H

#ifdef __cplusplus
#include <atomic>
using std::atomic_int;
using std::atomic_uint_least64_t;
#else
#include <stdatomic.h>
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/base/status.h"
#include "solver/base/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

// The one place where the version of the library and of the programs stands.
#define SHAPE_VERSION "0.1.0"

// Who owns what a parameter or result points to.
#define SHAPE_TAKE  // the callee, from now on
#define SHAPE_KEEP  // the caller, as before; it must outlive the object that it is given to
#define SHAPE_GIVE  // the caller, who frees it

typedef struct shape_program shape_program;

struct shape_graph;   // solver/graph/graph.h
struct shape_report;  // solver/report/report.h
struct shape_budget;  // solver/base/budget.h

typedef enum shape_format { SHAPE_FORMAT_MLIR, SHAPE_FORMAT_JSON, SHAPE_FORMAT_ONNX } shape_format;

typedef struct shape_limits {
  size_t memory;   // bytes; 0: the default
  uint64_t steps;  // of reasoning; 0: the default
  SHAPE_KEEP const atomic_int
      *stop;  // another thread stores a shape_status here to end the job; NULL: never
  SHAPE_KEEP atomic_uint_least64_t *progress;  // steps used so far, now and then; NULL: not told
  // Ends the job as if it was cancelled once so many steps (and up to 1024 more) are used; 0: never. For callers that
  // may only give it a moment: what ends within that is the answer, and no budget was spent.
  uint64_t abandon_at;
  SHAPE_KEEP const shape_trace
      *trace;        // told what the analysis does, see solver/base/trace.h; NULL: nobody
  uint64_t fail_at;  // for tests: this allocation fails, see solver/base/fault.h; 0: none
  uint32_t bits;     // of an integer; 0: the default, SHAPE_BITS_DEFAULT
  uint32_t
      elements;  // of a tensor whose values are followed, SHAPE_ELEMENTS_MOST at most; 0: that many
} shape_limits;

#define SHAPE_MEMORY_DEFAULT ((size_t)8 << 30)
#define SHAPE_STEPS_DEFAULT  ((uint64_t)2000000000)
#define SHAPE_BITS_DEFAULT   65536
#define SHAPE_ELEMENTS_MOST  4096

// NULL when there is no memory. The text is not copied.
SHAPE_GIVE shape_program *shape_program_new(SHAPE_KEEP const char *text, size_t length,
                                            const shape_limits *limits);
void shape_program_free(SHAPE_TAKE shape_program *program);

// Fills the graph from the text. What is wrong with the text becomes diagnostics.
typedef shape_status shape_reader(struct shape_graph *graph, struct shape_budget *budget,
                                  void *data);
shape_status shape_program_read(shape_program *program, shape_format format, shape_reader *reader,
                                void *data);
// Runs body under the program's protection, so that memory and budget failures come back as a status.
shape_status shape_program_protect(shape_program *program,
                                   void (*body)(shape_program *program, void *data), void *data);

typedef struct shape_bound_name {
  const char *name;  // a declared symbol, "argK.A" (a size) or "argK" (a value)
  size_t name_length;
  int64_t value;
} shape_bound_name;

typedef struct shape_options {
  SHAPE_KEEP const uint32_t
      *argument_types;  // of the entry, as type ids of this graph; NULL: as declared
  uint32_t argument_count;
  SHAPE_KEEP const shape_bound_name *bindings;
  uint32_t binding_count;
  SHAPE_KEEP const shape_bound_name
      *bounds;  // at most so much; refined types have the bounds that follow
  uint32_t bound_count;
  bool find_bounds;  // refined types have bounds also where the program has none
  SHAPE_KEEP const char *const *assumptions;  // predicates, such as "H % 8 == 0"
  uint32_t assumption_count;
  SHAPE_KEEP const char *entry;  // NULL: "main", or the only function
  bool warnings_are_errors;
  bool must_be_refinable;  // sizes that the arguments do not determine are errors
  bool
      alone;  // each operation by itself, as a verifier sees it: what never runs has to fit as well
  bool certify;  // the independent checker derives what is reported again
  // By operation: those of 0 are taken for such that have no rule; NULL: all count (solver/infer/infer.h).
  SHAPE_KEEP const uint8_t *understood;
} shape_options;

// Analyses a program that was read; one with syntax errors gets a report of those. Once per program.
shape_status shape_program_analyze(shape_program *program, const shape_options *options);

uint32_t shape_program_errors(const shape_program *program);  // diagnostics of severity error
uint32_t shape_program_diagnostics(const shape_program *program);
// One of them: a text that lives as long as the program; line and column count from 1.
const char *shape_program_diagnostic(const shape_program *program, uint32_t index, uint32_t *line,
                                     uint32_t *column);
uint32_t shape_program_symbols(const shape_program *program);
// The name of a symbol, in the order of the report.
const char *shape_program_symbol(const shape_program *program, uint32_t index, size_t *length);
// Is a predicate over the names of the report implied by the program? Texts that are none are SHAPE_UNKNOWN, with
// *error (may be NULL) set to what was expected.
shape_answer shape_program_ask(shape_program *program, const char *predicate, const char **error);

// For the layers above, which know the structs.
struct shape_graph *shape_program_graph(shape_program *program);
struct shape_report *
shape_program_report(shape_program *program);  // NULL before shape_program_analyze
struct shape_budget *shape_program_budget(shape_program *program);

#ifdef __cplusplus
}
#endif

#endif
