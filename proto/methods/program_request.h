// SPDX-License-Identifier: Apache-2.0
// The parameters that methods on a program share: the program, once, as text, graph or blob, and its options.
//
// The program is taken from the text of the parameters as it is there: a graph is not made into a tree first, and
// its locations are those that its author sees. Everything else is small and goes through cJSON.
#ifndef PROTO_METHODS_PROGRAM_REQUEST_H
#define PROTO_METHODS_PROGRAM_REQUEST_H

#include "proto/methods/method.h"
#include "solver/shape.h"

typedef struct program_request {
  method_call *call;
  const char *name, *text;
  size_t length;
  bool validated;  // the text is JSON, through json_validate with the whole request
  shape_limits limits;
  shape_options options;
  shape_emit_options
      emit_options;         // `that`, `line` and `column` are those of options.that and options.at
  bool all;                 // "all", of session/open
  bool render;              // options.render: the answer as the command line prints it
  bool as_text;             // rendered so; else as JSON
  bool details;             // text with operations, constraints and all functions
  const char *emit;         // options.emit, or NULL
  const char *profile;      // options.profile, or NULL
  const char *const *free;  // options.free
  uint32_t free_count;
  shape_dims_options dims;  // of options.profiles, and of the method cost
  const char *over[2];      // options.over, of the method cost, and NULL
} program_request;

// Without a program and options: the limits of the call.
program_request program_request_new(method_call *call);
// False after filling the call's failure. Everything lives in the call's arena; limits that the options name are the
// server's or tighter, and a deadline or a token for progress reach the call's control.
bool program_request_read(method_call *call, program_request *out);
// The same for methods on two programs: each as an object of its own, "old" and "new", and the options of both.
bool program_request_read_two(method_call *call, program_request out[2]);
// Analyses and writes the result in a format, which there is: the answer itself, or where `rendered` an object with its text, and with the
// answer to options.that.
bool program_request_emit(program_request *request, shape_format_family family, const char *form,
                          bool rendered);
// Values that the profile of options.profile has seen give likely ones in what is emitted.
void program_request_take_profile(program_request *request);
// What options.that, options.at or neither of them ask for, in the form that options.render asks for.
bool program_request_answer(program_request *request);
// Which dims could be free, or with options.emit "model" the program with these dims free.
bool program_request_generalize(program_request *request);
// The same for what changed from one program to the other; rendered where the first asks for it.
bool program_request_diff(program_request requests[2]);

#endif
