// SPDX-License-Identifier: Apache-2.0
// What changed between two versions of a program: types of arguments, results and named values, constraints, guards.
//
// Values are matched by function and name. Dims are written over the names of arguments (tokens.0 is dim 0 of %tokens),
// so that an argument that comes or goes does not rename the dims of the others. No I/O.
#ifndef SHAPE_EMIT_DIFF_H
#define SHAPE_EMIT_DIFF_H

#include "solver/emit/emitter.h"

typedef struct diff_reply {
  shape_status status;    // the first that is not OK, of either program
  uint32_t errors;        // of both programs; the answer then says which program has them
  uint32_t differences;   // where there are none
  char message[240];      // where status is not OK
  program_excess excess;  // as that of analysis_reply
} diff_reply;

typedef struct diff_options {
  bool json;    // the form of the answer; else text
  bool colour;  // of errors, as text
} diff_options;

// The requests differ in name and text.
void diff_programs(const analysis_request *old, const analysis_request *new_request,
                   const diff_options *options, emit_sink *sink, void *to, diff_reply *reply);

#endif
