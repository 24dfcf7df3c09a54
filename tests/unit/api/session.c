// SPDX-License-Identifier: Apache-2.0
// Sessions, used as a program outside of the library uses them: solver/shape.h and nothing else of the library.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/shape.h"
#include "tests/unit/api/taken.h"

static const char MLIR[] =
    "func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x?xf32> {\n"
    "  %s = stablehlo.add %a, %b : tensor<?x4xf32>\n"
    "  %t = stablehlo.abs %s : tensor<?x4xf32>\n"
    "  %u = stablehlo.negate %t : (tensor<?x4xf32>) -> tensor<?x?xf32>\n"
    "  return %u : tensor<?x?xf32>\n"
    "}\n";
static const char *const GRAPH =
    "{\"functions\": [{\"name\": \"main\", \"arguments\": [\"a\", \"tensor<?x4xf32>\"], \"ops\": ["
    "[\"stablehlo.abs\", [\"a\"], [\"x\", \"tensor<?x4xf32>\"]], [\"func.return\", [\"x\"]]]}]}";

static shape_session *attempt(const char *text, const shape_limits *limits,
                              const shape_options *options) {
  shape_program *p = shape_program_new(limits);
  char *copy = strdup(text);  // the session needs neither the program nor its bytes
  cr_assert_not_null(copy);
  shape_program_load(p, copy, strlen(copy), "test");
  shape_session *s = shape_session_open(p, options);
  cr_assert_not_null(s);
  shape_program_free(p);
  memset(copy, '?', strlen(copy));
  free(copy);
  return s;
}

static shape_session *opened(const char *text) {
  shape_session *s = attempt(text, NULL, NULL);
  cr_assert_eq(shape_session_error(s)->status, SHAPE_OK, "%s", shape_session_error(s)->message);
  return s;
}

static void expect_dim(const shape_session *s, const char *name, uint32_t axis, const char *text) {
  shape_session_shape shape;
  cr_assert(shape_session_shape_of(s, shape_session_find(s, "main", name), &shape), "%s", name);
  cr_assert(shape.ranked && axis < shape.rank && shape.dims[axis], "%s", name);
  cr_expect_str_eq(shape.dims[axis], text);
}

static shape_edit transpose(const shape_session *s, const char *name, const char *of) {
  static char text[200];
  snprintf(text, sizeof text,
           "[\"stablehlo.transpose\", [\"%s\"], [\"%s\", \"tensor<?x?xf32>\"], "
           "{\"permutation\": [1, 0]}]",
           of, name);
  return (shape_edit){.kind = SHAPE_EDIT_REPLACE,
                      .op = shape_session_op_of(s, shape_session_find(s, NULL, name)),
                      .text = text};
}

Test(api_session, an_error_in_the_program_has_a_code_and_a_location) {
  shape_session *s = attempt(
      "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}", NULL,
      NULL);
  const shape_error *e = shape_session_error(s);
  cr_expect_eq(e->status, SHAPE_SYNTAX);
  cr_expect(e->line == 2 && e->column == 10, "%u:%u: %s", e->line, e->column, e->message);
  cr_expect(*e->code, "%s", e->message);
  shape_session_free(s);
}

Test(api_session, a_program_opens_with_its_values_and_diagnostics) {
  shape_session *s = opened(MLIR);
  shape_session_stats stats = shape_session_get_stats(s);
  cr_expect(stats.version == 1 && stats.depth == 0 && stats.ops == 4 && stats.bytes > 0);
  cr_expect(shape_session_changes(s)->whole);
  cr_expect_eq(shape_session_changes(s)->visited, 4);
  expect_dim(s, "%s", 0, "S0");
  expect_dim(s, "u", 1, "4");
  cr_expect_eq(shape_session_find(s, "other", "u"), SHAPE_NO_ID);
  cr_expect_eq(shape_session_find(s, NULL, "nothing"), SHAPE_NO_ID);
  cr_expect_eq(shape_session_op_of(s, shape_session_find(s, NULL, "a")), SHAPE_NO_ID);
  cr_expect_eq(shape_session_op_of(s, shape_session_find(s, NULL, "t")), 1);
  shape_change change;
  shape_inserted made;
  cr_expect_not(shape_session_changed(s, 0, &change));
  cr_expect_not(shape_session_inserted(s, 0, &made));
  cr_assert_eq(shape_session_all(s), SHAPE_OK);
  cr_expect_eq(shape_session_changes(s)->values, 5);
  cr_assert(shape_session_changed(s, 4, &change));
  cr_expect(!change.was_there && change.is_there &&
            change.value == shape_session_find(s, NULL, "u"));
  cr_expect_str_eq(change.after.type, "tensor<?x4xf32>");
  shape_session_free(s);
}

