// SPDX-License-Identifier: Apache-2.0
// Where a text writes types, where its operations end, and where their operands are.
#include "solver/formats/mlir/uses.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/formats/mlir/rows.h"

// As FN, for printf.
#define FORMAT "func.func @f(%%a: tensor<?x4xf32>, %%i: index, %%c: i1) {\n  %s\n  return\n}\n"

typedef struct used {
  shape_arena arena;
  shape_graph graph;
  mlir_uses uses;
} used;

static void open(used *u, const char *text) {
  memset(u, 0, sizeof *u);
  arena_init(&u->arena, 0);
  graph_init(&u->graph, &u->arena, GRAPH_MLIR, text, strlen(text));
  cr_assert_eq(mlir_read_uses(&u->graph, &u->uses), SHAPE_OK);
  cr_assert_eq(u->graph.diags.errors, 0, "%s", text);
}

// Those of the second line: "kind subject.index text", by the first letters of the kinds.
static const char *rows(used *u) {
  static const char *const KINDS[] = {"value",    "result", "same",   "select",
                                      "complex",  "taken",  "made",   "declared",
                                      "function", "body",   "pinned", "results"};
  const char *text = u->graph.source.text, *from = strchr(text, '\n'), *to = strchr(from + 1, '\n');
  shape_strbuf out;
  strbuf_init(&out, &u->arena);
  for (uint32_t i = 0; i < u->uses.count; i++) {
    const mlir_type_use *use = &u->uses.items[i];
    bool none = span_is_none(use->span);
    if (!none && (text + use->span.begin < from || text + use->span.end > to)) continue;
    strbuf_printf(&out, "%s%s %u.%u %.*s", out.length ? "; " : "", KINDS[use->kind], use->subject,
                  use->index, none ? 1 : (int)(use->span.end - use->span.begin),
                  none ? "-" : text + use->span.begin);
  }
  return strbuf_text(&out);
}

// Values are %a 0, %i 1, %c 2; the operation is number 0 and its result value 3.
Test(mlir_note_uses, each_type_is_of_a_value_or_of_all) {
  static const char *const CASES[][2] = {
      {FN("%r = stablehlo.abs %a : tensor<?x4xf32>"), "same 0.1 tensor<?x4xf32>"},
      {FN("%r = stablehlo.add %a, %a : tensor<?x4xf32>"), "same 0.1 tensor<?x4xf32>"},
      {FN("%r = stablehlo.abs %a : (tensor<?x4xf32>) -> tensor<?x4xf32>"),
       "value 0.0 tensor<?x4xf32>; result 0.0 tensor<?x4xf32>"},
      {FN("%r:2 = \"my.op\"(%a, %i) : (tensor<?x4xf32>, index) -> (i1, i8)"),
       "value 0.0 tensor<?x4xf32>; value 1.1 index; result 0.0 i1; result 0.1 i8"},
      {FN("%r = stablehlo.select %c, %a, %a : i1, tensor<?x4xf32>"),
       "select 0.2 i1, tensor<?x4xf32>"},
      {FN("%r = stablehlo.complex %a, %a : tensor<?x4xcomplex<f32>>"),
       "complex 0.1 tensor<?x4xcomplex<f32>>"},
      {FN("%r = stablehlo.iota dim = 0 : tensor<4xi32>"), "result 0.0 tensor<4xi32>"},
      {FN("%r = stablehlo.constant dense<1> : tensor<4xi32>"), ""},
      {FN("\"my.op\"() : () -> ()"), ""},
      {FN("%r = tensor.dim %a, %i : tensor<?x4xf32>"), "value 0.0 tensor<?x4xf32>"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    used u;
    open(&u, CASES[i][0]);
    cr_expect_str_eq(rows(&u), CASES[i][1], "%s%s", CASES[i][0], rows(&u));
    arena_destroy(&u.arena);
  }
}

// In front of blanks, comments and the location.
Test(mlir_note_uses, an_operation_ends_after_its_last_token) {
  static const char *const CASES[] = {"%r = stablehlo.abs %a : tensor<?x4xf32>@   // comment",
                                      "%r = stablehlo.abs %a : tensor<?x4xf32>@ loc(\"f\":1:2)",
                                      "\"my.op\"(%a) : (tensor<?x4xf32>) -> ()@ loc(unknown)",
                                      "\"my.op\"() ({\n}) : () -> ()@"};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char line[128], text[256];
    const char *mark = strchr(CASES[i], '@');
    used u;
    snprintf(line, sizeof line, "%.*s%s", (int)(mark - CASES[i]), CASES[i], mark + 1);
    snprintf(text, sizeof text, FORMAT, line);
    open(&u, text);
    const char *at = strstr(u.graph.source.text, line);
    cr_assert_not_null(at);
    cr_expect_eq(mlir_op_end(&u.uses, 0),
                 (uint32_t)(at - u.graph.source.text) + (uint32_t)(mark - CASES[i]), "%s", line);
    cr_expect_eq(mlir_op_end(&u.uses, u.uses.op_count), 0);
    arena_destroy(&u.arena);
  }
}

