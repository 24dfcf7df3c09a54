// SPDX-License-Identifier: Apache-2.0
// What tests of sessions share: programs, how they are opened and edited, and that a session says what an analysis says.
#ifndef TESTS_UNIT_SESSION_FIXTURE_H
#define TESTS_UNIT_SESSION_FIXTURE_H

#include <criterion/criterion.h>
#include <string.h>

#include "solver/api/session_program.h"
#include "solver/session/state.h"
#include "tests/support/session_find.h"

#define WIDE "\"tensor<?x4xf32>\""

// What is inside of regions is not followed: neither are edits of what it asks about.
#define BRANCHES                                                                                   \
  "{\"functions\":[{\"name\":\"main\",\"arguments\":[\"p\",\"tensor<i1>\",\"a\"," WIDE             \
  "],\"ops\":["                                                                                    \
  "[\"stablehlo.if\",[\"p\"],[\"x\"," WIDE "],{},"                                                 \
  "[[[],[\"stablehlo.abs\",[\"a\"],[\"u\"," WIDE "]],[\"stablehlo.return\",[\"u\"]]],"             \
  "[[],[\"stablehlo.return\",[\"a\"]]]]],"                                                         \
  "[\"func.return\",[\"x\"]]]}]}"

// Values 0: a, 1: b, 2: x, 3: y, operations in their order; the dims of a are symbols 0 and 1 of a run, those of b are 2 and 3.
#define SUM                                                                                        \
  "func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {\n"               \
  "  %x = stablehlo.add %a, %b : tensor<?x?xf32>\n"                                                \
  "  %y = stablehlo.abs %b : tensor<?x?xf32>\n"                                                    \
  "  return %y : tensor<?x?xf32>\n}\n"

static inline session_core *session_open_text(session_core *s, const char *text) {
  session_source source = {.text = text, .length = strlen(text)};
  session_start start = {.read = session_read_program, .data = &source};
  session_failure failure;
  cr_assert(session_open(s, &start, &failure), "%s", failure.message);
  return s;
}

static inline session_core *session_of(const char *text) {
  const session_limits limits = {0};
  return session_open_text(session_new(&limits), text);
}

static inline session_changes session_done(session_core *s, session_edit e) {
  session_changes out;
  session_failure failure;
  if (e.text) e.length = strlen(e.text);
  cr_assert(session_edit_all(s, &e, 1, session_read_fragment, &out, &failure), "%s",
            failure.message);
  return out;
}

// Of a value of main; "?" where it is not known.
static inline const char *session_dim(const session_core *s, const char *name, uint32_t axis) {
  const session_shape *shape =
      session_shape_of(s, session_value_shape(s, session_find_value(s, "main", name)));
  cr_assert(shape && axis < shape->rank, "%s has no dim %u", name, axis);
  return shape->dims[axis] ? shape->dims[axis] : "?";
}

static inline void expect_fresh(session_core *s) {
  const char *where;
  cr_assert(session_verify(s, &where), "%s", where);
}

#endif
