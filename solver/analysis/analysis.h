// SPDX-License-Identifier: Apache-2.0
// The core of every command and method: the bytes of a program in any format, read and analysed under what the caller
// gives and assumes. What is written of it is for an emitter (solver/emit/emitter.h). No I/O.
#ifndef SHAPE_ANALYSIS_ANALYSIS_H
#define SHAPE_ANALYSIS_ANALYSIS_H

#include "solver/analysis/program_limits.h"
#include "solver/analysis/run.h"
#include "solver/formats/fx/uses.h"
#include "solver/formats/mlir/uses.h"

typedef struct analysis_request {
  const char *name;  // of the input, in messages
  const char *text;
  size_t length;
  program_limits program;
  bool validated;   // the text is JSON and was validated (solver/formats/json) already
  bool recognised;  // `format` is what format_of (solver/formats/formats.h) says of the text
  graph_format format;
  const char *argument_types;   // "tensor<3x4xf32>,tensor<i64>", or NULL
  const char *const *bindings;  // "NAME=N", several with commas
  uint32_t binding_count;
  const char *const *bounds;  // "NAME=N": at most N; refined types have the bounds that follow
  uint32_t bound_count;
  const char *const *assumptions;  // "H % 8 == 0"
  uint32_t assumption_count;
  const char *entry;  // NULL: "main", or the only function
  bool werror, refinable, certify;
  bool find_bounds, alone;  // as run_options has them
  struct {
    bool strict;         // as run_options has it
    bool suggested;      // analyses again under what the report suggests (report/suggest.h)
    bool whole_regions;  // as run_options has it
    // Changes the graph that was read, before it is analysed; leaves through arena_fail where memory runs out. NULL: nothing.
    void (*prepare)(struct shape_graph *graph, void *data);
    void *prepare_data;
  } mode;
  const uint8_t *understood;  // the same
  struct format_beside beside;
  run_limits limits;
} analysis_request;

typedef struct analysis_reply {
  shape_status status;  // OK also where the program has errors; INVALID: a parameter of the request
  uint32_t errors;      // of the program
  char message[240];    // where status is not OK
  program_excess excess;  // where status is SIZE because of `program`
} analysis_reply;

typedef struct analysis {
  const analysis_request *request;
  analysis_reply *reply;
  shape_run *program;  // NULL: there is no memory for one
  run_options options;
  bool
      with_spans;  // `uses` is filled where the program is MLIR text, `statements` where it is an FX graph
  bool text_later;  // as format_options has it
  bool changed;  // an emitter put what was found into the graph, which is not the program any more
  mlir_uses uses;      // where the text writes types
  fx_uses statements;  // the same of an FX graph
} analysis;

// Reads and analyses. False: reply->status says why. True: the program has a report, which may be one of errors. The
// request and the reply outlive the analysis; status and errors of the reply are set, and a status that is not OK stays.
bool analysis_open(analysis *a, const analysis_request *request, bool with_spans,
                   analysis_reply *reply);
// The same for callers that get the text of the program by graph_text.
bool analysis_open_later(analysis *a, const analysis_request *request, bool with_spans,
                         analysis_reply *reply);
void analysis_close(analysis *a);
// The program has no errors, and there is something to be said of it.
bool analysis_is_valid(const analysis *a);
// A parameter is invalid: the first one is the status. Returns false.
bool analysis_refuse(analysis *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
