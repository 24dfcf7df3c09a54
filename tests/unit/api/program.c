// SPDX-License-Identifier: Apache-2.0
// Programs and analyses, used as a program outside of the library uses them: solver/shape.h and nothing else of the library.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/shape.h"
#include "tests/unit/api/taken.h"

static const char MLIR[] =
    "func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {\n"
    "  %s = stablehlo.add %a, %b : tensor<?x4xf32>\n"
    "  %t = stablehlo.transpose %s, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>\n"
    "  %c = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> "
    "tensor<?x4xf32>\n"
    "  return %c : tensor<?x4xf32>\n"
    "}\n";

static shape_analysis *analyzed(shape_program *p, const shape_options *options) {
  shape_analysis *a = shape_program_analyze(p, options);
  cr_assert_not_null(a);
  cr_assert_eq(shape_analysis_error(a)->status, SHAPE_OK, "%s", shape_analysis_error(a)->message);
  return a;
}

static shape_program *loaded(const char *text) {
  shape_program *p = shape_program_new(NULL);
  cr_assert_eq(shape_program_load(p, text, strlen(text), "test.mlir"), SHAPE_OK);
  return p;
}

Test(program, values_have_shapes_and_names) {
  shape_program *p = loaded(MLIR);
  shape_analysis *a = analyzed(p, NULL);
  shape_value x = shape_analysis_find(a, "main", "%a"), t = shape_analysis_find(a, NULL, "t");
  shape_value c = shape_analysis_find(a, NULL, "c");
  cr_assert(x != SHAPE_NO_ID && t != SHAPE_NO_ID && c != SHAPE_NO_ID);
  cr_expect_eq(shape_analysis_find(a, "other", "%a"), SHAPE_NO_ID);
  cr_expect_str_eq(shape_analysis_value_name(a, t), "t");
  cr_expect_str_eq(shape_analysis_shape(a, t), "[4, S0]");
  cr_expect_str_eq(shape_analysis_shape(a, c), "[2*S0, 4]");
  cr_expect_str_eq(shape_analysis_type(a, t), "tensor<4x?xf32>");
  uint32_t rank = 0;
  cr_expect(shape_analysis_rank(a, t, &rank));
  cr_expect_eq(rank, 2);
  cr_expect_eq(shape_analysis_dim(a, t, 1), shape_analysis_dim(a, x, 0));
  cr_expect_eq(shape_analysis_dim(a, t, 2), SHAPE_NO_EXPR);
  cr_expect_eq(shape_analysis_dim(a, 99, 0), SHAPE_NO_EXPR);
  cr_expect_eq(shape_analysis_same_element_count(a, x, t), SHAPE_YES);
  cr_expect_eq(shape_analysis_same_shape(a, x, shape_analysis_find(a, NULL, "b")), SHAPE_YES);
  cr_expect_neq(shape_analysis_same_shape(a, x, t), SHAPE_YES);
  cr_expect_eq(shape_analysis_same_element_count(a, x, c), SHAPE_UNKNOWN, "S0 may be 0");
  shape_analysis_free(a);
  shape_program_free(p);
}

static void keep_head(void *to, const char *data, size_t length) {
  char *head = to;
  size_t has = strlen(head), room = 63 - has;
  memcpy(head + has, data, length < room ? length : room);
}

// The header says that texts which go in are read during the call only.
Test(program, the_name_of_the_input_is_copied) {
  char name[] = "first.mlir", head[64] = {0};
  shape_program *p = shape_program_new(NULL);
  cr_assert_eq(shape_program_load(p, MLIR, sizeof MLIR - 1, name), SHAPE_OK);
  memset(name, 'x', sizeof name - 1);
  shape_analysis *a = analyzed(p, NULL);
  cr_assert_eq(shape_analysis_emit(a, "view-json", keep_head, head), SHAPE_OK);
  cr_expect(strncmp(head, "{\"name\": \"first.mlir\"", 21) == 0, "%s", head);
  shape_analysis_free(a);
  shape_program_free(p);
}