Test(api_session, an_edit_reports_what_it_changes) {
  shape_session *s = opened(MLIR);
  shape_edit edit = transpose(s, "t", "s");
  cr_assert_eq(shape_session_edit(s, &edit, 1), SHAPE_OK, "%s", shape_session_error(s)->message);
  const shape_changes *c = shape_session_changes(s);
  cr_expect(!c->whole && c->visited < 4 && c->values == 2 && c->edits == 1);
  expect_dim(s, "u", 0, "4");
  shape_change change;
  shape_inserted made;
  cr_assert(shape_session_changed(s, 0, &change) && change.was_there && change.is_there);
  cr_expect_str_eq(change.before.dims[0], "S0");
  cr_expect_str_eq(change.after.dims[0], "4");
  cr_assert(shape_session_inserted(s, 0, &made));
  cr_expect(made.op == SHAPE_NO_ID && made.value_count == 0, "the operation keeps its id");
  cr_expect_eq(shape_session_get_stats(s).version, 2);
  shape_answer answer;
  shape_value t = shape_session_find(s, NULL, "t"), u = shape_session_find(s, NULL, "u");
  shape_value x = shape_session_find(s, NULL, "s");
  cr_assert_eq(shape_session_same_shape(s, t, u, &answer), SHAPE_OK);
  cr_expect_eq(answer, SHAPE_YES);
  cr_assert_eq(shape_session_same_element_count(s, x, u, &answer), SHAPE_OK);
  cr_expect_eq(answer, SHAPE_YES);
  cr_assert_eq(shape_session_same_shape(s, x, u, &answer), SHAPE_OK);
  cr_expect_eq(answer, SHAPE_UNKNOWN);
  cr_expect_eq(shape_session_same_shape(s, x, 99, &answer), SHAPE_INVALID);
  cr_expect_eq(shape_session_changes(s)->values, 0,
               "what the edit changed ends with the next call");
  shape_session_free(s);
}

Test(api_session, an_edit_that_makes_errors_says_which) {
  shape_session *s = opened(MLIR);
  shape_edit edit = {.kind = SHAPE_EDIT_RETYPE,
                     .value = shape_session_find(s, NULL, "b"),
                     .text = "\"tensor<?x5xf32>\""};
  cr_assert_eq(shape_session_edit(s, &edit, 1), SHAPE_OK);
  shape_session_diagnostic d;
  cr_assert(shape_session_appeared(s, 0, &d));
  cr_expect(d.op == 0 && d.severity == SHAPE_SEVERITY_ERROR);
  cr_expect_str_eq(d.code, "shape-mismatch");
  cr_expect(strstr(d.message, "4"), "%s", d.message);
  cr_expect_not(shape_session_vanished(s, 0, &d));
  edit.text = "\"tensor<?x4xf32>\"";
  cr_assert_eq(shape_session_edit(s, &edit, 1), SHAPE_OK);
  cr_expect(shape_session_vanished(s, 0, &d) && !shape_session_appeared(s, 0, &d));
  shape_session_free(s);
}

