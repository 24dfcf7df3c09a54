// SPDX-License-Identifier: Apache-2.0
// Sessions by their C interface: what an edit visits, what it says, what a failed one leaves, what a pop takes up again.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/api/session_program.h"
#include "solver/ops/registry.h"
#include "solver/session/state.h"
#include "tests/support/session_find.h"
#include "tests/unit/session/fixture.h"

// a and b are added; then come `ops` operations in a row, %v0, %v1, ..., each on the one before.
static void open_into(session_core *s, unsigned ops) {
  static char text[1 << 18];
  size_t n = (size_t)snprintf(text, sizeof text,
                              "{\"functions\":[{\"name\":\"main\",\"arguments\":[\"a\"," WIDE
                              ",\"b\"," WIDE
                              "],\"ops\":[[\"stablehlo.add\",[\"a\",\"b\"],[\"v0\"," WIDE "]],");
  for (unsigned i = 1; i <= ops; i++)
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "[\"stablehlo.abs\",[\"v%u\"],[\"v%u\"," WIDE "]],", i - 1, i);
  n += (size_t)snprintf(text + n, sizeof text - n, "[\"func.return\",[\"v%u\"]]]}]}", ops);
  session_open_text(s, text);
}

static session_core *opened(unsigned ops, session_limits limits) {
  session_core *s = session_new(&limits);
  open_into(s, ops);
  return s;
}

static session_core *small(unsigned ops) { return opened(ops, (session_limits){0}); }

static bool edit(session_core *s, session_edit e, session_changes *out, session_failure *failure) {
  if (e.text) e.length = strlen(e.text);
  return session_edit_all(s, &e, 1, session_read_fragment, out, failure);
}

static session_changes done(session_core *s, session_edit e) {
  session_changes out;
  session_failure failure;
  cr_assert(edit(s, e, &out, &failure), "%s", failure.message);
  return out;
}

static void expect_dim(const session_core *s, value_id v, uint32_t axis, const char *text) {
  const session_shape *shape = session_shape_of(s, session_value_shape(s, v));
  cr_assert(shape && shape->rank > axis && shape->dims[axis], "value %u has no such size", v);
  cr_assert_str_eq(shape->dims[axis], text);
}

static session_edit transpose(op_id op) {
  return (session_edit){.kind = EDIT_REPLACE,
                        .op = op,
                        .text = "[\"stablehlo.transpose\",[\"a\"],[\"x\",\"tensor<4x?xf32>\"],"
                                "{\"permutation\":[1,0]}]"};
}

Test(session, an_edit_visits_what_depends_on_it) {
  session_core *s = small(100);
  session_edit e = {
      .kind = EDIT_REPLACE, .op = 51, .text = "[\"my.unknown\",[\"v50\"],[\"x\"," WIDE "]]"};
  session_changes out = done(s, e);
  cr_assert(!out.whole && out.appeared.count == 1);  // it has no rule
  e.text = "[\"stablehlo.negate\",[\"v50\"],[\"x\"," WIDE "]]";
  out = done(s, e);
  cr_assert(!out.whole && out.vanished.count == 1);
  expect_fresh(s);
  e.op = 30;
  e.text = "[\"stablehlo.negate\",[\"v29\"],[\"x\"," WIDE "]]";
  out = done(s, e);
  cr_assert(!out.whole && out.visited <= 2 && !out.value_count);
  expect_fresh(s);
  session_free(s);
}

// The first operation is |b|, or there is that one before it.
static session_changes begin_with_abs(session_core *s, session_edit_kind kind) {
  return done(s, (session_edit){.kind = kind,
                                .op = 0,
                                .text = "[\"stablehlo.abs\",[\"b\"],[\"x\"," WIDE "]]"});
}

Test(session, edits_before_facts_are_followed_too) {
  session_core *s = small(3);
  session_changes out = begin_with_abs(s, EDIT_INSERT);
  cr_assert(!out.whole && out.visited == 1 && out.value_count == 1);
  expect_dim(s, out.values[0].value, 0, "S0");  // by the addition that comes later
  expect_fresh(s);
  session_free(s);
}

Test(session, what_stated_a_fact_is_solved_again) {
  session_core *s = small(3);
  session_changes out = begin_with_abs(s, EDIT_REPLACE);
  cr_assert(!out.whole && out.visited <= 5);
  expect_dim(s, 0, 0, "S0");
  expect_dim(s, 1, 0, "S1");
  expect_fresh(s);
  session_free(s);
}

