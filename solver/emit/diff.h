// SPDX-License-Identifier: Apache-2.0
// What changed between two versions of a program: types of arguments, results and named values, constraints, guards.
//
// Values are matched by function and name. Sizes are written over the names of arguments (tokens.0 is size 0 of %tokens),
// so that an argument that comes or goes does not rename the sizes of the others. No I/O.
#ifndef SHAPE_EMIT_DIFF_H
#define SHAPE_EMIT_DIFF_H

#include "solver/emit/analyze.h"

typedef struct diff_reply {
  shape_status status;    // the first that is not OK, of either program
  uint32_t errors;        // of both programs; the answer then says which program has them
  uint32_t differences;   // where there are none
  char message[240];      // where status is not OK
  program_excess excess;  // as that of analyze_reply
} diff_reply;

// The requests differ in name and text; `output` of the first, JSON or TEXT, is the form of the answer.
void diff_programs(const analyze_request *old, const analyze_request *new_request,
                   analyze_sink *sink, void *to, diff_reply *reply);

#endif
