// SPDX-License-Identifier: Apache-2.0
// A session as its owner sees it: opening, failures, counts, queries.
#include <stdio.h>

#include "tests/unit/session/fixture.h"

enum { ADD, ABS, RETURN };
enum { A, B, X, Y };

static session_failure refused(const char *text, const session_limits *limits) {
  session_core *s = session_new(limits);
  session_source source = {.text = text, .length = strlen(text)};
  session_start start = {.read = session_read_program, .data = &source};
  session_failure failure;
  cr_assert_not(session_open(s, &start, &failure), "%s", text);
  session_free(s);
  return failure;
}

Test(session_open, what_is_wrong_has_a_code_and_a_location) {
  const session_limits none = {0};
  session_failure f =
      refused("func.func @main() {\n  %x = stablehlo.abs %y : tensor<?xf32>\n}\n", &none);
  cr_assert_eq(f.status, SHAPE_SYNTAX);
  cr_assert(f.line == 2 && f.column == 22, "%u:%u", f.line, f.column);
  cr_assert_not_null(f.code);
  cr_assert_neq(f.message[0], 0);
  f = refused("", &none);
  cr_assert(f.status == SHAPE_SYNTAX && f.line == 0);
}

Test(session_open, memory_and_steps_are_limited) {
  const session_limits little = {.memory = 4096}, few = {.steps = 1};
  cr_assert_eq(refused(SUM, &little).status, SHAPE_MEMORY);
  session_core *s = session_new(&few);
  session_open_text(s, SUM);  // what is not known for want of steps is no failure
  session_free(s);
  session_free(NULL);
}

Test(session_open, a_session_counts) {
  session_core *s = session_of(SUM);
  session_stats stats = session_get_stats(s);
  cr_assert(stats.ops == 3 && stats.values == 4 && stats.symbols == 2);
  cr_assert(stats.whole == 1 && stats.incremental == 0 && stats.edits == 0);
  cr_assert_eq(session_version(s), 1);
  cr_assert_gt(session_bytes(s), sizeof *s);
  session_done(
      s, (session_edit) {
        .kind = EDIT_REWIRE, .value = X
        , .with = A
      });
  stats = session_get_stats(s);
  cr_assert(stats.edits == 1 && stats.incremental == 1 && session_version(s) == 2);
  session_changes out;
  cr_assert(session_all(s, &out, NULL));
  cr_assert(out.value_count == 4 && out.whole && out.version == 2);
  for (uint32_t i = 0; i < 4; i++)
    cr_assert(out.values[i].before == SHAPE_NONE &&
              out.values[i].after == session_value_shape(s, out.values[i].value));
  session_free(s);
}

Test(session_open, what_is_not_there_has_no_shape) {
  session_core *s = session_of(SUM);
  cr_assert(session_has_value(s, Y) && !session_has_value(s, Y + 1));
  cr_assert(session_has_op(s, RETURN) && !session_has_op(s, RETURN + 1));
  cr_assert_not(session_has_op(s, ID_NONE));
  cr_assert_eq(session_value_shape(s, VALUE_NONE), SHAPE_NONE);
  cr_assert_null(session_shape_of(s, SHAPE_NONE));
  session_free(s);
}

// The list as a whole or nothing of it, and which edit is wrong.
Test(session_open, a_bound_on_operations) {
  session_core *s = session_of(SUM);
  session_changes out;
  session_failure failure;
  const char text[] = "[\"stablehlo.abs\",[\"b\"],[\"z\"," WIDE "]]";
  session_edit e = {.kind = EDIT_INSERT, .op = ADD, .text = text, .length = sizeof text - 1};
  session_bound(s, 3, 0);
  cr_assert_not(session_edit_all(s, &e, 1, session_read_fragment, &out, &failure));
  cr_assert(failure.status == SHAPE_SIZE && failure.ops == 4 && failure.edit == ID_NONE);
  cr_assert_eq(session_version(s), 1);
  session_bound(s, 4, 0);
  cr_assert(session_edit_all(s, &e, 1, session_read_fragment, &out, &failure));
  session_bound(s, 0, 1);
  e = (session_edit){.kind = EDIT_RETYPE, .value = A, .text = WIDE, .length = sizeof WIDE - 1};
  cr_assert_not(session_edit_all(s, &e, 1, session_read_fragment, &out, &failure));
  cr_assert(failure.rank == 2 && failure.edit == 0);
  session_free(s);
}

Test(session_open, a_stopped_call_changes_nothing) {
  session_core *s = session_of(SUM);
  atomic_int stop = SHAPE_CANCELLED;
  session_changes out;
  session_failure failure;
  session_edit e = {.kind = EDIT_REWIRE, .value = X, .with = A };
  session_watch(s, &stop, NULL);
  cr_assert_not(session_edit_all(s, &e, 1, session_read_fragment, &out, &failure));
  cr_assert_eq(failure.status, SHAPE_CANCELLED);
  session_watch(s, NULL, NULL);
  cr_assert_eq(session_version(s), 1);
  expect_fresh(s);
  session_free(s);
}