// The first of two unknown dims represents both, also where it was inserted later.
Test(session, what_comes_first_in_the_program_stands_for_both) {
  const char *text =
      "{\"functions\":[{\"name\":\"main\",\"arguments\":[\"n\",\"tensor<f32>\"],\"ops\":["
      "[\"stablehlo.convert\",[\"n\"],[\"q\",\"tensor<i32>\"]],"
      "[\"stablehlo.reshape\",[\"q\"],[\"q1\",\"tensor<1xi32>\"]],"
      "[\"stablehlo.dynamic_iota\",[\"q1\"],[\"y\",\"tensor<?xf32>\"],{\"iota_dimension\":0}],"
      "[\"func.return\",[\"y\"]]]}]}";
  static const char *const INSERTED[] = {
      "[\"stablehlo.convert\",[\"n\"],[\"p\",\"tensor<i32>\"]]",
      "[\"stablehlo.reshape\",[\"p\"],[\"p1\",\"tensor<1xi32>\"]]",
      "[\"stablehlo.dynamic_iota\",[\"p1\"],[\"x\",\"tensor<?xf32>\"],{\"iota_dimension\":0}]"};
  session_limits limits = {0};
  session_core *s = session_new(&limits);
  session_changes out;
  session_open_text(s, text);
  for (int i = 0; i < 3; i++) {
    out = done(s, (session_edit){.kind = EDIT_INSERT, .op = 0, .text = INSERTED[i]});
    cr_assert_not(out.whole, "%d", i);
  }
  out = done(s,
             (session_edit){.kind = EDIT_INSERT,
                            .op = 3,
                            .text = "[\"stablehlo.add\",[\"x\",\"y\"],[\"z\",\"tensor<?xf32>\"]]"});
  cr_assert_not(out.whole);
  const session_shape *x =
      session_shape_of(s, session_value_shape(s, session_find_value(s, "main", "x")));
  expect_dim(s, session_find_value(s, "main", "y"), 0, x->dims[0]);
  expect_fresh(s);
  session_free(s);
}

// What a block says holds in a scope of its own, which an edit does not enter.
Test(session, blocks_are_analysed_whole) {
  const char *text =
      "func.func @main(%p: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %x = stablehlo.abs %a : tensor<?xf32>\n  cf.cond_br %p, ^one, ^two\n"
      "^one:\n  %y = stablehlo.add %x, %b : tensor<?xf32>\n  cf.br ^two\n"
      "^two:\n  return %x : tensor<?xf32>\n}\n";
  session_limits limits = {0};
  session_core *s = session_new(&limits);
  session_changes out;
  session_failure failure;
  session_open_text(s, text);
  session_edit e = {.kind = EDIT_REPLACE,
                    .op = 2,
                    .text = "[\"stablehlo.multiply\",[\"x\",\"b\"],[\"z\",\"tensor<?xf32>\"]]"};
  out = done(s, e);
  cr_assert(out.whole);
  expect_dim(s, 2, 0, "S1");
  expect_fresh(s);
  e.op = 0;
  e.text = "[\"stablehlo.abs\",[\"b\"],[\"z\",\"tensor<?xf32>\"]]";
  out = done(s, e);
  cr_assert(out.whole);
  expect_fresh(s);
  e.op = 1;
  e.text = "[\"cf.br\",[],[]]";
  cr_assert(!edit(s, e, &out, &failure));
  cr_assert_str_eq(failure.message, "an operation that names blocks is not replaced");
  expect_fresh(s);
  session_free(s);
}

Test(session, arguments_come_and_go) {
  session_core *s = small(3);
  session_changes out = done(s, (session_edit){.kind = EDIT_INSERT_ARGUMENT,
                                               .value = 0,
                                               .text = "\"tensor<?x7xf32>\"",
                                               .name = "c",
                                               .name_length = 1});
  value_id c = out.arguments[0];
  cr_assert_eq(session_find_value(s, "main", "c"), c);
  expect_dim(s, 0, 0, "S0");  // it keeps its name, though it is the second argument now
  expect_dim(s, c, 1, "7");
  cr_assert_not(out.whole);
  session_failure failure;
  done(s, (session_edit){.kind = EDIT_INSERT,
                         .op = 0,
                         .text = "[\"stablehlo.abs\",[\"c\"],[\"x\",\"tensor<?x7xf32>\"]]"});
  session_edit gone = {.kind = EDIT_REMOVE_ARGUMENT, .value = c};
  cr_assert_not(edit(s, gone, &out, &failure));
  cr_assert_str_eq(failure.message, "operation 5 uses value 6");
  expect_fresh(s);
  session_edit both[2] = {{.kind = EDIT_REMOVE, .op = 5}, gone};
  cr_assert(session_edit_all(s, both, 2, session_read_fragment, &out, &failure));
  cr_assert_not(out.whole);
  cr_assert_not(session_has_value(s, c));
  expect_dim(s, 0, 0, "S0");
  gone.value = 1;
  cr_assert_not(edit(s, gone, &out, &failure));
  gone.value = 3;
  cr_assert_not(edit(s, gone, &out, &failure));
  cr_assert_str_eq(failure.message, "value 3 is no argument of a function");
  expect_fresh(s);
  session_free(s);
}

