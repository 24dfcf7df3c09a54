// SPDX-License-Identifier: Apache-2.0
// Calls are analysed with the sizes of their arguments; arguments are specialised, bound, assumed about.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdio.h>
#include <string.h>

#include "proto/mlir/mlir.h"
#include "solver/report/report.h"
#include "solver/shape.h"

static shape_status read_mlir(struct shape_graph *graph, struct shape_budget *budget, void *data) {
  (void)budget;
  (void)data;
  return mlir_read(graph);
}

static shape_program *analyzed(const char *text) {
  shape_program *p = shape_program_new(text, strlen(text), NULL);
  cr_assert_eq(shape_program_read(p, SHAPE_FORMAT_MLIR, read_mlir, NULL), SHAPE_OK);
  cr_assert_eq(shape_program_analyze(p, NULL), SHAPE_OK);
  return p;
}

static void expect_results(const char *text, const char *sizes) {
  shape_program *p = analyzed(text);
  shape_report *r = shape_program_report(p);
  const report_function *f = &r->functions[0];
  char out[512] = "";
  cr_expect(r->ok, "%s", text);
  for (uint32_t i = 0; i < f->result_count; i++) {
    const report_shape *s = &r->shapes[f->result_shapes[i]];
    for (uint32_t d = 0; d < s->rank; d++) {
      report_text t = s->dims[d] == TERM_NONE ? (report_text){"?", 1} : report_term(r, s->dims[d]);
      strncat(out, t.text, t.length);
      strcat(out, d + 1 < s->rank ? "," : ";");
    }
  }
  cr_expect_str_eq(out, sizes, "%s\n  gives %s, not %s", text, out, sizes);
  shape_program_free(p);
}

static bool has_error(const char *text, const char *code) {
  shape_program *p = analyzed(text);
  const diag_list *diags = &shape_program_graph(p)->diags;
  bool found = false;
  for (uint32_t i = 0; i < diags->count; i++)
    found =
        found || (diags->items[i].severity == DIAG_ERROR && !strcmp(diags->items[i].code, code));
  shape_program_free(p);
  return found;
}

#define DOUBLE                                                                                     \
  "func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n"                                   \
  "  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> "              \
  "tensor<?xf32>\n"                                                                                \
  "  return %0 : tensor<?xf32> }\n"

Test(calls, are_analysed_per_context) {
  expect_results(
      "func.func @main(%a: tensor<?xf32>, %b: tensor<3xf32>) -> (tensor<?xf32>, tensor<?xf32>) {\n"
      "  %0 = func.call @f(%a) : (tensor<?xf32>) -> tensor<?xf32>\n"
      "  %c = tensor.cast %b : tensor<3xf32> to tensor<?xf32>\n"
      "  %1 = func.call @f(%c) : (tensor<?xf32>) -> tensor<?xf32>\n"
      "  return %0, %1 : tensor<?xf32>, tensor<?xf32> }\n" DOUBLE,
      "2*S0;6;");
}

Test(calls, opaque_results_of_two_calls_are_not_one) {
  const char *text =
      "func.func @main(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {\n"
      "  %0 = func.call @u(%a) : (tensor<?xf32>) -> tensor<?xf32>\n"
      "  %1 = func.call @u(%a) : (tensor<?xf32>) -> tensor<?xf32>\n"
      "  return %0, %1 : tensor<?xf32>, tensor<?xf32> }\n"
      "func.func private @u(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %0 = \"my.op\"(%x) : (tensor<?xf32>) -> tensor<?xf32>\n  return %0 : tensor<?xf32> }\n";
  shape_program *p = analyzed(text);
  shape_report *r = shape_program_report(p);
  const report_function *f = &r->functions[0];
  cr_expect_neq(r->shapes[f->result_shapes[0]].dims[0], r->shapes[f->result_shapes[1]].dims[0]);
  shape_program_free(p);
}

Test(calls, requirements_of_a_callee_are_the_callers) {
  expect_results(
      "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %0 = func.call @g(%a) : (tensor<?xf32>) -> tensor<?xf32>\n  return %a : tensor<?xf32> }\n"
      "func.func private @g(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %c = stablehlo.constant dense<1.0> : tensor<4xf32>\n"
      "  %0 = stablehlo.add %x, %c : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>\n"
      "  return %0 : tensor<?xf32> }\n",
      "4;");
}

Test(calls, recursion_is_an_error) {
  cr_expect(has_error("func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
                      "  %0 = func.call @main(%a) : (tensor<?xf32>) -> tensor<?xf32>\n  return %0 "
                      ": tensor<?xf32> }\n",
                      "recursion"));
  cr_expect(
      has_error("func.func @main(%a: tensor<?xf32>) {\n  func.call @p() : () -> ()\n  return }\n"
                "func.func private @p() {\n  func.call @q() : () -> ()\n  return }\n"
                "func.func private @q() {\n  func.call @p() : () -> ()\n  return }\n",
                "recursion"));
}

// f0 calls f1 twice, f1 calls f2 twice, ...: 2^40 calls when each is followed.
Test(calls, doubling_chains_end) {
  static char text[40 * 400];
  char *at = text;
  for (int i = 0; i < 40; i++) {
    at += sprintf(at,
                  "func.func @%s%d(%%a: tensor<?xf32>) -> tensor<?xf32> {\n"
                  "  %%0 = func.call @f%d(%%a) : (tensor<?xf32>) -> tensor<?xf32>\n"
                  "  %%1 = func.call @f%d(%%0) : (tensor<?xf32>) -> tensor<?xf32>\n  return %%1 : "
                  "tensor<?xf32> }\n",
                  "f", i, i + 1, i + 1);
  }
  sprintf(at, "func.func @f40(%%a: tensor<?xf32>) -> tensor<?xf32> {\n"
              "  %%0 = \"my.op\"(%%a) : (tensor<?xf32>) -> tensor<?xf32>\n  return %%0 : "
              "tensor<?xf32> }\n");
  shape_program_free(analyzed(text));
}

// Loops in loops in loops: trials of trials must not multiply.
Test(loops, deep_nests_end) {
  static char text[1 << 16];
  char *at = text;
  at += sprintf(at, "func.func @main(%%a: tensor<?xf32>, %%n: tensor<i32>) -> tensor<?xf32> {\n");
  for (int i = 0; i < 40; i++) {
    at += sprintf(
        at,
        "%%r%d:2 = stablehlo.while(%%i%d = %%n, %%y%d = %%a) : tensor<i32>, tensor<?xf32>\n"
        "cond { %%t = stablehlo.compare LT, %%i%d, %%n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "stablehlo.return %%t : tensor<i1> }\ndo {\n",
        i, i, i, i);
  }
  for (int i = 39; i >= 0; i--) {
    at += sprintf(at,
                  "%%c%d = stablehlo.concatenate %%y%d, %%y%d, dim = 0 : (tensor<?xf32>, "
                  "tensor<?xf32>) -> tensor<?xf32>\n"
                  "stablehlo.return %%i%d, %%c%d : tensor<i32>, tensor<?xf32> }\n",
                  i, i, i, i, i);
  }
  sprintf(at, "return %%a : tensor<?xf32> }\n");
  shape_program_free(analyzed(text));
}