Test(program, what_there_is_can_be_listed) {
  shape_program *p = loaded(MLIR);
  shape_analysis *a = analyzed(p, NULL);
  shape_function_info f;
  cr_assert_eq(shape_analysis_function_count(a), 1);
  cr_assert(shape_analysis_function(a, 0, &f));
  cr_expect_str_eq(f.name, "main");
  cr_expect(f.is_entry && f.argument_count == 2 && f.result_count == 1);
  cr_expect_eq(shape_analysis_function_result(a, 0, 0), shape_analysis_find(a, NULL, "c"));
  cr_expect_not(shape_analysis_function(a, 1, &f));
  shape_op_info op;
  cr_assert_eq(shape_analysis_op_count(a), 4);
  cr_assert(shape_analysis_op(a, 1, &op));
  cr_expect_str_eq(op.name, "stablehlo.transpose");
  cr_expect(op.line == 3 && op.column == 3, "%u:%u", op.line, op.column);
  cr_expect_eq(op.first_result, shape_analysis_find(a, NULL, "t"));
  cr_expect_eq(shape_analysis_operand(a, 1, 0), shape_analysis_find(a, NULL, "s"));
  cr_expect_eq(shape_analysis_operand(a, 1, 1), SHAPE_NO_ID);
  shape_analysis_free(a);
  shape_program_free(p);
}

// What a module holds beside its functions is a function without a name.
Test(program, a_function_may_have_no_name) {
  shape_program *p =
      loaded("module {\n  %x = arith.constant 4 : index\n  func.func @main(%a: tensor<?xf32>) {\n"
             "    return\n  }\n}\n");
  shape_analysis *a = analyzed(p, NULL);
  shape_function_info f;
  uint32_t named = 0, count = shape_analysis_function_count(a);
  for (uint32_t i = 0; i < count; i++)
    named += shape_analysis_function(a, i, &f) && strcmp(f.name, "main") == 0;
  cr_expect_eq(count, 2);
  cr_expect_eq(named, 1);
  cr_expect_neq(shape_analysis_find(a, NULL, "x"), SHAPE_NO_ID);
  cr_expect_eq(shape_analysis_find(a, "main", "x"), SHAPE_NO_ID);
  cr_expect_neq(shape_analysis_find(a, "main", "a"), SHAPE_NO_ID);
  shape_analysis_free(a);
  shape_program_free(p);
}

Test(program, the_context_of_an_analysis_has_its_facts) {
  shape_program *p = loaded(MLIR);
  shape_analysis *a = analyzed(p, NULL);
  shape_context *c = shape_analysis_context(a);
  shape_expr n = shape_context_find(c, "S0");
  cr_assert_neq(n, SHAPE_NO_EXPR);
  cr_expect_eq(shape_context_prove_text(c, "S0 >= 0"), SHAPE_YES);
  cr_expect_eq(shape_context_prove_text(c, "divisible(S0, 8)"), SHAPE_UNKNOWN);
  shape_checkpoint mark = shape_context_checkpoint(c);
  shape_context_assume_text(c, "S0 == 8*K + 0*S0", "no such symbol", NULL);
  cr_expect_eq(shape_context_error(c)->status, SHAPE_SYNTAX);
  shape_context_assume_text(c, "divisible(S0, 16)", "what if", NULL);
  cr_expect_eq(shape_context_prove_text(c, "divisible(S0, 8)"), SHAPE_YES);
  shape_reason reasons[4];
  uint32_t count;
  cr_assert_eq(
      shape_context_reasons(c, SHAPE_DIVISIBLE, n, shape_context_integer(c, 8), reasons, 4, &count),
      SHAPE_OK);
  cr_assert_eq(count, 1);
  cr_expect_str_eq(reasons[0].origin, "what if");
  shape_context_rollback(c, mark);
  cr_expect_eq(shape_context_prove_text(c, "divisible(S0, 8)"), SHAPE_UNKNOWN);
  char buffer[40];
  shape_value concat = shape_analysis_find(a, NULL, "c");
  shape_context_text(c, shape_analysis_element_count(a, concat), buffer, sizeof buffer);
  cr_expect_str_eq(buffer, "8*S0");
  shape_analysis_free(a);
  shape_program_free(p);
}