Test(api_session, edits_happen_together_or_not_at_all) {
  shape_session *s = opened(MLIR);
  static const struct {
    shape_edit edit;
    shape_status status;
  } WRONG[] = {
      {{.kind = SHAPE_EDIT_REMOVE, .op = 77}, SHAPE_INVALID},
      {{.kind = SHAPE_EDIT_REPLACE, .op = 1, .text = "[\"stablehlo.abs\", [\"s\"]"}, SHAPE_SYNTAX},
      {{.kind = SHAPE_EDIT_REPLACE, .op = 1, .text = NULL}, SHAPE_SYNTAX},
      {{.kind = SHAPE_EDIT_REPLACE, .op = 1, .text = "[\"stablehlo.abs\", [\"none\"], [\"t\"]]"},
       SHAPE_INVALID},
      {{.kind = (shape_edit_kind)77}, SHAPE_INVALID},
      {{.kind = SHAPE_EDIT_RETRACT, .text = "arg0.0 == 5"}, SHAPE_INVALID},
      {{.kind = SHAPE_EDIT_REWIRE, .value = 0, .with = SHAPE_NO_ID}, SHAPE_INVALID},
  };
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    shape_edit edits[] = {transpose(s, "t", "s"), WRONG[i].edit};
    cr_expect_eq(shape_session_edit(s, edits, 2), WRONG[i].status, "%zu: %s", i,
                 shape_session_error(s)->message);
    cr_expect_eq(shape_session_failed_edit(s), 1, "%zu", i);
    cr_expect_eq(shape_session_error(s)->status, WRONG[i].status);
    cr_expect(*shape_session_error(s)->message);
    cr_expect_eq(shape_session_changes(s)->values, 0);
    expect_dim(s, "u", 1, "4");
  }
  cr_expect_eq(shape_session_get_stats(s).version, 1);
  shape_edit remove = {.kind = SHAPE_EDIT_REMOVE, .op = 0};
  cr_expect_eq(shape_session_edit(s, &remove, 1), SHAPE_INVALID, "its result is used");
  shape_session_free(s);
}

Test(api_session, what_one_call_inserts_and_removes_was_never_there) {
  shape_session *s = opened(MLIR);
  shape_edit edits[] = {
      {.kind = SHAPE_EDIT_INSERT,
       .op = 2,
       .after = true,
       .text = "[\"stablehlo.abs\", [\"#4\"], [\"more\", \"tensor<?x?xf32>\"]]"},
      {.kind = SHAPE_EDIT_REMOVE, .op = 4},
      {.kind = SHAPE_EDIT_INSERT_ARGUMENT,
       .value = SHAPE_NO_ID,
       .text = "\"tensor<?x8xf32>\"",
       .name = "c"},
      {.kind = SHAPE_EDIT_REMOVE_ARGUMENT, .value = 6},
  };
  shape_inserted made;
  cr_assert_eq(shape_session_edit(s, edits, 4), SHAPE_OK, "%s", shape_session_error(s)->message);
  for (uint32_t i = 0; i < 4; i++) {
    cr_assert(shape_session_inserted(s, i, &made));
    cr_expect(made.op == SHAPE_NO_ID && made.value == SHAPE_NO_ID && !made.value_count, "%u", i);
  }
  cr_expect_eq(shape_session_find(s, NULL, "more"), SHAPE_NO_ID);
  shape_session_free(s);
}

Test(api_session, operations_and_arguments_come_and_go) {
  shape_session *s = opened(MLIR);
  shape_edit insert = {.kind = SHAPE_EDIT_INSERT,
                       .op = 2,
                       .after = true,
                       .text = "[\"stablehlo.abs\", [\"#4\"], [\"more\", \"tensor<?x?xf32>\"]]"};
  shape_inserted op;
  cr_assert_eq(shape_session_edit(s, &insert, 1), SHAPE_OK, "%s", shape_session_error(s)->message);
  cr_assert(shape_session_inserted(s, 0, &op));
  cr_expect(op.op == 4 && op.value_count == 1 && op.value == 5, "%u %u", op.op, op.value);
  cr_expect_eq(shape_session_op_of(s, op.value), op.op);
  cr_expect_eq(shape_session_find(s, NULL, "more"), op.value);
  expect_dim(s, "more", 1, "4");
  shape_edit edit = {.kind = SHAPE_EDIT_INSERT_ARGUMENT,
                     .value = SHAPE_NO_ID,
                     .text = "\"tensor<?x8xf32>\"",
                     .name = "c"};
  cr_assert_eq(shape_session_edit(s, &edit, 1), SHAPE_OK, "%s", shape_session_error(s)->message);
  shape_inserted made;
  cr_assert(shape_session_inserted(s, 0, &made));
  cr_expect(made.op == SHAPE_NO_ID && made.value_count == 1);
  cr_expect_eq(made.value, shape_session_find(s, "main", "c"));
  expect_dim(s, "c", 1, "8");
  edit = (shape_edit){.kind = SHAPE_EDIT_REMOVE_ARGUMENT, .value = made.value};
  cr_assert_eq(shape_session_edit(s, &edit, 1), SHAPE_OK);
  shape_session_shape shape;
  cr_expect_not(shape_session_shape_of(s, made.value, &shape));
  cr_expect_eq(shape_session_find(s, "main", "c"), SHAPE_NO_ID);
  shape_session_free(s);
}