// arg0.0 is another size where an argument comes before the first.
Test(session, assumptions_name_arguments_by_their_positions) {
  session_core *s = small(3);
  done(s, (session_edit){.kind = EDIT_ASSUME, .text = "arg0.0 == 8"});
  expect_dim(s, 1, 0, "8");
  session_edit e = {.kind = EDIT_INSERT_ARGUMENT, .value = 0, .text = "\"tensor<?x7xf32>\""};
  session_changes out = done(s, e);
  value_id first = out.arguments[0];
  cr_assert_not(out.whole);
  expect_dim(s, first, 0, "8");
  expect_dim(s, 1, 0, "S0");
  expect_fresh(s);
  done(s, (session_edit){.kind = EDIT_REMOVE_ARGUMENT, .value = first});
  expect_dim(s, 1, 0, "8");
  expect_fresh(s);
  session_free(s);
}

Test(session, bindings_name_arguments_by_their_positions) {
  const char *text =
      "{\"functions\":[{\"name\":\"main\",\"arguments\":[\"a\"," WIDE ",\"b\"," WIDE "],\"ops\":["
      "[\"stablehlo.abs\",[\"b\"],[\"x\"," WIDE "]],[\"func.return\",[\"x\"]]]}]}";
  session_limits limits = {0};
  session_core *s = session_new(&limits);
  session_source source = {.text = text, .length = strlen(text)};
  infer_binding bindings[] = {{.name = "arg0.0", .name_length = 6, .value = 8},
                              {.name = "arg1.0", .name_length = 6, .value = 9}};
  session_start start = {
      .read = session_read_program, .data = &source, .bindings = bindings, .binding_count = 2};
  session_failure failure;
  cr_assert(session_open(s, &start, &failure), "%s", failure.message);
  session_edit e = {
      .kind = EDIT_INSERT_ARGUMENT, .value = 1, .text = "\"tensor<?x7xf32>\"", .after = false};
  session_changes out = done(s, e);
  value_id made = out.arguments[0];
  cr_assert_not(out.whole);
  expect_dim(s, 0, 0, "8");
  expect_dim(s, made, 0, "9");
  expect_dim(s, 1, 0, "S0");
  expect_fresh(s);
  session_free(s);
}

Test(session, an_argument_of_another_type_keeps_the_sizes_that_stay) {
  session_core *s = small(3);
  session_edit e = {.kind = EDIT_RETYPE, .value = 0, .text = "\"tensor<5x4xf32>\""};
  session_changes out = done(s, e);
  cr_assert_not(out.whole);
  expect_dim(s, 1, 0, "5");
  e.text = WIDE;
  cr_assert_not(done(s, e).whole);
  expect_dim(s, 0, 0, "S0");
  expect_fresh(s);
  session_free(s);
}

#define NAMED(a, b) "{\"dtype\":\"f32\",\"dims\":[\"" a "\",\"" b "\"]}"
static const char DECLARED[] =
    "{\"symbols\":[{\"name\":\"B\"},{\"name\":\"C\"}],\"functions\":[{\"name\":\"main\","
    "\"arguments\":["
    "\"a\"," NAMED("B", "C") ",\"b\",\"tensor<?x?xf32>\"],\"ops\":["
                             "[\"stablehlo.abs\",[\"a\"],[\"x\",\"tensor<?x?xf32>\"]],"
                             "[\"stablehlo.add\",[\"x\",\"b\"],[\"y\",\"tensor<?x?xf32>\"]],["
                             "\"func.return\",[\"y\"]]]}]}";

Test(session, a_declaration_is_solved_again) {
  session_core *s = session_of(DECLARED);
  session_reply reply;
  session_failure failure;
  session_edit e = {.kind = EDIT_SYMBOL,
                    .text = "{\"name\":\"B\",\"min\":3,\"max\":9,\"divisible_by\":4}"};
  session_changes out = done(s, e);
  cr_assert_not(out.whole);
  cr_assert(session_ask(s, ASK_HOLDS, "v1.0 % 4 == 0", 13, &reply, &failure));
  cr_assert_eq(reply.answer.answer, SHAPE_YES);
  e.text = "{\"name\":\"B\",\"min\":6,\"max\":6}";
  cr_assert_not(done(s, e).whole);
  expect_dim(s, session_find_value(s, "main", "y"), 0, "6");
  expect_fresh(s);
  session_free(s);
}