Test(program, options_specialise_and_assume) {
  shape_program *p = loaded(MLIR);
  shape_options o = SHAPE_STRUCT(shape_options);
  const shape_binding bound = {"arg0.0", 6};
  o.bindings = &bound;
  o.binding_count = 1;
  shape_analysis *a = analyzed(p, &o);
  cr_expect_str_eq(shape_analysis_shape(a, shape_analysis_find(a, NULL, "c")), "[12, 4]");
  taken t = {.length = 0};
  cr_assert_eq(shape_analysis_emit(a, "mlir", take, &t), SHAPE_OK, "%s",
               shape_analysis_error(a)->message);
  t.data[t.length] = '\0';
  cr_expect(strstr(t.data, "tensor<12x4xf32>"), "%s", t.data);
  shape_analysis_free(a);
  o = (shape_options)SHAPE_STRUCT(shape_options);
  const char *assumptions[] = {"arg0.0 >= 3"};
  o.assumptions = assumptions;
  o.assumption_count = 1;
  a = analyzed(p, &o);
  cr_expect_eq(shape_context_prove_text(shape_analysis_context(a), "S0 >= 3"), SHAPE_YES);
  shape_analysis_free(a);
  o.argument_types = "tensor<3x4xf32>";
  a = shape_program_analyze(p, &o);
  cr_expect(shape_analysis_error_count(a) > 0 || shape_analysis_error(a)->status != SHAPE_OK);
  shape_analysis_free(a);
  shape_program_free(p);
}

Test(program, emits_every_format) {
  static const char *const FORMATS[] = {
      "json",          "text",       "mlir",        "clean-mlir", "graph",   "guards-c", "smt2",
      "guards-python", "disc-shape", "guards-mlir", "dot",        "summary", "errors"};
  shape_program *p = loaded(MLIR);
  shape_analysis *a = analyzed(p, NULL);
  for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
    taken t = {.length = 0};
    cr_expect_eq(shape_analysis_emit(a, FORMATS[i], take, &t), SHAPE_OK, "%s", FORMATS[i]);
    cr_expect_gt(t.length, 20, "%s", FORMATS[i]);
  }
  // Those of the summary, without what else it has.
  taken whole = {.length = 0}, errors = {.length = 0};
  shape_analysis_emit(a, "summary", take, &whole);
  shape_analysis_emit(a, "errors", take, &errors);
  cr_expect_lt(errors.length, whole.length);
  taken none = {.length = 0};
  cr_expect_eq(shape_analysis_emit(a, "onnx", take, &none), SHAPE_INVALID);
  cr_expect_eq(shape_analysis_emit(a, "pdf", take, &none), SHAPE_INVALID);
  cr_expect_eq(none.length, 0);
  shape_analysis_free(a);
  shape_program_free(p);
}

Test(program, errors_have_locations) {
  shape_program *p = shape_program_new(NULL);
  cr_expect_eq(shape_program_load(p, "", 0, NULL), SHAPE_UNSUPPORTED);
  cr_expect_eq(shape_program_load(p, "\x7f\x01", 2, NULL), SHAPE_UNSUPPORTED);
  cr_expect_neq(*shape_program_error(p)->message, 0);
  shape_analysis *a = shape_program_analyze(p, NULL);
  cr_expect_eq(shape_analysis_error(a)->status, SHAPE_SYNTAX);
  cr_expect_str_eq(shape_analysis_error(a)->message, shape_program_error(p)->message);
  cr_expect_eq(shape_analysis_value_count(a), 0);
  cr_expect_null(shape_analysis_context(a));
  shape_analysis_free(a);
  static const char SYNTAX[] = "func.func @main(%a: tensor<f32>) {\n  %x = stablehlo.add %a, %y : "
                               "tensor<f32>\n  return\n}\n";
  cr_assert_eq(shape_program_load(p, SYNTAX, strlen(SYNTAX), NULL), SHAPE_OK);
  a = shape_program_analyze(p, NULL);
  const shape_error *e = shape_analysis_error(a);
  cr_expect(e->status == SHAPE_SYNTAX && e->line == 2, "%d %u %s", (int)e->status, e->line,
            e->message);
  shape_analysis_free(a);
  shape_program_free(p);
  p = loaded("func.func @main(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<3xf32> {\n"
             "  %s = \"stablehlo.add\"(%a, %b) : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32>\n"
             "  return %s : tensor<3xf32>\n}\n");
  a = analyzed(p, NULL);
  cr_assert_gt(shape_analysis_error_count(a), 0);
  shape_diagnostic d;
  cr_assert(shape_analysis_diagnostic(a, 0, &d));
  cr_expect(d.severity == SHAPE_SEVERITY_ERROR && d.line == 2, "%u: %s", d.line, d.message);
  cr_expect_not(shape_analysis_diagnostic(a, 99, &d));
  shape_analysis_free(a);
  shape_program_free(p);
}