Test(api_session, assumptions_are_pushed_and_popped) {
  shape_session *s = opened(MLIR);
  static const char *const FIVE[] = {"arg0.0 == 5"}, *const UNREADABLE[] = {"S0 =="};
  cr_expect_eq(shape_session_pop(s), SHAPE_INVALID);
  cr_assert_eq(shape_session_push(s, FIVE, 1), SHAPE_OK, "%s", shape_session_error(s)->message);
  cr_expect_eq(shape_session_get_stats(s).depth, 1);
  expect_dim(s, "u", 0, "5");
  cr_assert_eq(shape_session_push(s, UNREADABLE, 1), SHAPE_OK);
  shape_session_diagnostic d;
  cr_expect(shape_session_appeared(s, 0, &d) && d.op == SHAPE_NO_ID);
  cr_assert_eq(shape_session_pop(s), SHAPE_OK);
  cr_assert_eq(shape_session_pop(s), SHAPE_OK);
  expect_dim(s, "u", 0, "S0");
  cr_expect_eq(shape_session_get_stats(s).depth, 0);
  shape_session_free(s);
}

Test(api_session, queries_speak_of_names_and_of_dims_of_values) {
  shape_session *s = opened(MLIR);
  shape_answer answer;
  shape_exact_bounds bounds;
  const char *simple;
  char text[64];
  snprintf(text, sizeof text, "v%u.0 == S0", shape_session_find(s, NULL, "u"));
  cr_assert_eq(shape_session_prove_text(s, text, &answer), SHAPE_OK);
  cr_expect_eq(answer, SHAPE_YES);
  cr_assert_eq(shape_session_prove_text(s, "S0 < 0", &answer), SHAPE_OK);
  cr_expect_eq(answer, SHAPE_NO);
  cr_expect_eq(shape_session_prove_text(s, "S0 ==", &answer), SHAPE_INVALID);
  cr_expect_eq(answer, SHAPE_UNKNOWN);
  cr_assert_eq(shape_session_bounds_text(s, "100000000000000000000*S0 + 7", &bounds), SHAPE_OK);
  cr_assert(bounds.min && !bounds.max && !bounds.contradiction);
  cr_expect_str_eq(bounds.min, "7");
  cr_assert_eq(shape_session_bounds_text(s, "max(S0, 100000000000000000000)", &bounds), SHAPE_OK);
  cr_assert_not_null(bounds.min);
  cr_expect_str_eq(bounds.min, "100000000000000000000");
  cr_assert_eq(shape_session_simplify_text(s, "S0 + S0 - 3", &simple), SHAPE_OK);
  cr_assert_not_null(simple);
  cr_expect_str_eq(simple, "2*S0 - 3");
  cr_expect_eq(shape_session_simplify_text(s, "v99.0", &simple), SHAPE_INVALID);
  shape_session_free(s);
}

Test(api_session, options_are_kept) {
  static const shape_binding BINDINGS[] = {{"arg0.0", 6}};
  static const char *const ASSUMED[] = {"arg1.0 <= 9"};
  shape_options o = SHAPE_STRUCT(shape_options);
  o.entry = "main";
  o.bindings = BINDINGS;
  o.binding_count = 1;
  o.assumptions = ASSUMED;
  o.assumption_count = 1;
  shape_session *s = attempt(MLIR, NULL, &o);
  cr_assert_eq(shape_session_error(s)->status, SHAPE_OK, "%s", shape_session_error(s)->message);
  expect_dim(s, "u", 0, "6");
  static const char *const PUSHED[] = {"arg0.0 >= 2", "arg1.0 >= 3"};
  cr_assert_eq(shape_session_push(s, PUSHED, 2), SHAPE_OK);
  const shape_options *kept = shape_session_options(s);
  cr_assert_not_null(kept);
  cr_expect_str_eq(kept->entry, "main");
  cr_assert(kept->binding_count == 1 && kept->assumption_count == 2);
  cr_expect_str_eq(kept->bindings[0].name, "arg0.0");
  cr_expect_eq(kept->bindings[0].value, 6);
  cr_expect_str_eq(kept->assumptions[1], "arg1.0 >= 3");
  shape_session_free(s);
  o.certify = true;
  s = attempt(MLIR, NULL, &o);
  cr_expect_eq(shape_session_error(s)->status, SHAPE_INVALID);
  shape_session_free(s);
}