// Nothing is analysed where no function has a body; what is declared has a name and a range all the same.
Test(session, a_program_of_declarations_is_opened_and_edited) {
  session_core *s =
      session_of("{\"symbols\":[{\"name\":\"B\",\"min\":1}],\"functions\":[{\"name\":\"main\","
                 "\"arguments\":[\"a\"," NAMED("B", "B") "],\"results\":[\"tensor<?xf32>\"]}]}");
  expect_fresh(s);
  session_changes out;
  session_failure failure;
  edit(s, (session_edit){.kind = EDIT_SYMBOL, .text = "{\"name\":\"B\",\"min\":2}"}, &out,
       &failure);
  edit(s, (session_edit){.kind = EDIT_SYMBOL, .text = "{\"name\":\"C\"}"}, &out, &failure);
  edit(s, (session_edit){.kind = EDIT_ASSUME, .text = "B % 2 == 0"}, &out, &failure);
  edit(s, transpose(0), &out, &failure);
  edit(s, (session_edit){.kind = EDIT_REMOVE_ARGUMENT, .value = 0}, &out, &failure);
  expect_fresh(s);
  session_free(s);
}

// Once B is declared no more, C comes before it: where both are equal it represents both.
Test(session, a_name_that_lost_its_declaration_comes_behind_others) {
  session_core *s = session_of(DECLARED);
  done(s, (session_edit){.kind = EDIT_ASSUME, .text = "B == C"});
  expect_dim(s, 0, 1, "B");
  session_edit gone = {.kind = EDIT_REMOVE_SYMBOL, .text = "B"};
  session_changes out = done(s, gone);
  cr_assert_not(out.whole);
  expect_dim(s, 0, 0, "C");
  expect_fresh(s);
  // Nothing names B then: the assumption cannot be read.
  session_edit e = {.kind = EDIT_RETYPE, .value = 0, .text = "\"tensor<?x?xf32>\""};
  out = done(s, e);
  cr_assert_eq(out.appeared.count, 1);
  expect_fresh(s);
  session_free(s);
}

static bool knows(session_core *s, const char *name) {
  session_reply reply;
  session_failure failure;
  return session_ask(s, ASK_BOUNDS, name, strlen(name), &reply, &failure);
}

static void expect_gone(session_core *s, session_edit e, const char *name) {
  cr_assert(knows(s, name));
  cr_assert_not(done(s, e).whole);
  cr_assert_not(knows(s, name));
  expect_fresh(s);
}

// Queries about a name that is no size of the program any more are not understood, as in a session that begins there.
Test(session, names_go_with_what_made_them) {
  session_core *s = session_of(DECLARED);
  session_edit e = {.kind = EDIT_RETYPE, .value = 0, .text = "\"tensor<?x?xf32>\""};
  cr_assert(knows(s, "B"));
  done(s, e);
  cr_assert(knows(s, "B"));
  expect_gone(s, (session_edit){.kind = EDIT_REMOVE_SYMBOL, .text = "B"}, "B");
  session_free(s);

  s = small(3);
  done(s, (session_edit){.kind = EDIT_INSERT_ARGUMENT, .value = 0, .text = "\"tensor<?x7xf32>\""});
  e = (session_edit){
      .kind = EDIT_INSERT,
      .op = 0,
      .text =
          "[\"stablehlo.custom_call\",[],[\"z\",\"tensor<?xf32>\"],{\"call_target_name\":\"f\"}]"};
  done(s, e);
  expect_dim(s, 6, 0, "S1");
  expect_dim(s, 7, 0, "S2");
  expect_gone(s, (session_edit){.kind = EDIT_REMOVE_ARGUMENT, .value = 6}, "S1");
  cr_assert(knows(s, "S0") && knows(s, "S2"));
  expect_gone(s, (session_edit){.kind = EDIT_REMOVE, .op = 5}, "S2");
  cr_assert(knows(s, "S0"));
  session_free(s);
}

Test(session, a_declaration_may_come_and_go_at_once) {
  session_core *s = small(3);
  session_changes out;
  session_failure failure;
  const char *row = "{\"name\":\"K\",\"max\":4}";
  session_edit both[] = {{.kind = EDIT_SYMBOL, .text = row, .length = strlen(row)},
                         {.kind = EDIT_REMOVE_SYMBOL, .text = "K", .length = 1}};
  cr_assert(session_edit_all(s, both, 2, session_read_fragment, &out, &failure));
  cr_assert_not(out.whole);
  expect_fresh(s);
  session_free(s);
}

Test(session, a_new_name_in_a_type_is_a_symbol) {
  session_core *s = small(3);
  session_edit e = {.kind = EDIT_RETYPE, .value = 0, .text = NAMED("N", "M")};
  done(s, e);
  expect_fresh(s);
  e.text = "{\"dtype\":\"f32\",\"dims\":[\"K\",4]}";
  session_changes out = done(s, e);
  cr_assert_not(out.whole);
  expect_dim(s, 1, 0, "K");
  expect_fresh(s);
  out = done(s, (session_edit){.kind = EDIT_SYMBOL, .text = "{\"name\":\"K\",\"max\":0}"});
  cr_assert_not(out.whole);
  expect_dim(s, 1, 0, "0");
  expect_fresh(s);
  session_free(s);
}