// All that can be asked of an analysis, also of one that failed.
static void ask_everything(shape_analysis *a) {
  shape_diagnostic d;
  shape_op_info op;
  shape_function_info f;
  uint32_t rank;
  for (uint32_t i = 0; i <= shape_analysis_diagnostic_count(a); i++) {
    if (shape_analysis_diagnostic(a, i, &d)) cr_expect_neq(*d.message, 0);
  }
  for (uint32_t i = 0; i <= shape_analysis_op_count(a); i++) shape_analysis_op(a, i, &op);
  for (uint32_t i = 0; i <= shape_analysis_function_count(a); i++) {
    if (shape_analysis_function(a, i, &f)) shape_analysis_function_result(a, i, 0);
  }
  for (uint32_t i = 0; i <= shape_analysis_value_count(a); i++) {
    shape_analysis_value_name(a, i);
    shape_analysis_type(a, i);
    shape_analysis_shape(a, i);
    if (shape_analysis_rank(a, i, &rank)) shape_analysis_element_count(a, i);
    shape_analysis_same_shape(a, 0, i);
  }
  taken out = {.length = 0};
  shape_analysis_emit(a, "text", take, &out);
  out.length = 0;
  shape_analysis_emit(a, "json", take, &out);
  shape_context *c = shape_analysis_context(a);
  if (!c) return;
  shape_context_symbol(c, "new", 0, 9, 1);
  shape_context_find(c, "new");
}

// A program after that many empty lines.
static char *with_many_lines(const char *program, size_t lines) {
  size_t length = strlen(program);
  char *out = malloc(length + lines + 1);
  cr_assert_not_null(out);
  memset(out, '\n', lines);
  memcpy(out + lines, program, length + 1);
  return out;
}

static const char UNDEFINED[] = "func.func @main(%a: tensor<f32>) {\n"
                                "  %x = stablehlo.add %a, %y : tensor<f32>\n  return\n}\n";

static void ask_within(const char *data, shape_limits limits, uint32_t error_line) {
  shape_program *p = shape_program_new(&limits);
  cr_assert_not_null(p);
  cr_assert_eq(shape_program_load(p, data, strlen(data), NULL), SHAPE_OK);
  shape_analysis *a = shape_program_analyze(p, NULL);
  cr_assert_not_null(a);
  const shape_error *e = shape_analysis_error(a);
  if (e->status == SHAPE_SYNTAX) cr_expect_eq(e->line, error_line);
  if (limits.token) shape_token_cancel(limits.token);
  ask_everything(a);
  if (limits.token) {
    shape_token_reset(limits.token);
    ask_everything(a);
  }
  shape_analysis_free(a);
  shape_program_free(p);
}

// Nothing that is asked of an analysis needs memory or time that it does not have.
Test(program, an_analysis_out_of_memory_answers) {
  static const uint32_t LINES = 30000;
  const char *texts[] = {MLIR, UNDEFINED};
  shape_token *token = shape_token_new();
  for (int i = 0; i < 2; i++) {
    char *data = with_many_lines(texts[i], LINES);
    shape_limits limits = SHAPE_STRUCT(shape_limits);
    for (limits.fail_at = 1; limits.fail_at < 60; limits.fail_at++)
      ask_within(data, limits, LINES + 2);
    limits.fail_at = 0;
    for (limits.memory = 1000; limits.memory < 3000000; limits.memory += limits.memory / 20)
      ask_within(data, limits, LINES + 2);
    limits.memory = 0;
    limits.token = token;
    ask_within(data, limits, LINES + 2);
    free(data);
  }
  shape_token_free(token);
}

// x -> transpose -> reshape by a region's operation: types, attributes, regions, locations.
static shape_value add(shape_program *p, shape_block block, shape_op_spec spec) {
  spec.struct_size = sizeof spec;
  shape_op op = shape_program_add_op(p, block, &spec);
  cr_assert_neq(op, SHAPE_NO_ID, "%s", shape_program_error(p)->message);
  return spec.result_count ? shape_program_result(p, op, 0) : op;
}