Test(mlir_note_uses, operands_are_at_their_names) {
  used u;
  open(&u, FN("%r = \"my.op\"(%i, %a, %i) : (index, tensor<?x4xf32>, index) -> i1"));
  const graph_op *op = &u.graph.ops[0];
  static const char NAMES[] = "iai";
  for (uint32_t i = 0; i < 3; i++) {
    const char *at = u.graph.source.text + u.uses.operands[op->operands + i];
    cr_expect(at[0] == '%' && at[1] == NAMES[i], "%.4s", at);
    cr_expect(!i || u.uses.operands[op->operands + i] > u.uses.operands[op->operands + i - 1]);
  }
  arena_destroy(&u.arena);
}

// What is not known of an operation keeps the types of all around it.
Test(mlir_note_uses, opaque_operations_are_pinned) {
  static const struct {
    const char *op;
    bool opaque, partial, hides;
  } cases[] = {{"\"my.op\"(%a) : (tensor<?x4xf32>) -> ()", false, false, false},
               {"stablehlo.abs %a : tensor<?x4xf32>", false, false, false},
               {"my.op %a with odd syntax : tensor<?x4xf32>", true, true, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    used u;
    snprintf(text, sizeof text, FORMAT, cases[i].op);
    open(&u, text);
    cr_expect_eq(mlir_op_is_opaque(&u.uses, 0), cases[i].opaque, "%s", cases[i].op);
    cr_expect_eq(mlir_op_is_partial(&u.uses, 0), cases[i].partial, "%s", cases[i].op);
    cr_expect_eq(strstr(rows(&u), "pinned 0.0 -") != NULL, cases[i].opaque, "%s", rows(&u));
    arena_destroy(&u.arena);
  }
}

// With and without a name, nested, and as the generic form writes them.
Test(mlir_note_uses, modules_are_written_out) {
  used u;
  static const char TEXT[] = "module @m attributes {a.b = 1 : i32} {\n  module {\n  }\n}\n"
                             "\"builtin.module\"() ({\n}) : () -> ()\n";
  open(&u, TEXT);
  cr_assert_eq(u.uses.module_count, 3);
  const mlir_module_use *m = u.uses.modules;
  cr_expect(memcmp(TEXT + m[0].head.begin, "module @m attributes {a.b = 1 : i32} {",
                   m[0].head.end - m[0].head.begin) == 0);
  cr_expect_eq(m[0].head.end, 38);
  cr_expect(m[0].name.end - m[0].name.begin == 2 && TEXT[m[0].name.begin] == '@');
  cr_expect(TEXT[m[0].attrs.begin] == '{' && TEXT[m[0].attrs.end - 1] == '}');
  cr_expect_eq(m[1].name.begin, m[1].name.end);
  cr_expect(!m[0].generic && !m[1].generic && m[2].generic);
  for (int i = 0; i < 3; i++) cr_expect_eq(TEXT[m[i].close], '}', "%d", i);
  cr_expect_gt(m[0].close, m[1].close);
  arena_destroy(&u.arena);
}