// The sum is undecided at first, as %p may have size 1. That it has at least 3 is stated after it, so the rule runs again
// at the end, and only then %p has size 5: which element is taken before is not known, and is not when that is edited.
Test(session, what_ran_again_at_the_end_is_unknown_before) {
  session_core *s = session_of(
      "{\"functions\":[{\"name\":\"main\",\"arguments\":[\"p\",\"tensor<?xi32>\",\"q\",\"tensor<"
      "5xi32>\"],\"ops\":["
      "[\"stablehlo.constant\",[],[\"c\",\"tensor<6xi32>\"],"
      "{\"value\":{\"dense\":[1,2,3,4,5,9],\"type\":\"tensor<6xi32>\"}}],"
      "[\"chlo.broadcast_add\",[\"p\",\"q\"],[\"t\",\"tensor<?xi32>\"]],"
      "[\"stablehlo.slice\",[\"p\"],[\"s\",\"tensor<1xi32>\"],{\"start_indices\":[2],\"limit_"
      "indices\":[3],"
      "\"strides\":[1]}],"
      "[\"stablehlo.get_dimension_size\",[\"p\"],[\"n\",\"tensor<i32>\"],{\"dimension\":0}],"
      "[\"tensor.extract\",[\"n\"],[\"k\",\"i32\"]],"
      "[\"arith.index_cast\",[\"k\"],[\"i\",\"index\"]],"
      "[\"tensor.extract\",[\"c\",\"i\"],[\"e\",\"i32\"]],"
      "[\"tensor.from_elements\",[\"e\"],[\"m\",\"tensor<1xi32>\"]],"
      "[\"stablehlo.dynamic_iota\",[\"m\"],[\"v\",\"tensor<?xf32>\"],{\"iota_dimension\":0}],"
      "[\"func.return\",[\"v\"]]]}]}");
  value_id v = session_find_value(s, "main", "v");
  expect_dim(s, 0, 0, "5");
  expect_dim(s, v, 0, "S0");
  done(s, (session_edit){.kind = EDIT_REPLACE,
                         .op = 6,
                         .text = "[\"tensor.extract\",[\"c\",\"i\"],[\"x\",\"i32\"]]"});
  expect_dim(s, v, 0, "S0");
  expect_fresh(s);
  session_free(s);
}

Test(session, changes_name_values_and_shapes) {
  session_core *s = small(5);
  session_changes out = done(s, transpose(5));
  cr_assert_eq(out.value_count, 1);
  cr_assert_eq(out.values[0].value, 7);
  cr_assert_str_eq(session_shape_of(s, out.values[0].before)->type, "tensor<?x4xf32>");
  cr_assert_str_eq(session_shape_of(s, out.values[0].after)->type, "tensor<4x?xf32>");
  expect_dim(s, 7, 1, "S0");
  expect_fresh(s);
  session_free(s);
}

Test(session, failures_leave_everything) {
  session_core *s = small(4);
  uint64_t version = session_version(s);
  session_changes out;
  session_failure failure;
  session_edit two[2] = {transpose(2), {.kind = EDIT_REMOVE, .op = 3}};
  two[0].length = strlen(two[0].text);
  cr_assert_not(session_edit_all(s, two, 2, session_read_fragment, &out, &failure));
  cr_assert_eq(failure.status, SHAPE_INVALID);
  cr_assert_not(edit(s, (session_edit){.kind = EDIT_REMOVE, .op = 77}, &out, &failure));
  cr_assert_eq(failure.edit, 0);
  cr_assert_eq(session_version(s), version);
  expect_fresh(s);
  session_free(s);
}

// --- push and pop

static session_changes pushed(session_core *s, const char *text) {
  session_changes out;
  session_failure failure;
  graph_assumption a = {.text = text, .length = (uint32_t)strlen(text), .span = SPAN_NONE};
  cr_assert(session_push(s, &a, 1, &out, &failure), "%s", failure.message);
  return out;
}

static session_changes popped(session_core *s) {
  session_changes out;
  session_failure failure;
  cr_assert(session_pop(s, &out, &failure), "%s", failure.message);
  return out;
}

Test(session, a_push_visits_who_asked) {
  session_core *s = small(50);
  session_changes out = pushed(s, "arg0.0 == 3");
  uint32_t changed = out.value_count;
  cr_assert(!out.whole && out.visited == 1);
  cr_assert_eq(changed, 53);
  expect_dim(s, 52, 0, "3");
  out = popped(s);
  cr_assert(!out.whole && out.visited == 1 && out.value_count == changed);
  expect_dim(s, 52, 0, "S0");
  // Edits go on where they were.
  cr_assert_not(done(s, (session_edit){.kind = EDIT_INSERT,
                                       .op = 20,
                                       .text = "[\"stablehlo.abs\",[\"a\"],[\"x\"," WIDE "]]"})
                    .whole);
  expect_fresh(s);
  session_free(s);
}