Test(program, built_in_memory) {
  shape_program *p = shape_program_new(NULL);
  int64_t n = shape_program_symbol(p, "N", 1, 64, 4);
  cr_assert_lt(n, 0);
  cr_expect_eq(shape_program_symbol(p, "N", 0, 1, 1), SHAPE_DYNAMIC, "declared already");
  cr_expect_eq(shape_program_assume(p, "N >= 8"), SHAPE_OK);
  shape_type in = shape_program_tensor(p, "f32", (int64_t[]){n, 4}, 2);
  shape_type any = shape_program_type(p, "tensor<4x?xf32>");
  cr_assert(in != SHAPE_NO_ID && any != SHAPE_NO_ID);
  cr_expect_eq(shape_program_tensor(p, "f33", NULL, 0), SHAPE_NO_ID);
  cr_expect_eq(shape_program_type(p, "tensor<4x"), SHAPE_NO_ID);
  cr_expect_eq(shape_program_error(p)->status, SHAPE_SYNTAX);
  shape_block body = shape_program_body(p, shape_program_add_function(p, "main", &in, 1));
  shape_value x = shape_program_argument(p, body, 0);
  shape_attribute permutation = {
      .name = "permutation", .kind = SHAPE_ATTRIBUTE_INTS, .ints = (int64_t[]){1, 0}, .count = 2};
  shape_value t = add(p, body,
                      (shape_op_spec){.name = "stablehlo.transpose",
                                      .operands = &x,
                                      .operand_count = 1,
                                      .results = &any,
                                      .result_count = 1,
                                      .attributes = &permutation,
                                      .attribute_count = 1,
                                      .line = 7,
                                      .column = 2});
  add(p, body, (shape_op_spec){.name = "func.return", .operands = &t, .operand_count = 1});
  shape_analysis *a = analyzed(p, NULL);
  cr_expect_str_eq(shape_analysis_shape(a, t), "[4, N]");
  cr_expect_eq(shape_analysis_same_element_count(a, x, t), SHAPE_YES);
  cr_expect_eq(shape_context_prove_text(shape_analysis_context(a), "N >= 8"), SHAPE_YES);
  cr_expect_eq(shape_context_prove_text(shape_analysis_context(a), "divisible(N, 4)"), SHAPE_YES);
  shape_op_info op;
  cr_assert(shape_analysis_op(a, 0, &op));
  cr_expect(op.line == 7 && op.column == 2, "%u:%u", op.line, op.column);
  shape_analysis_free(a);
  shape_attribute unnamed = {.kind = SHAPE_ATTRIBUTE_INT};
  shape_op_spec wrong = SHAPE_STRUCT(shape_op_spec);
  cr_expect_eq(shape_program_add_op(p, body, &wrong), SHAPE_NO_ID, "no name");
  wrong.name = "a.b";
  wrong.attributes = &unnamed;
  wrong.attribute_count = 1;
  cr_expect_eq(shape_program_add_op(p, body, &wrong), SHAPE_NO_ID);
  cr_expect_eq(shape_program_add_op(p, 77, &wrong), SHAPE_NO_ID);
  shape_program_free(p);
}

Test(program, regions_are_filled_after_their_operation) {
  shape_program *p = shape_program_new(NULL);
  shape_type in[2] = {shape_program_type(p, "tensor<i1>"), shape_program_type(p, "tensor<?xf32>")};
  shape_block body = shape_program_body(p, shape_program_add_function(p, "main", in, 2));
  shape_value c = shape_program_argument(p, body, 0), x = shape_program_argument(p, body, 1);
  shape_op_spec spec = SHAPE_STRUCT(shape_op_spec);
  spec.name = "stablehlo.if";
  spec.operands = &c;
  spec.operand_count = 1;
  spec.results = &in[1];
  spec.result_count = 1;
  spec.region_count = 2;
  shape_op branch = shape_program_add_op(p, body, &spec);
  cr_assert_neq(branch, SHAPE_NO_ID);
  for (uint32_t i = 0; i < 2; i++) {
    shape_block block = shape_program_add_block(p, branch, i, NULL, 0);
    cr_assert_neq(block, SHAPE_NO_ID, "%s", shape_program_error(p)->message);
    add(p, block, (shape_op_spec){.name = "stablehlo.return", .operands = &x, .operand_count = 1});
  }
  cr_expect_eq(shape_program_add_block(p, branch, 2, NULL, 0), SHAPE_NO_ID);
  shape_value y = shape_program_result(p, branch, 0);
  add(p, body, (shape_op_spec){.name = "func.return", .operands = &y, .operand_count = 1});
  shape_analysis *a = analyzed(p, NULL);
  cr_expect_eq(shape_analysis_error_count(a), 0);
  cr_expect_eq(shape_analysis_same_shape(a, x, y), SHAPE_YES);
  shape_analysis_free(a);
  shape_program_free(p);
}

