// SPDX-License-Identifier: Apache-2.0
// What was stated about some symbols is solved again, and nothing else: what comes out is what a fresh analysis says.
#include "solver/session/affected.h"

#include "tests/unit/session/fixture.h"

enum { ADD, ABS, RETURN };
enum { A0, A1, B0, B1 };  // symbols of SUM

static session_changes followed(session_core *s, session_edit e) {
  session_changes out = session_done(s, e);
  cr_assert_not(out.whole, "%s", e.text);
  expect_fresh(s);
  return out;
}

static session_edit assume(const char *text) {
  return (session_edit){.kind = EDIT_ASSUME, .text = text};
}

static session_edit retract(const char *text) {
  return (session_edit){.kind = EDIT_RETRACT, .text = text};
}

Test(session_resolve, assumptions_come_and_go_in_any_order) {
  session_core *s = session_of(SUM);
  followed(s, assume("arg0.0 == 2*arg0.1"));
  cr_assert_str_eq(session_dim(s, "y", 0), "2*S1");
  followed(s, assume("arg1.1 == 3"));
  cr_assert_str_eq(session_dim(s, "y", 0), "6");
  followed(s, retract("arg0.0 == 2*arg0.1"));
  cr_assert_str_eq(session_dim(s, "y", 0), "S0");
  cr_assert_str_eq(session_dim(s, "a", 1), "3");
  followed(s, retract("arg1.1 == 3"));
  cr_assert_str_eq(session_dim(s, "a", 1), "S1");
  session_free(s);
}

// What contradicts the program is refuted, says so, and leaves the rest as it is; so does what is not understood.
Test(session_resolve, an_assumption_that_says_nothing_has_a_diagnostic) {
  static const char *const TEXTS[] = {"arg0.0 < 0", "no_such_name == 3", "1 == 2"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    session_core *s = session_of(SUM);
    session_changes out = followed(s, assume(TEXTS[i]));
    cr_assert_eq(out.appeared.count, 1, "%s", TEXTS[i]);
    cr_assert_eq(out.value_count, 0);
    cr_assert_eq(followed(s, retract(TEXTS[i])).vanished.count, 1);
    session_free(s);
  }
}

// Of a class that two operations connect, what one of them said is forgotten with it.
Test(session_resolve, what_an_operation_stated_goes_with_it) {
  session_core *s = session_of(SUM);
  cr_assert_str_eq(session_dim(s, "y", 0), "S0");
  session_changes out = followed(s, (session_edit){.kind = EDIT_REMOVE, .op = ADD});
  cr_assert(out.value_count > 0);
  cr_assert_str_neq(session_dim(s, "y", 0), session_dim(s, "a", 0));
  followed(s, (session_edit){.kind = EDIT_INSERT,
                             .op = RETURN,
                             .text = "[\"stablehlo.add\",[\"a\",\"b\"],[\"z\"," WIDE "]]"});
  cr_assert_str_eq(session_dim(s, "y", 0), "S0");
  session_free(s);
}

// A class is taken once, with all of its members, and what was known of it is stated again.
Test(session_resolve, a_class_is_solved_as_a_whole) {
  session_core *s = session_of(SUM);
  change_list out = {0};
  affected c = {.s = s, .out = &out};
  transaction_begin(&s->change);
  cr_assert(resolve_symbol(&c, B0));
  cr_assert(c.again && c.symbol_count == 2);
  cr_assert(resolve_symbol(&c, A0));
  cr_assert_eq(c.symbol_count, 2);
  cr_assert(class_symbol(s, class_of(s, A0))->solving &&
            !class_symbol(s, class_of(s, A1))->solving);
  cr_assert(resolve_again(&c));
  cr_assert(!c.again && c.heap[0] == ADD);  // that asked about it
  predicate same = predicate_make(REL_EQ, store_symbol_term(s->run.infer->store, A0),
                                  store_symbol_term(s->run.infer->store, B0));
  cr_assert_eq(store_holds(s->run.infer->store, same), SHAPE_UNKNOWN);  // ADD says it anew
  session_free(s);
}

Test(session_resolve, what_is_fixed_is_not_solved_again) {
  session_core *s = session_of(SUM);
  affected c = {.s = s};
  class_symbol(s, A0)->fixed = true;
  cr_assert_not(resolve_symbol(&c, B0));
  c = (affected){.s = s};
  cr_assert(resolve_symbol(&c, B1));
  class_symbol(s, class_of(s, B1))->solving = false;
  class_symbol(s, class_of(s, B1))->late = true;
  cr_assert_not(resolve_symbol(&c, B1));
  session_free(s);
}

Test(session_resolve, an_undone_beginning_leaves_no_mark) {
  session_core *s = session_of(SUM);
  affected c = {.s = s};
  transaction_begin(&s->change);
  cr_assert(resolve_symbol(&c, A0) && resolve_symbol(&c, A1));
  resolve_undo(&c);
  for (uint32_t i = A0; i <= B1; i++)
    cr_assert_not(class_symbol(s, class_of(s, i))->solving, "symbol %u", i);
  session_free(s);
}
