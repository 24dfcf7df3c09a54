// SPDX-License-Identifier: Apache-2.0
// Sessions at their limits: memory, diagnostics that are kept, edits that are not followed one by one.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "proto/methods/session_program.h"
#include "solver/session/state.h"
#include "tests/support/session_find.h"

#define WIDE "\"tensor<?x4xf32>\""
static const session_limits NONE = {0};

static shape_session *opened(shape_session *s, const char *text) {
  session_source source = {.text = text, .length = strlen(text)};
  session_start start = {.read = session_read_program, .data = &source};
  session_failure failure;
  cr_assert(session_open(s, &start, &failure), "%s", failure.message);
  return s;
}

static void expect_fresh(shape_session *s) {
  const char *where;
  cr_assert(session_verify(s, &where), "%s", where);
}

static void expect_dim(const shape_session *s, value_id v, const char *text) {
  const session_shape *shape = session_shape_of(s, session_value_shape(s, v));
  cr_assert(shape && shape->rank && shape->dims[0]);
  cr_assert_str_eq(shape->dims[0], text);
}

static const char BRANCHES[] =
    "{\"functions\":[{\"name\":\"main\",\"arguments\":[\"p\",\"tensor<i1>\",\"a\"," WIDE
    "],\"ops\":["
    "[\"stablehlo.if\",[\"p\"],[\"x\"," WIDE "],{},"
    "[[[],[\"stablehlo.abs\",[\"a\"],[\"u\"," WIDE "]],[\"stablehlo.return\",[\"u\"]]],"
    "[[],[\"stablehlo.return\",[\"a\"]]]]],"
    "[\"func.return\",[\"x\"]]]}]}";

// Whichever allocation fails, that of what the pop takes up again too.
Test(session_limits, a_push_without_memory_leaves_the_program) {
  session_changes out;
  session_failure failure;
  static const graph_assumption PUSHED[] = {{"arg1.0 == 5", 11, SPAN_NONE, false, false},
                                            {"unknown == 5", 12, SPAN_NONE, false, false}};
  uint64_t n = 1;
  for (bool good = false; !good; n++) {
    shape_session *s = session_new(&NONE);
    s->arena.fault.fail_at = UINT64_MAX;  // each allocation is one of malloc from the beginning
    opened(s, BRANCHES);
    s->arena.fault = (shape_fault){.fail_at = n};
    good = session_push(s, PUSHED, 2, &out, &failure);
    s->arena.fault = (shape_fault){0};
    if (!good) {
      cr_assert_eq(failure.status, SHAPE_MEMORY);
      cr_assert(session_depth(s) == 0 && session_version(s) == 1, "allocation %u", (unsigned)n);
      cr_assert_eq(session_diagnostics(s).count, 0);
      expect_dim(s, session_find_value(s, "main", "x"), "S0");
      expect_fresh(s);
    }
    session_free(s);
  }
  cr_assert_gt(n, 10);
}

// The one of the assumption is one more than are kept.
Test(session_limits, a_push_beyond_the_limit_of_diagnostics_is_taken_back) {
  enum { LIMIT = 100 };
  static char text[1 << 14];
  size_t n = (size_t)snprintf(text, sizeof text,
                              "{\"functions\":[{\"name\":\"main\",\"arguments\":[\"a\"," WIDE
                              "],\"ops\":[");
  for (int i = 0; i < LIMIT; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "[\"my.op%d\",[\"a\"],[\"x%d\"," WIDE "]],", i,
                          i);
  snprintf(text + n, sizeof text - n, "[\"func.return\",[\"a\"]]]}]}");
  shape_session *s = opened(session_new(&NONE), text);
  cr_assert_eq(session_diagnostics(s).count, LIMIT);
  session_changes out;
  session_failure failure;
  graph_assumption a = {"unknown == 3", 12, SPAN_NONE, false, false};
  cr_assert(session_push(s, &a, 1, &out, &failure) && session_pop(s, &out, &failure));
  cr_assert_eq(session_diagnostics(s).count, LIMIT);
  expect_fresh(s);
  session_free(s);
}