static void ends(shape_program *p, shape_block block, const char *name, const shape_value *operands,
                 uint32_t count, const shape_successor *to, uint32_t to_count) {
  shape_op_spec spec = SHAPE_STRUCT(shape_op_spec);
  spec.name = name;
  spec.operands = operands;
  spec.operand_count = count;
  spec.successors = to;
  spec.successor_count = to_count;
  cr_expect_neq(shape_program_add_op(p, block, &spec), SHAPE_NO_ID, "%s",
                shape_program_error(p)->message);
}

Test(program, blocks_go_on_to_one_another) {
  shape_program *p = shape_program_new(NULL);
  shape_type in[2] = {shape_program_type(p, "i1"), shape_program_type(p, "tensor<?xf32>")};
  shape_function f = shape_program_add_function(p, "main", in, 2);
  shape_block first = shape_program_body(p, f);
  shape_value flag = shape_program_argument(p, first, 0), x = shape_program_argument(p, first, 1);
  // A region in the first block makes it move when the next one is added.
  shape_op_spec spec = {.struct_size = sizeof spec,
                        .name = "stablehlo.case",
                        .operands = (shape_value[]){shape_program_argument(p, first, 0)},
                        .operand_count = 1,
                        .region_count = 1};
  shape_op inner = shape_program_add_op(p, first, &spec);
  ends(p, shape_program_add_block(p, inner, 0, NULL, 0), "stablehlo.return", NULL, 0, NULL, 0);
  shape_value handed[2] = {flag, x};
  ends(p, first, "cf.cond_br", (shape_value[]){flag, x}, 2,
       (shape_successor[]){{1, 1, 1}, {2, 2, 0}}, 2);
  shape_block yes = shape_program_add_body_block(p, f, &in[1], 1);
  cr_assert_neq(yes, SHAPE_NO_ID, "%s", shape_program_error(p)->message);
  ends(p, yes, "func.return", (shape_value[]){shape_program_argument(p, yes, 0)}, 1, NULL, 0);
  shape_block no = shape_program_add_body_block(p, f, NULL, 0);
  ends(p, no, "func.return", &x, 1, NULL, 0);
  cr_expect_eq(
      shape_program_add_op(p, first, &(shape_op_spec){.struct_size = sizeof spec, .name = "a.b"}),
      SHAPE_NO_ID, "finished");
  shape_op_spec wrong = {.struct_size = sizeof wrong,
                         .name = "cf.br",
                         .operands = handed,
                         .operand_count = 2,
                         .successors = (shape_successor[]){{0, 1, 2}},
                         .successor_count = 1};
  cr_expect_eq(shape_program_add_op(p, no, &wrong), SHAPE_NO_ID, "more operands than there are");
  shape_analysis *a = analyzed(p, NULL);
  shape_value y = shape_program_argument(p, yes, 0);
  cr_expect_eq(shape_analysis_same_shape(a, x, y), SHAPE_YES);
  shape_analysis_free(a);
  shape_program_free(p);
}

Test(program, a_block_that_is_never_added_is_refused) {
  shape_program *p = shape_program_new(NULL);
  shape_type in = shape_program_type(p, "tensor<?xf32>");
  shape_block first = shape_program_body(p, shape_program_add_function(p, "main", &in, 1));
  ends(p, first, "cf.br", NULL, 0, (shape_successor[]){{2, 0, 0}}, 1);
  cr_assert_neq(shape_program_add_body_block(p, 0, NULL, 0), SHAPE_NO_ID);
  shape_analysis *a = shape_program_analyze(p, NULL);
  cr_expect_eq(shape_analysis_error(a)->status, SHAPE_INVALID);
  cr_expect_str_eq(shape_analysis_error(a)->message, "a successor is no block of its region");
  shape_analysis_free(a);
  shape_session *s = shape_session_open(p, NULL);
  cr_expect_eq(shape_session_error(s)->status, SHAPE_INVALID);
  shape_session_free(s);
  shape_program_free(p);
}