Test(session, a_pop_takes_up_what_was_before) {
  session_core *s = session_of(BRANCHES);
  value_id x = session_find_value(s, "main", "x");
  cr_assert(pushed(s, "arg1.0 == 5").whole);
  expect_dim(s, x, 0, "5");
  session_changes out = popped(s);
  cr_assert(!out.whole && out.visited == 0 && out.value_count);
  expect_dim(s, x, 0, "S0");
  expect_fresh(s);
  session_free(s);
}

Test(session, a_pop_behind_an_edit_is_analysed_anew) {
  session_core *s = session_of(BRANCHES);
  cr_assert(pushed(s, "arg1.0 == 5").whole);
  done(s, (session_edit){.kind = EDIT_INSERT,
                         .op = 0,
                         .text = "[\"stablehlo.abs\",[\"a\"],[\"y\"," WIDE "]]"});
  cr_assert(popped(s).whole);
  expect_fresh(s);
  session_free(s);
}

Test(session, pushes_nest) {
  session_core *s = small(5);
  pushed(s, "arg0.0 >= 3");
  pushed(s, "arg0.0 <= 3");
  expect_dim(s, 7, 0, "3");
  cr_assert_eq(session_depth(s), 2);
  popped(s);
  expect_dim(s, 7, 0, "S0");
  expect_fresh(s);
  pushed(s, "arg0.0 == 9");
  expect_dim(s, 7, 0, "9");
  popped(s);
  popped(s);
  expect_fresh(s);
  session_changes out;
  session_failure failure;
  cr_assert_not(session_pop(s, &out, &failure));
  cr_assert_eq(failure.status, SHAPE_INVALID);
  session_free(s);
}

Test(session, contradictions_come_and_go) {
  session_core *s = small(2);
  pushed(s, "arg0.0 == 3");
  session_changes out = pushed(s, "arg1.0 == 4");
  cr_assert(!out.whole && out.appeared.count == 1);
  expect_fresh(s);
  out = popped(s);
  cr_assert(!out.whole && out.vanished.count == 1);
  cr_assert_eq(session_diagnostics(s).count, 0);
  expect_fresh(s);
  session_free(s);
}

// --- limits

// An assumption that is not understood says nothing until there is what it names.
Test(session, assumptions_wait_for_their_names) {
  session_core *s = small(2);
  session_edit e = {.kind = EDIT_ASSUME, .text = "B == 3"};
  session_changes out = done(s, e);
  cr_assert(!out.whole && out.appeared.count == 1);
  expect_fresh(s);
  e = (session_edit){.kind = EDIT_SYMBOL, .text = "{\"name\":\"B\",\"min\":1,\"max\":2}"};
  out = done(s, e);
  cr_assert(!out.whole && out.appeared.count == 1 && out.vanished.count == 1);
  expect_fresh(s);
  e.text = "{\"name\":\"B\",\"min\":1,\"max\":4}";
  out = done(s, e);
  cr_assert(!out.whole && !out.appeared.count && out.vanished.count == 1);
  expect_fresh(s);
  session_free(s);
}

static op_id noted(const session_core *s) {
  session_diags diags = session_diagnostics(s);
  return diags.count == 1 ? diags.items[0].op : ID_NONE;
}

Test(session, the_results_of_what_has_no_rule_are_as_its_destinations) {
  session_core *s = small(3);
  session_edit e = {.kind = EDIT_INSERT, .op = 2};
  e.text = "[\"my.op\",[\"b\"],[\"x\"," WIDE "],{\"shaped.destinations\":1}]";
  session_changes out = done(s, e);
  op_id mine = out.inserted[0];
  expect_dim(s, out.values[0].value, 0, "S0");
  expect_fresh(s);
  e = (session_edit){.kind = EDIT_REPLACE, .op = mine};
  e.text = "[\"my.op\",[\"b\"],[\"x\",\"tensor<?x?xf32>\"],{\"shaped.destinations\":1}]";
  done(s, e);
  expect_fresh(s);
  session_free(s);
}

Test(session, the_first_operation_without_a_rule_has_the_note) {
  session_core *s = small(8);
  session_edit e = {.kind = EDIT_INSERT, .op = 6, .text = "[\"my.op\",[\"a\"],[\"x\"," WIDE "]]"};
  op_id later = done(s, e).inserted[0];
  cr_assert_eq(noted(s), later);
  e.op = 2;
  e.text = "[\"my.op\",[\"a\"],[\"y\"," WIDE "]]";
  session_changes out = done(s, e);
  op_id first = out.inserted[0];
  cr_assert(!out.whole && noted(s) == first);
  expect_fresh(s);
  out = done(s, (session_edit){.kind = EDIT_REMOVE, .op = first});
  cr_assert(!out.whole && noted(s) == later);
  expect_fresh(s);
  e = (session_edit){
      .kind = EDIT_REPLACE, .op = later, .text = "[\"my.other\",[\"a\"],[\"x\"," WIDE "]]"};
  cr_assert(!done(s, e).whole && noted(s) == later);
  expect_fresh(s);
  session_free(s);
}

