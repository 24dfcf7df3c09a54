// SPDX-License-Identifier: Apache-2.0
// The inside of a shape_program and of a shape_analysis.
//
// A loaded program is bytes, read by each analysis. A built one is a graph, which is written in its JSON form when it is
// first analysed and read from there; `locations` has where its operations come from.
#ifndef SHAPE_API_PROGRAM_H
#define SHAPE_API_PROGRAM_H

#include "solver/analysis/analysis.h"
#include "solver/api/context.h"
#include "solver/graph/graph.h"

typedef struct program_location {
  uint32_t line, column;
} program_location;

struct shape_program {
  shape_limits limits;
  shape_error error;
  const char *bytes;  // NULL: not loaded, or what was built has no JSON form yet
  size_t length;
  bool loaded;      // the bytes are of a format that is read
  bool validated;   // they are JSON that the caller has checked
  bool recognised;  // `format` is theirs
  graph_format format;
  program_excess excess;  // after SHAPE_SIZE
  char *own_name;         // malloc'ed; NULL: `name` is the default
  const char *name;
  shape_external external;  // NULL: none is read
  void *external_data;
  shape_trace trace;  // of the limits
  shape_run *built;   // NULL: not built
  shape_graph *graph;
  program_location *locations;  // by operation, in the arena of the graph
  uint32_t location_count, location_capacity;
};

struct shape_analysis {
  shape_error error;
  shape_error outcome;  // how the analysis itself ended
  shape_program *program;
  analysis core;
  analysis_request request;
  analysis_reply reply;
  shape_arena texts;            // of the request
  struct shape_report *report;  // NULL: the analysis did not get that far
  shape_context *context;       // NULL: not asked for yet
  struct asked *asked;          // what queries of values came down to; NULL: none was made
};

// The bytes of a program that has contents. False: the error of the program is set.
bool program_has_bytes(shape_program *program);

// --- analysis.c: the first value of that name, with or without its %, from a number on. function: NULL: any.
shape_value program_find(const shape_graph *graph, const char *function, const char *name,
                         shape_value from);

// --- ask.c: a query begins, asks whether expressions are equal in the region of both values, and ends with its answer.
void asked_begin(shape_analysis *analysis);
shape_answer asked_equal(shape_analysis *analysis, shape_value x, term_id a, shape_value y,
                         term_id b);
void asked_last(shape_analysis *analysis);  // the last predicate is enough for the answer
shape_answer asked_end(shape_analysis *analysis, shape_answer answer);
void asked_free(shape_analysis *analysis);

// --- request.c: the texts are those of the caller, copied to the arena.
shape_status program_request(shape_program *program, const shape_options *options,
                             shape_arena *texts, analysis_request *out);

// --- facts.c: the context of a report, to be freed after the report's arena. NULL: no memory.
shape_context *context_of_report(struct shape_report *report, struct shape_budget *budget);

#endif