Test(program, a_declared_function_is_called) {
  shape_program *p = shape_program_new(NULL);
  shape_type in = shape_program_type(p, "tensor<?xf32>"),
             out = shape_program_type(p, "tensor<4x?xf32>");
  shape_function outside = shape_program_declare_function(p, "outside", &in, 1, &out, 1);
  cr_assert_neq(outside, SHAPE_NO_ID);
  cr_expect_eq(shape_program_body(p, outside), SHAPE_NO_ID);
  cr_expect_eq(shape_program_add_body_block(p, outside, NULL, 0), SHAPE_NO_ID);
  cr_expect_eq(shape_program_add_function(p, "outside", NULL, 0), SHAPE_NO_ID, "declared already");
  shape_block body = shape_program_body(p, shape_program_add_function(p, "main", &in, 1));
  shape_value x = shape_program_argument(p, body, 0);
  shape_attribute attributes[2] = {
      {.name = "callee", .kind = SHAPE_ATTRIBUTE_SYMBOL, .text = "outside"},
      {.name = "map", .kind = SHAPE_ATTRIBUTE_MLIR, .text = "affine_map<(d0) -> (d0)>"}};
  shape_value y = add(p, body,
                      (shape_op_spec){.name = "func.call",
                                      .operands = &x,
                                      .operand_count = 1,
                                      .results = &out,
                                      .result_count = 1,
                                      .attributes = attributes,
                                      .attribute_count = 2});
  add(p, body, (shape_op_spec){.name = "func.return", .operands = &y, .operand_count = 1});
  shape_analysis *a = analyzed(p, NULL);
  cr_expect_eq(shape_analysis_error_count(a), 0);
  uint32_t rank;
  cr_expect(shape_analysis_rank(a, y, &rank) && rank == 2);
  shape_analysis_free(a);
  shape_program_free(p);
}

Test(program, a_diagnostic_names_its_operation) {
  static const char TEXT[] =
      "func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {\n"
      "  %0 = stablehlo.abs %a : tensor<2xf32>\n"
      "  %1 = \"stablehlo.add\"(%0, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>\n"
      "  return %1 : tensor<2xf32>\n}\n";
  shape_program *p = shape_program_new(NULL);
  cr_assert_eq(shape_program_load(p, TEXT, strlen(TEXT), NULL), SHAPE_OK);
  shape_analysis *a = shape_program_analyze(p, NULL);
  shape_diagnostic d;
  cr_assert(shape_analysis_diagnostic(a, 0, &d));
  cr_expect_eq(d.op, 1);
  shape_analysis_free(a);
  shape_program_free(p);
}

Test(program, invalid_parts_are_refused) {
  shape_program *p = shape_program_new(NULL);
  const int64_t unknown[] = {-1}, wide[] = {-1 - ((int64_t)1 << 32)};
  cr_assert_neq(shape_program_symbol(p, "N", 0, INT64_MAX, 1), SHAPE_DYNAMIC);
  cr_expect_neq(shape_program_tensor(p, "f32", unknown, 1), SHAPE_NO_ID, "N");
  cr_expect_eq(shape_program_tensor(p, "f32", wide, 1), SHAPE_NO_ID);
  cr_expect_eq(shape_program_tensor(p, "f32", NULL, 1), SHAPE_NO_ID);
  cr_expect_eq(shape_program_tensor(p, NULL, NULL, 0), SHAPE_NO_ID);
  cr_expect_eq(shape_program_type(p, NULL), SHAPE_NO_ID);
  cr_expect_eq(shape_program_add_function(p, "f", NULL, 1), SHAPE_NO_ID);
  shape_block body = shape_program_body(p, shape_program_add_function(p, "main", NULL, 0));
  const int64_t number = 1;
  shape_attribute value = {.name = "value",
                           .kind = SHAPE_ATTRIBUTE_DENSE,
                           .ints = &number,
                           .count = 1,
                           .type = shape_program_type(p, "tensor<f32>")};
  shape_op_spec op = SHAPE_STRUCT(shape_op_spec);
  op.name = "stablehlo.constant";
  op.attributes = &value;
  op.attribute_count = 1;
  cr_expect_eq(shape_program_add_op(p, body, &op), SHAPE_NO_ID, "integers of a tensor of floats");
  cr_expect_eq(shape_program_error(p)->status, SHAPE_INVALID);
  value.type = shape_program_type(p, "tensor<i32>");
  cr_expect_neq(shape_program_add_op(p, body, &op), SHAPE_NO_ID);
  op = (shape_op_spec){.struct_size = sizeof op, .name = "a.b", .operand_count = 1};
  cr_expect_eq(shape_program_add_op(p, body, &op), SHAPE_NO_ID, "no operands");
  shape_program_free(p);
}