Test(session, an_operation_in_conflict_is_visited_again) {
  session_core *s = small(8);
  session_edit e = {.kind = EDIT_INSERT,
                    .op = 6,
                    .text = "[\"stablehlo.abs\",[\"a\"],[\"x\",\"tensor<?x7xf32>\"]]"};
  session_changes out = done(s, e);  // it has 4
  op_id op = out.inserted[0];
  value_id x = out.values[0].value;  // what a call returns is good until the next one
  cr_assert(!out.whole && noted(s) == op);
  expect_fresh(s);
  e = (session_edit){.kind = EDIT_RETYPE, .value = x, .text = WIDE};
  out = done(s, e);
  cr_assert(!out.whole && out.vanished.count == 1);
  expect_fresh(s);
  session_free(s);
}

Test(session, a_call_that_is_stopped_leaves_the_program) {
  session_core *s = small(4000);
  atomic_int stop = SHAPE_CANCELLED;
  session_changes out;
  session_failure failure;
  graph_assumption a = {.text = "arg0.0 == 3", .length = 11, .span = SPAN_NONE};
  session_watch(s, &stop, NULL);
  cr_assert_not(session_push(s, &a, 1, &out, &failure));
  cr_assert_eq(failure.status, SHAPE_CANCELLED);
  session_watch(s, NULL, NULL);
  cr_assert_eq(session_depth(s), 0);
  expect_dim(s, 4002, 0, "S0");
  expect_fresh(s);
  cr_assert_eq(pushed(s, "arg0.0 == 3").value_count, 4003);
  session_free(s);
}

// Queries do not ask for more than the analysis that there is.
Test(session, a_program_is_analysed_once_for_an_edit) {
  session_core *s = small(2000);
  atomic_uint_least64_t edited = 0, asked = 0;
  session_reply reply;
  session_failure failure;
  session_watch(s, NULL, &edited);
  cr_assert(done(s, (session_edit){.kind = EDIT_INSERT,
                                   .op = 2,
                                   .text = "[\"func.call\",[\"a\"],[\"x\"," WIDE
                                           "],{\"callee\":\"none\"}]"})
                .whole);
  session_watch(s, NULL, &asked);
  cr_assert(session_ask(s, ASK_HOLDS, "v1.0 >= 0", 9, &reply, &failure));
  cr_assert_lt(asked * 10, edited);
  session_watch(s, NULL, NULL);
  session_free(s);
}

Test(session, memory_is_bounded) {
  session_core *s = opened(200, (session_limits){.memory = 4 << 20});
  session_changes out;
  session_failure failure;
  bool full = false;
  for (unsigned i = 0; i < 200000 && !full; i++) {
    session_edit e = {
        .kind = EDIT_INSERT, .op = 100, .text = "[\"stablehlo.abs\",[\"a\"],[\"\"," WIDE "]]"};
    full = !edit(s, e, &out, &failure);
  }
  cr_assert(full);
  cr_assert_eq(failure.status, SHAPE_MEMORY);
  cr_assert_lt(session_bytes(s), (size_t)7 * (4 << 20));
  expect_dim(s, 202, 0, "S0");
  session_free(s);
}

// Edits of each kind, in groups that happen as a whole; the session has 3 operations besides the addition.
#define SIZED(dims) "{\"dtype\":\"f32\",\"dims\":[" dims "]}"
static const session_edit GROUPS[][3] = {
    {{.kind = EDIT_INSERT,
      .op = 1,
      .text = "[\"stablehlo.transpose\",[\"v0\"],[\"r\",\"tensor<4x?xf32>\"],"
              "{\"permutation\":[1,0]}]"}},
    {{.kind = EDIT_INSERT,
      .op = 1,
      .text = "[\"my.op\",[\"v0\"],[\"p\"," SIZED("\"N1\",null") "]]"},
     {.kind = EDIT_REWIRE, .value = 5, .with = 2},
     {.kind = EDIT_REMOVE, .op = 3}},
    {{.kind = EDIT_REPLACE, .op = 1, .text = "[\"my.op\",[\"v0\"],[\"x\",\"tensor<?x?x?xf32>\"]]"},
     {.kind = EDIT_RETYPE, .value = 0, .text = SIZED("\"B2\",4")}},
    {{.kind = EDIT_SYMBOL, .text = "{\"name\":\"B\",\"min\":2}"},
     {.kind = EDIT_INSERT_ARGUMENT,
      .value = 0,
      .text = SIZED("\"B\",\"C7\""),
      .name = "new",
      .name_length = 3},
     {.kind = EDIT_REMOVE_SYMBOL, .text = "B"}},
    {{.kind = EDIT_ASSUME, .text = "arg0.0 == 2*arg1.1"},
     {.kind = EDIT_ASSUME, .text = "mod(arg0.0, 3) == 0"},
     {.kind = EDIT_RETRACT, .text = "mod(arg0.0, 3) == 0"}},
};

