// SPDX-License-Identifier: Apache-2.0
// Edits of what an analysis begins with: declarations and arguments. Each is followed, and says what a fresh analysis says.
#include <stdio.h>

#include "tests/unit/session/fixture.h"

enum { B, C };  // rows of the program and of the run

#define AXES(a, b) "{\"dtype\":\"f32\",\"dims\":[" a "," b "]}"
static const char NAMES[] =
    "{\"symbols\":[{\"name\":\"B\"},{\"name\":\"C\"}],\"functions\":[{\"name\":\"main\","
    "\"arguments\":[\"a\"," AXES("\"C\"", "\"B\"") ",\"b\"," AXES(
        "null", "null") "],\"ops\":["
                        "[\"stablehlo.abs\",[\"a\"],[\"x\"," AXES(
                            "null", "null") "]],"
                                            "[\"func.return\",[\"x\"]]]}]}";

static void followed(session_core *s, session_edit e) {
  session_changes out = session_done(s, e);
  cr_assert_not(out.whole, "%s", e.text);
  expect_fresh(s);
}

// "3..8", or why the name is refused.
static const char *range_of(session_core *s, const char *name) {
  static char text[256];
  session_reply reply;
  session_failure failure;
  if (session_ask(s, ASK_BOUNDS, name, strlen(name), &reply, &failure))
    snprintf(text, sizeof text, "%d..%d", (int)reply.bounds.lo.small, (int)reply.bounds.hi.small);
  else
    snprintf(text, sizeof text, "%s", failure.message);
  return text;
}

static session_core *named(void) {
  session_core *s = session_of(NAMES);
  cr_assert_str_eq(session_dim(s, "x", 0), "C");
  return s;
}

Test(session_given, rows_are_those_of_the_program_in_its_order) {
  session_core *s = named();
  cr_assert_eq(s->run.rows.count, 2);
  for (uint32_t row = B; row <= C; row++) {
    const run_row *r = &s->run.rows.items[row];
    cr_assert(r->program == row && r->rank == row && r->visible && !r->outside);
    cr_assert_neq(r->uses, ID_NONE);  // by the type of a
  }
  session_free(s);
}

Test(session_given, a_declaration_says_more_and_less) {
  session_core *s = named();
  followed(s, (session_edit){.kind = EDIT_SYMBOL, .text = "{\"name\":\"B\",\"min\":3,\"max\":8}"});
  cr_assert_str_eq(range_of(s, "B"), "3..8");
  followed(s, (session_edit){.kind = EDIT_SYMBOL, .text = "{\"name\":\"B\",\"min\":5,\"max\":5}"});
  cr_assert_str_eq(session_dim(s, "x", 1), "5");
  followed(s, (session_edit){.kind = EDIT_SYMBOL, .text = "{\"name\":\"B\"}"});
  cr_assert_str_eq(session_dim(s, "x", 1), "B");
  session_free(s);
}

// B is declared no longer: types still name it, so it is there, after C.
Test(session_given, a_name_without_a_declaration_comes_last) {
  session_core *s = named();
  cr_assert_not(session_done(s, (session_edit){.kind = EDIT_REMOVE_SYMBOL, .text = "B"}).whole);
  cr_assert_str_eq(session_dim(s, "x", 1), "B");
  cr_assert(s->run.rows.items[C].rank == 0 && s->run.rows.items[B].rank == 1);
  cr_assert_eq(s->run.rows.undeclared, 1);
  followed(s, (session_edit){.kind = EDIT_ASSUME, .text = "B == C"});
  cr_assert_str_eq(session_dim(s, "x", 1), "C");
  session_free(s);
}

// And where no type names it any more, predicates do not find it.
Test(session_given, a_name_that_nothing_uses_is_gone) {
  session_core *s = named();
  followed(s, (session_edit){.kind = EDIT_REMOVE_SYMBOL, .text = "B"});
  session_edit other = {.kind = EDIT_RETYPE, .value = 0, .text = AXES("\"C\"", "7")};
  uint32_t row = copy_of(&s->run.copier.symbols, B);
  cr_assert(s->run.rows.items[row].visible);
  cr_assert_not(session_done(s, other).whole);
  cr_assert_not(s->run.rows.items[row].visible);
  cr_assert_str_eq(range_of(s, "B"), "unknown symbol 'B'");
  followed(s, (session_edit){.kind = EDIT_RETYPE, .value = 1, .text = AXES("\"B\"", "null")});
  cr_assert_str_eq(session_dim(s, "b", 0), "B");
  session_free(s);
}

Test(session_given, an_edit_brings_a_name_along) {
  session_core *s = named();
  followed(s, (session_edit){.kind = EDIT_INSERT_ARGUMENT,
                             .value = VALUE_NONE,
                             .name = "c",
                             .name_length = 1,
                             .text = AXES("\"D\"", "\"B\"")});
  cr_assert_str_eq(session_dim(s, "c", 0), "D");
  cr_assert_str_eq(session_dim(s, "c", 1), "B");
  cr_assert(s->run.rows.count == 3 && s->run.rows.items[2].undeclared);
  followed(s, (session_edit){.kind = EDIT_SYMBOL, .text = "{\"name\":\"D\",\"min\":2,\"max\":2}"});
  cr_assert_str_eq(session_dim(s, "c", 0), "2");
  session_free(s);
}

// A dim that stays dynamic keeps its symbol, whatever the other axes become.
Test(session_given, an_argument_of_another_type_keeps_its_symbols) {
  session_core *s = named();
  const char *first = arena_strndup(&s->arena, session_dim(s, "b", 1), 2);
  followed(s, (session_edit){.kind = EDIT_RETYPE, .value = 1, .text = AXES("0", "null")});
  cr_assert_str_eq(session_dim(s, "b", 0), "0");
  cr_assert_str_eq(session_dim(s, "b", 1), first);
  session_free(s);
}

// Several ranges, names of expressions: not one by one.
Test(session_given, what_is_declared_otherwise_in_these_ways_is_analysed_whole) {
  static const char *const TEXTS[] = {"{\"name\":\"B\",\"ranges\":[[0,2],[5,7]]}",
                                      "{\"name\":\"E\",\"def\":\"B + 1\"}"};
  session_changes out;
  session_failure failure;
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    session_core *s = named();
    session_edit e = {.kind = EDIT_SYMBOL, .text = TEXTS[i], .length = strlen(TEXTS[i])};
    if (session_edit_all(s, &e, 1, session_read_fragment, &out, &failure))
      cr_expect(out.whole, "%s", TEXTS[i]);
    else
      cr_expect_fail("%s: %s", TEXTS[i], failure.message);
    expect_fresh(s);
    session_free(s);
  }
}
