// SPDX-License-Identifier: Apache-2.0
// Sessions at their limits: memory, diagnostics that are kept, edits that are not followed one by one.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/session/fixture.h"

static const session_limits NONE = {0};

static void expect_dim(const session_core *s, value_id v, const char *text) {
  const session_shape *shape = session_shape_of(s, session_value_shape(s, v));
  cr_assert(shape && shape->rank && shape->dims[0]);
  cr_assert_str_eq(shape->dims[0], text);
}

// Whichever allocation fails, that of what the pop takes up again too.
Test(session_limits, a_push_without_memory_leaves_the_program) {
  session_changes out;
  session_failure failure;
  static const graph_assumption PUSHED[] = {
      {.text = "arg1.0 == 5", .length = 11, .span = SPAN_NONE},
      {.text = "unknown == 5", .length = 12, .span = SPAN_NONE}};
  uint64_t n = 1;
  for (bool good = false; !good; n++) {
    session_core *s = session_new(&NONE);
    s->arena.fault.fail_at = UINT64_MAX;  // each allocation is one of malloc from the beginning
    session_open_text(s, BRANCHES);
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

static const char ABS[] =
    "{\"functions\":[{\"name\":\"main\",\"arguments\":[\"a\"," WIDE "],\"ops\":["
    "[\"stablehlo.abs\",[\"a\"],[\"b\"," WIDE "]],[\"func.return\",[\"b\"]]]}]}";

// More than are looked for one by one; of one name however many.
Test(session_limits, many_operations_without_a_rule_come_at_once) {
  enum { COUNT = 40 };
  static char texts[COUNT][64];
  session_edit edits[COUNT];
  for (int same = 0; same < 2; same++) {
    session_core *s = session_open_text(session_new(&NONE), ABS);
    session_changes out;
    session_failure failure;
    for (int i = 0; i < COUNT; i++) {
      snprintf(texts[i], sizeof texts[i], "[\"my.op%d\",[\"a\"],[\"x%d\"," WIDE "]]", same ? 0 : i,
               i);
      edits[i] = (session_edit){
          .kind = EDIT_INSERT, .op = 1, .text = texts[i], .length = strlen(texts[i])};
    }
    cr_assert(session_edit_all(s, edits, COUNT, session_read_fragment, &out, &failure), "%s",
              failure.message);
    cr_assert_eq(out.whole, !same);
    cr_assert_eq(session_diagnostics(s).count, same ? 1 : COUNT);
    expect_fresh(s);
    session_free(s);
  }
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
  session_core *s = session_open_text(session_new(&NONE), text);
  cr_assert_eq(session_diagnostics(s).count, LIMIT);
  session_changes out;
  session_failure failure;
  graph_assumption a = {.text = "unknown == 3", .length = 12, .span = SPAN_NONE};
  cr_assert(session_push(s, &a, 1, &out, &failure) && session_pop(s, &out, &failure));
  cr_assert_eq(session_diagnostics(s).count, LIMIT);
  expect_fresh(s);
  session_free(s);
}

static const char DECLARED[] =
    "{\"symbols\":[{\"name\":\"B\"}],\"functions\":[{\"name\":\"main\",\"arguments\":["
    "\"a\",{\"dtype\":\"f32\",\"dims\":[\"B\",4]}],\"ops\":["
    "[\"stablehlo.abs\",[\"a\"],[\"y\"," WIDE "]],[\"func.return\",[\"y\"]]]}]}";

// What several ranges imply is stated by a whole analysis.
Test(session_limits, a_declaration_with_gaps_is_analysed_whole) {
  session_core *s = session_open_text(session_new(&NONE), DECLARED);
  session_edit e = {.kind = EDIT_SYMBOL, .text = "{\"name\":\"B\",\"ranges\":[[2,3],[8,8]]}"};
  cr_assert(session_done(s, e).whole);
  expect_fresh(s);
  session_edit other = {.kind = EDIT_ASSUME, .text = "B >= 4"};
  cr_assert(session_done(s, other).whole);
  expect_dim(s, session_find_value(s, "main", "y"), "8");
  expect_fresh(s);
  e.text = "{\"name\":\"B\",\"min\":3,\"max\":9}";
  cr_assert(session_done(s, e).whole);
  expect_fresh(s);
  e.text = "{\"name\":\"B\",\"min\":3,\"max\":10}";
  cr_assert_not(session_done(s, e).whole);
  expect_fresh(s);
  session_free(s);
}
