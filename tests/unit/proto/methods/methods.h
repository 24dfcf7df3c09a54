// SPDX-License-Identifier: Apache-2.0
// Methods called in the process: a host that keeps two sessions and one profile, and replies as text.
#ifndef TESTS_UNIT_PROTO_METHODS_METHODS_H
#define TESTS_UNIT_PROTO_METHODS_METHODS_H

#include "tests/support/session_host.h"

typedef struct methods {
  session_host sessions;  // the first: both have one pointer in the host
  method_host host;
  method_limits limits;
  shape_arena arena;  // of replies
  char *profile;      // by malloc; NULL: none is kept
  size_t profile_length;
  int stop;  // a shape_status: why requests end
} methods;

void methods_open(methods *m);
void methods_close(methods *m);
// The reply to a request with id 1. Its parameters are JSON in which ' is written for ".
const char *methods_call(methods *m, const char *method, const char *params);

// Fails the test where the reply does not hold all of the text, in which ' is written for ".
#define expect_reply(m, method, params, part)                                                      \
  methods_expect(m, method, params, part, __FILE__, __LINE__)
void methods_expect(methods *m, const char *method, const char *params, const char *part,
                    const char *file, unsigned line);

// A row of a table: parameters, and a part of the reply.
typedef struct replied {
  const char *params, *part;
} replied;
#define expect_replies(m, method, rows)                                                            \
  methods_expect_rows(m, method, rows, sizeof(rows) / sizeof *(rows), __FILE__, __LINE__)
void methods_expect_rows(methods *m, const char *method, const replied *rows, size_t count,
                         const char *file, unsigned line);

// The same of a host of their own.
#define expect_table(method, rows)                                                                 \
  methods_expect_table(method, rows, sizeof(rows) / sizeof *(rows), __FILE__, __LINE__)
void methods_expect_table(const char *method, const replied *rows, size_t count, const char *file,
                          unsigned line);

// A row of a table: parameters that are refused, and the code and the path that the error has.
typedef struct refused {
  const char *params, *code, *path;
} refused;
void methods_refuse(methods *m, const char *method, const refused *rows, size_t count);

// Programs as parameters: one that adds, as text and as a graph, and one with an error.
#define ADD_TEXT                                                                                   \
  "func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32>"                   \
  " {\\n  %0 = stablehlo.add %a, %b : tensor<?x4xf32>\\n  return %0 : tensor<?x4xf32>\\n}\\n"
#define ADD "'text': '" ADD_TEXT "'"
#define MISMATCH                                                                                   \
  "'text': 'func.func @main(%a: tensor<3xf32>, %b: tensor<4xf32>) {\\n  %0 = "                     \
  "stablehlo.add %a, %b : (tensor<3xf32>, tensor<4xf32>) -> tensor<?xf32>\\n  return\\n}\\n'"
#define GRAPH                                                                                      \
  "'graph': {'functions': [{'name': 'main', 'arguments': [{'name': 'x', 'type': "                  \
  "'tensor<?x4xf32>'}], 'ops': [['stablehlo.abs', ['x'], ['y', 'tensor<?x4xf32>']]], "             \
  "'returns': ['y']}]}"

#endif