Test(api_session, the_program_as_it_is_can_be_analysed) {
  shape_session *s = opened(MLIR);
  shape_edit edit = transpose(s, "t", "s");
  static const char *const FIVE[] = {"arg0.0 == 5"};
  cr_assert_eq(shape_session_edit(s, &edit, 1), SHAPE_OK);
  cr_assert_eq(shape_session_push(s, FIVE, 1), SHAPE_OK);
  taken json = {.length = 0};
  cr_assert_eq(shape_session_write(s, take, &json), SHAPE_OK);
  shape_program *p = shape_program_new(NULL);
  cr_assert_eq(shape_program_load(p, json.data, json.length, NULL), SHAPE_OK);
  shape_analysis *a = shape_program_analyze(p, shape_session_options(s));
  cr_assert_eq(shape_analysis_error(a)->status, SHAPE_OK, "%s", shape_analysis_error(a)->message);
  cr_expect_str_eq(shape_analysis_shape(a, shape_analysis_find(a, NULL, "u")), "[4, 5]");
  shape_analysis_free(a);
  shape_program_free(p);
  shape_session_free(s);
}

Test(api_session, a_built_program_opens) {
  shape_program *p = shape_program_new(NULL);
  const int64_t dims[] = {SHAPE_DYNAMIC, 4};
  shape_type type = shape_program_tensor(p, "f32", dims, 2);
  shape_function f = shape_program_add_function(p, "main", &type, 1);
  shape_block body = shape_program_body(p, f);
  shape_value x = shape_program_argument(p, body, 0);
  shape_op_spec spec = SHAPE_STRUCT(shape_op_spec);
  spec.name = "func.return";
  spec.operands = &x;
  spec.operand_count = 1;
  cr_assert_neq(shape_program_add_op(p, body, &spec), SHAPE_NO_ID);
  shape_session *s = shape_session_open(p, NULL);
  shape_program_free(p);
  cr_assert_eq(shape_session_error(s)->status, SHAPE_OK, "%s", shape_session_error(s)->message);
  shape_session_shape shape;
  cr_assert(shape_session_shape_of(s, x, &shape) && shape.rank == 2);
  cr_expect_str_eq(shape.dims[1], "4");
  shape_session_free(s);
}

Test(api_session, what_does_not_open_answers_nothing) {
  static const struct {
    const char *text;
    shape_status status;
  } WRONG[] = {{"func.func @main(", SHAPE_SYNTAX},
               {"{\"functions\": ", SHAPE_SYNTAX},
               {"just text", SHAPE_SYNTAX},
               {"", SHAPE_SYNTAX},
               {"\x08\x07\x12\x04test:\x0a\x12\x03g12", SHAPE_UNSUPPORTED}};
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    shape_session *s = attempt(WRONG[i].text, NULL, NULL);
    cr_expect_eq(shape_session_error(s)->status, WRONG[i].status, "%zu: %d %s", i,
                 (int)shape_session_error(s)->status, shape_session_error(s)->message);
    shape_answer answer;
    shape_session_shape shape;
    shape_edit edit = {.kind = SHAPE_EDIT_REMOVE, .op = 0};
    taken json = {.length = 0};
    cr_expect_eq(shape_session_edit(s, &edit, 1), SHAPE_INVALID);
    cr_expect_eq(shape_session_prove_text(s, "1 == 1", &answer), SHAPE_INVALID);
    cr_expect_eq(shape_session_same_shape(s, 0, 0, &answer), SHAPE_INVALID);
    cr_expect_eq(shape_session_write(s, take, &json), SHAPE_INVALID);
    cr_expect_eq(shape_session_all(s), SHAPE_INVALID);
    cr_expect_eq(shape_session_push(s, NULL, 0), SHAPE_INVALID);
    cr_expect_null(shape_session_options(s));
    cr_expect_not(shape_session_shape_of(s, 0, &shape));
    cr_expect_eq(shape_session_find(s, NULL, "a"), SHAPE_NO_ID);
    shape_session_free(s);
  }
  shape_program *empty = shape_program_new(NULL);
  shape_session *s = shape_session_open(empty, NULL);
  cr_expect_eq(shape_session_error(s)->status, SHAPE_INVALID, "the program has no contents");
  shape_session_free(s);
  shape_program_free(empty);
  shape_session_free(NULL);
}