static bool edit_group(session_core *s, unsigned group, session_failure *failure) {
  session_edit edits[3];
  session_changes out;
  uint32_t count = 0;
  for (; count < 3 && (GROUPS[group][count].text || GROUPS[group][count].kind); count++) {
    edits[count] = GROUPS[group][count];
    edits[count].length = edits[count].text ? strlen(edits[count].text) : 0;
  }
  return session_edit_all(s, edits, count, session_read_fragment, &out, failure);
}

// The n-th allocation of an edit and all later ones fail; then there is memory again.
Test(session, an_edit_without_memory_leaves_what_was) {
  static const uint64_t NONE = UINT64_MAX;  // each allocation counts, and none fails
  session_limits limits = {0};
  session_failure failure;
  for (unsigned group = 0; group < sizeof GROUPS / sizeof *GROUPS; group++) {
    uint64_t n = 0;
    for (bool good = false; !good;) {
      session_core *s = session_new(&limits);
      s->arena.fault.fail_at = NONE;
      open_into(s, 3);
      const session_core before = *s;
      s->arena.fault = (shape_fault){.fail_at = ++n};
      good = edit_group(s, group, &failure);
      s->arena.fault = (shape_fault){.fail_at = NONE};
      if (!good) {
        cr_assert_eq(failure.status, SHAPE_MEMORY, "group %u: %s", group, failure.message);
        cr_assert_eq(session_version(s), before.doc.version);
        expect_fresh(s);
        cr_assert(edit_group(s, group, &failure), "group %u: %s", group, failure.message);
      }
      expect_fresh(s);
      session_free(s);
    }
    cr_expect_gt(n, 20, "group %u: %llu", group, (unsigned long long)n);
  }
}

// Inserts an operation of each name that there is, as a front end may: with results that do not fit it, too.
Test(session, any_operation_may_be_inserted) {
  static const char *const FORMS[] = {"[\"%s\",[\"a\"],[\"y\",\"tensor<?x?xi64>\"]]",
                                      "[\"%s\",[\"a\",\"a\",\"a\"],[\"y\",\"tensor<?xf32>\"]]",
                                      "[\"%s\",[],[\"y\",\"tensor<3x!shaped.string>\"]]"};
  session_failure failure;
  session_changes out;
  for (uint32_t i = 0; i < registry_count(); i++) {
    for (unsigned k = 0; k < sizeof FORMS / sizeof *FORMS; k++) {
      char text[200];
      cr_assert_lt(snprintf(text, sizeof text, FORMS[k], registry_row(i)->name), (int)sizeof text);
      session_core *s = small(1);
      if (edit(s, (session_edit){.kind = EDIT_INSERT, .op = 0, .text = text}, &out, &failure))
        expect_fresh(s);
      session_free(s);
    }
  }
}

// Arguments by the dozen, beside one whose attributes give names to values.
Test(session, arguments_are_inserted_by_the_dozen) {
  const char *text =
      "{\"functions\":[{\"name\":\"main\",\"arguments\":[{\"name\":\"a\",\"type\":" WIDE
      ",\"attributes\":{\"mhlo.sharding\":\"\"}}],\"ops\":[[\"func.return\",[\"a\"]]]}]}";
  for (uint32_t count = 1; count <= 64; count = 2 * count + 1) {
    session_source source = {.text = text, .length = strlen(text)};
    session_start start = {.read = session_read_program, .data = &source};
    session_failure failure;
    session_edit edits[64];
    char names[64][8];
    session_changes out;
    session_core *s = session_new(&(session_limits){0});
    cr_assert(session_open(s, &start, &failure), "%s", failure.message);
    for (uint32_t i = 0; i < count; i++) {
      int length = snprintf(names[i], sizeof names[i], "n%u", i);
      edits[i] = (session_edit){.kind = EDIT_INSERT_ARGUMENT,
                                .value = i % 2 ? VALUE_NONE : 0,
                                .text = "\"tensor<2xi64>\"",
                                .length = strlen("\"tensor<2xi64>\""),
                                .name = names[i],
                                .name_length = (size_t)length};
    }
    cr_assert(session_edit_all(s, edits, count, session_read_fragment, &out, &failure), "%s",
              failure.message);
    expect_fresh(s);
    session_free(s);
  }
}