// The JSON form would have U+FFFD for each of them, so two names would be one.
Test(program, texts_that_are_not_utf_8_are_refused) {
  static const char INVALID[] = "\xff";
  shape_program *p = shape_program_new(NULL);
  cr_expect_eq(shape_program_symbol(p, INVALID, 0, 10, 1), SHAPE_DYNAMIC);
  cr_expect(strstr(shape_program_error(p)->message, "UTF-8"), "%s",
            shape_program_error(p)->message);
  cr_expect_neq(shape_program_symbol(p, "\xef\xbf\xbd", 0, 20, 1), SHAPE_DYNAMIC, "U+FFFD itself");
  cr_expect_eq(shape_program_assume(p, "\xff > 1"), SHAPE_INVALID);
  cr_expect_eq(shape_program_assume(p, NULL), SHAPE_INVALID);
  cr_expect_eq(shape_program_type(p, "tensor<4xf32, \"\xff\">"), SHAPE_NO_ID);
  cr_expect_eq(shape_program_add_function(p, INVALID, NULL, 0), SHAPE_NO_ID);
  shape_block body = shape_program_body(p, shape_program_add_function(p, "main", NULL, 0));
  shape_op_spec op = SHAPE_STRUCT(shape_op_spec);
  op.name = INVALID;
  cr_expect_eq(shape_program_add_op(p, body, &op), SHAPE_NO_ID);
  shape_attribute item = {.name = INVALID, .kind = SHAPE_ATTRIBUTE_UNIT};
  shape_attribute outer = {
      .name = "a", .kind = SHAPE_ATTRIBUTE_DICT, .items = &item, .item_count = 1};
  op.name = "x.y";
  op.attributes = &outer;
  op.attribute_count = 1;
  cr_expect_eq(shape_program_add_op(p, body, &op), SHAPE_NO_ID);
  item = (shape_attribute){.name = "b", .kind = SHAPE_ATTRIBUTE_STRING, .text = INVALID};
  cr_expect_eq(shape_program_add_op(p, body, &op), SHAPE_NO_ID);
  cr_expect_eq(shape_program_error(p)->status, SHAPE_INVALID);
  item.text = "\xc3\xa4";
  cr_expect_neq(shape_program_add_op(p, body, &op), SHAPE_NO_ID);
  shape_program_free(p);
}

Test(program, a_return_may_lack_an_operand) {
  shape_program *p = shape_program_new(NULL);
  shape_block body = shape_program_body(p, shape_program_add_function(p, "main", NULL, 0));
  shape_value none = SHAPE_NO_ID;
  add(p, body, (shape_op_spec){.name = "func.return", .operands = &none, .operand_count = 1});
  shape_analysis_free(shape_program_analyze(p, NULL));
  shape_program_free(p);
}

Test(program, a_context_of_an_analysis_prints_symbols_of_its_own) {
  char out[40];
  shape_program *p = loaded(MLIR);
  shape_analysis *a = analyzed(p, NULL);
  shape_context *c = shape_analysis_context(a);
  shape_expr own = shape_context_dim(c, "own"), rows = shape_context_find(c, "S0");
  shape_context_text(c, shape_context_binary(c, SHAPE_ADD, own, rows), out, sizeof out);
  cr_expect_str_eq(out, "S0 + own");
  shape_analysis_free(a);
  shape_program_free(p);
}
