// SPDX-License-Identifier: Apache-2.0
// What tests of sessions share: a program with branches, and that a session says what an analysis says.
#ifndef TESTS_UNIT_SESSION_FIXTURE_H
#define TESTS_UNIT_SESSION_FIXTURE_H

#include <criterion/criterion.h>

#include "solver/session/session.h"

#define WIDE "\"tensor<?x4xf32>\""

// What is inside of regions is not followed: neither are edits of what it asks about.
#define BRANCHES                                                                                   \
  "{\"functions\":[{\"name\":\"main\",\"arguments\":[\"p\",\"tensor<i1>\",\"a\"," WIDE             \
  "],\"ops\":["                                                                                    \
  "[\"stablehlo.if\",[\"p\"],[\"x\"," WIDE "],{},"                                                 \
  "[[[],[\"stablehlo.abs\",[\"a\"],[\"u\"," WIDE "]],[\"stablehlo.return\",[\"u\"]]],"             \
  "[[],[\"stablehlo.return\",[\"a\"]]]]],"                                                         \
  "[\"func.return\",[\"x\"]]]}]}"

static inline void expect_fresh(session_core *s) {
  const char *where;
  cr_assert(session_verify(s, &where), "%s", where);
}

#endif