Test(api_session, limits_end_calls_and_leave_the_program) {
  uint64_t value = 0;
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  limits.nodes = 1;
  shape_session *s = attempt(GRAPH, &limits, NULL);
  cr_expect_eq(shape_session_error(s)->status, SHAPE_SIZE);
  const char *limit = shape_session_limit(s, &value);
  cr_assert_not_null(limit);
  cr_expect_str_eq(limit, "max-nodes");
  cr_expect_eq(value, 1);
  shape_session_free(s);
  s = opened(GRAPH);
  cr_expect_null(shape_session_limit(s, &value));
  limits.nodes = 2;
  limits.rank = 3;
  shape_session_set_limits(s, &limits);
  shape_edit edit = {.kind = SHAPE_EDIT_INSERT,
                     .op = 1,
                     .text = "[\"stablehlo.abs\", [\"x\"], [\"y\", \"tensor<?x4xf32>\"]]"};
  cr_expect_eq(shape_session_edit(s, &edit, 1), SHAPE_SIZE);
  cr_expect_not_null(shape_session_limit(s, &value));
  cr_expect_eq(value, 2);
  edit = (shape_edit){.kind = SHAPE_EDIT_RETYPE, .value = 0, .text = "\"tensor<?x?x?x?xf32>\""};
  cr_expect_eq(shape_session_edit(s, &edit, 1), SHAPE_SIZE);
  cr_expect_eq(value, 2);
  limit = shape_session_limit(s, &value);
  cr_expect(limit && strcmp(limit, "max-rank") == 0 && value == 3);
  shape_token *token = shape_token_new();
  limits.nodes = limits.rank = 0;
  limits.token = token;
  shape_session_set_limits(s, &limits);
  shape_token_cancel(token);
  edit = (shape_edit){.kind = SHAPE_EDIT_RETYPE, .value = 0, .text = "\"tensor<?x7xf32>\""};
  cr_expect_eq(shape_session_edit(s, &edit, 1), SHAPE_CANCELLED);
  cr_expect_null(shape_session_limit(s, &value));
  expect_dim(s, "x", 1, "4");
  shape_token_reset(token);
  cr_expect_eq(shape_session_edit(s, &edit, 1), SHAPE_OK, "%s", shape_session_error(s)->message);
  shape_session_set_limits(s, NULL);
  shape_token_free(token);
  expect_dim(s, "a", 1, "7");
  cr_expect_eq(shape_session_get_stats(s).edits, 1);
  shape_session_free(s);
}

Test(api_session, memory_that_ends_is_a_status) {
  for (size_t memory = 1 << 10; memory < 1 << 20; memory += memory / 4) {
    shape_limits limits = SHAPE_STRUCT(shape_limits);
    limits.memory = memory;
    shape_session *s = attempt(MLIR, &limits, NULL);
    shape_status status = shape_session_error(s)->status;
    cr_expect(status == SHAPE_OK || status == SHAPE_MEMORY, "%zu: %d", memory, (int)status);
    for (int i = 0; status == SHAPE_OK && i < 3; i++) {
      shape_edit edit = transpose(s, "t", "s");
      shape_status edited = shape_session_edit(s, &edit, 1);
      cr_expect(edited == SHAPE_OK || edited == SHAPE_MEMORY, "%zu: %d", memory, (int)edited);
    }
    shape_session_free(s);
  }
}