Test(session_open, levels_nest_and_end) {
  session_core *s = session_of(SUM);
  session_changes out;
  session_failure failure;
  static const graph_assumption first = {.text = "arg0.0 == 8", .length = 11, .span = SPAN_NONE},
                                second = {.text = "arg0.1 == 0", .length = 11, .span = SPAN_NONE};
  cr_assert(session_push(s, &first, 1, &out, &failure));
  cr_assert(session_push(s, &second, 1, &out, &failure));
  cr_assert(session_push(s, NULL, 0, &out, &failure));
  cr_assert_eq(session_depth(s), 3);
  cr_assert_str_eq(session_dim(s, "y", 0), "8");
  cr_assert_str_eq(session_dim(s, "y", 1), "0");
  uint32_t count;
  session_pushed(s, &count);
  cr_assert_eq(count, 2);
  for (uint32_t left = 3; left-- > 0;) {
    cr_assert(session_pop(s, &out, &failure));
    cr_assert_eq(session_depth(s), left);
    expect_fresh(s);
  }
  cr_assert_str_eq(session_dim(s, "y", 0), "S0");
  cr_assert_not(session_pop(s, &out, &failure));
  cr_assert_eq(failure.status, SHAPE_INVALID);
  cr_assert_str_eq(failure.message, "nothing was pushed");
  session_free(s);
}

static const char *asked(session_core *s, session_query_kind kind, const char *text) {
  static char answer[256];
  session_reply reply;
  session_failure failure;
  if (!session_ask(s, kind, text, strlen(text), &reply, &failure)) {
    snprintf(answer, sizeof answer, "%s", failure.message);
  } else if (kind == ASK_BOUNDS) {
    snprintf(answer, sizeof answer, "%s%s", reply.bounds.has_lo ? "lo" : "",
             reply.bounds.has_hi ? " hi" : "");
  } else if (kind == ASK_SIMPLIFY) {
    snprintf(answer, sizeof answer, "%s", reply.text);
  } else {
    snprintf(answer, sizeof answer, "%d, %u reasons", (int)reply.answer.answer, reply.reason_count);
  }
  return answer;
}

Test(session_open, queries_name_dims_in_each_way) {
  session_core *s = session_of(SUM);
  static const char *const SAME[] = {"v0.0", "arg1.0", "%a.0", "%x.0", "v3.0", "S0"};
  char text[64];
  for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) {
    cr_expect_str_eq(asked(s, ASK_SIMPLIFY, SAME[i]), "S0", "%s", SAME[i]);
    snprintf(text, sizeof text, "%s == v1.0", SAME[i]);
    char want[32];
    snprintf(want, sizeof want, "%d, 0 reasons", SHAPE_YES);
    cr_expect_str_eq(asked(s, ASK_HOLDS, text), want, "%s", text);
  }
  static const struct {
    const char *text, *want;
  } wrong[] = {{"v0.2", "unknown symbol 'v0.2'"},
               {"v9.0", "unknown symbol 'v9.0'"},
               {"v4294967296.0", "unknown symbol 'v4294967296.0'"},
               {"v0.", "unknown symbol 'v0.'"},
               {"S9", "unknown symbol 'S9'"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    cr_expect_str_eq(asked(s, ASK_SIMPLIFY, wrong[i].text), wrong[i].want);
  session_free(s);
}

Test(session_open, an_answer_has_the_reasons_that_it_needs) {
  session_core *s = session_of(SUM);
  session_reply reply;
  session_failure failure;
  cr_assert(session_ask(s, ASK_WHY, "v0.0 == v1.0", 12, &reply, &failure));
  cr_assert(reply.answer.answer == SHAPE_YES && reply.reason_count == 1);
  cr_assert_eq(reply.reasons[0].op, ADD);
  cr_assert(session_ask(s, ASK_WHY, "v0.0 == v0.1", 12, &reply, &failure));
  cr_assert(reply.answer.answer == SHAPE_UNKNOWN && reply.reason_count == 0);
  cr_assert(session_ask(s, ASK_WHY, "v0.0 < 0", 8, &reply, &failure));
  cr_assert_eq(reply.answer.answer, SHAPE_NO);
  session_free(s);
}

Test(session_open, addresses) {
  session_core *s = session_of(SUM);
  value_id value;
  uint32_t axis;
  cr_assert_null(session_address(s, "%x", 2, &value, &axis));
  cr_assert(value == X && axis == ID_NONE);
  cr_assert_null(session_address(s, "%y.1", 4, &value, &axis));
  cr_assert(value == Y && axis == 1);
  cr_assert_not_null(session_address(s, "%q", 2, &value, &axis));
  cr_assert(value == VALUE_NONE && axis == ID_NONE);
  cr_assert_eq(session_address_op(s, "%y", 2), ABS);
  cr_assert_eq(session_address_op(s, "%q", 2), ID_NONE);
  session_free(s);
}
