// SPDX-License-Identifier: Apache-2.0
// The parameters that methods on a program share: the program, once, as text, graph or blob, and its options.
//
// The program is taken from the text of the parameters as it is there: a graph is not made into a tree first, and
// its locations are those that its author sees. Everything else is small and goes through cJSON.
#ifndef PROTO_METHODS_PROGRAM_REQUEST_H
#define PROTO_METHODS_PROGRAM_REQUEST_H

#include "proto/methods/method.h"
#include "solver/emit/emitter.h"

typedef struct program_request {
  method_call *call;
  analysis_request request;
  program_options program;  // of the emitters that write the program back
  bool all;                 // "all", of session/open
  bool render;              // options.render: the answer as the command line prints it
  bool text, colour;        // rendered so; else as JSON
  const char *that;         // options.that, or NULL
  uint32_t line, column;    // options.at, from 1; 0: none
  const char *emit;         // options.emit, or NULL
  const char *profile;      // options.profile, or NULL
} program_request;

// False after filling the call's failure. Everything lives in the call's arena; limits that the options name are the
// server's or tighter, and a deadline or a token for progress reach the call's control.
bool program_request_read(method_call *call, program_request *out);
// The same for methods on two programs: each as an object of its own, "old" and "new", and the options of both.
bool program_request_read_two(method_call *call, program_request out[2]);
// Analyses and writes the result: the answer itself, or where `rendered` an object with its text, and `answer` of a
// predicate, or NULL.
bool program_request_emit(program_request *request, emit_choice choice, bool rendered,
                          const shape_answer *answer);
// What options.that, options.at or neither of them ask for, in the form that options.render asks for. `points`: values that
// were seen, for likely ones.
bool program_request_answer(program_request *request, const likely_point *points, uint32_t count);
// The same for what changed from one program to the other; rendered where the first asks for it.
bool program_request_diff(program_request requests[2]);

#endif
