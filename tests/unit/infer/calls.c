// SPDX-License-Identifier: Apache-2.0
// Calls are analysed with the dims of their arguments; arguments are specialised, bound, assumed about.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/mlir/mlir.h"
#include "solver/report/report.h"
#include "solver/analysis/run.h"

static shape_status read_mlir(struct shape_graph *graph, struct shape_budget *budget, void *data) {
  (void)budget;
  (void)data;
  return mlir_read(graph);
}

static shape_run *analyzed(const char *text) {
  shape_run *p = shape_run_new(text, strlen(text), NULL);
  cr_assert_eq(shape_run_read(p, GRAPH_MLIR, read_mlir, NULL), SHAPE_OK);
  cr_assert_eq(shape_run_analyze(p, NULL), SHAPE_OK);
  return p;
}

static void expect_results(const char *text, const char *sizes) {
  shape_run *p = analyzed(text);
  shape_report *r = shape_run_report(p);
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
  shape_run_free(p);
}

// What `check` would show, a line each: LINE code, then the lines of related locations.
static void expect_diagnostics(const char *text, diag_severity severity, const char *expected) {
  shape_run *p = analyzed(text);
  const shape_graph *g = shape_run_graph(p);
  char out[512] = "";
  for (uint32_t i = 0; i < g->diags.count; i++) {
    const diag *d = &g->diags.items[i];
    if (d->severity != severity) continue;
    char line[64];
    snprintf(line, sizeof line, "%u %s in %u;", graph_position(g, d->span).line, d->code,
             graph_position(g, d->inner).line);
    strncat(out, line, sizeof out - strlen(out) - 1);
  }
  cr_expect_str_eq(out, expected, "%s\n  gives %s, not %s", text, out, expected);
  shape_run_free(p);
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
  shape_run *p = analyzed(text);
  shape_report *r = shape_run_report(p);
  const report_function *f = &r->functions[0];
  cr_expect_neq(r->shapes[f->result_shapes[0]].dims[0], r->shapes[f->result_shapes[1]].dims[0]);
  shape_run_free(p);
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

#define SUM                                                                                        \
  "func.func private @sum(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {\n"              \
  "  %0 = stablehlo.add %a, %b : tensor<?xf32>\n  return %0 : tensor<?xf32> }\n"
#define MAIN_2_3                                                                                   \
  "func.func @main(%p: tensor<i1>, %x: tensor<?xf32>, %two: tensor<2xf32>, %three: "               \
  "tensor<3xf32>) -> tensor<?xf32> {\n"                                                            \
  "  %u = tensor.cast %two : tensor<2xf32> to tensor<?xf32>\n"                                     \
  "  %v = tensor.cast %three : tensor<3xf32> to tensor<?xf32>\n"
#define CALL_SUM(result, a, b)                                                                     \
  "%" result " = func.call @sum(%" a ", %" b ") : (tensor<?xf32>, tensor<?xf32>) -> "              \
  "tensor<?xf32>\n"

Test(calls, conflicts_are_errors_of_the_call_where_calls_share_the_function) {
  expect_diagnostics(
      SUM MAIN_2_3 CALL_SUM("0", "x", "x") CALL_SUM("1", "u", "v") CALL_SUM("2", "u", "v")
          CALL_SUM("3", "v", "u") CALL_SUM("4", "u", "u") "return %0 : tensor<?xf32> }\n",
      DIAG_ERROR, "8 shape-mismatch in 2;9 shape-mismatch in 2;10 shape-mismatch in 2;");
  expect_diagnostics(SUM MAIN_2_3 "  %0 = \"stablehlo.if\"(%p) ({\n" CALL_SUM(
                         "1", "u", "v") "  stablehlo.return %1 : "
                                        "tensor<?xf32>\n  }, {\n" CALL_SUM(
                                            "2", "x", "x") "  stablehlo.return %2 : "
                                                           "tensor<?xf32>\n"
                                                           "  }) : (tensor<i1>) -> "
                                                           "tensor<?xf32>\n  return "
                                                           "%0 : tensor<?xf32> }\n",
                     DIAG_ERROR, "8 shape-mismatch in 2;");
  // One call: the function has no other use, and the error is where it can be mended.
  expect_diagnostics(SUM MAIN_2_3 CALL_SUM("1", "u", "v") "return %1 : tensor<?xf32> }\n",
                     DIAG_ERROR, "2 shape-mismatch in 2;");
}

Test(calls, conflicts_below_a_shared_function_are_errors_of_its_call) {
  expect_diagnostics(
      SUM
      "func.func private @outer(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> "
      "{\n" CALL_SUM(
          "0", "a",
          "b") "return %0 : tensor<?xf32> }\n" MAIN_2_3
               "%0 = func.call @outer(%x, %x) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
               "%1 = func.call @outer(%u, %v) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
               "return %0 : tensor<?xf32> }\n",
      DIAG_ERROR, "11 shape-mismatch in 2;");
}

#define GROW                                                                                       \
  "func.func private @grow(%n: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {\n"               \
  "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"                                          \
  "  %one = stablehlo.constant dense<1> : tensor<i32>\n"                                           \
  "  %p = stablehlo.compare EQ, %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"            \
  "  %r = \"stablehlo.if\"(%p) ({\n    stablehlo.return %x : tensor<?xf32>\n  }, {\n"              \
  "    %m = stablehlo.subtract %n, %one : tensor<i32>\n"                                           \
  "    %y = func.call @grow(%m, %x) : (tensor<i32>, tensor<?xf32>) -> tensor<?xf32>\n"             \
  "    %z = stablehlo.concatenate %x, %y, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> "            \
  "tensor<?xf32>\n    stablehlo.return %z : tensor<?xf32>\n"                                       \
  "  }) : (tensor<i1>) -> tensor<?xf32>\n  return %r : tensor<?xf32> }\n"
#define GROW_FROM(n)                                                                               \
  GROW "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"                                   \
       "  %n = stablehlo.constant dense<" n "> : tensor<i32>\n"                                    \
       "  %0 = func.call @grow(%n, %x) : (tensor<i32>, tensor<?xf32>) -> tensor<?xf32>\n"          \
       "  return %0 : tensor<?xf32> }\n"

Test(calls, recursion_over_known_values_is_followed_to_a_depth) {
  expect_results(GROW_FROM("0"), "S0;");
  expect_results(GROW_FROM("3"), "4*S0;");
  expect_results(GROW_FROM("31"), "32*S0;");
  expect_diagnostics(GROW_FROM("31"), DIAG_NOTE, "");
  expect_diagnostics(GROW_FROM("32"), DIAG_NOTE, "9 unsupported in 9;");
  expect_diagnostics(GROW_FROM("-1"), DIAG_NOTE, "9 unsupported in 9;");
}

Test(calls, recursion_that_may_not_end_is_unsupported_and_no_error) {
  static const char data[] =
      GROW "func.func @main(%n: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {\n"
           "  %0 = func.call @grow(%n, %x) : (tensor<i32>, tensor<?xf32>) -> tensor<?xf32>\n"
           "  return %0 : tensor<?xf32> }\n";
  expect_diagnostics(data, DIAG_NOTE, "9 unsupported in 9;");
  expect_diagnostics(data, DIAG_ERROR, "");
}

Test(calls, a_function_that_calls_itself_whenever_it_runs_is_an_error) {
  expect_diagnostics("func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
                     "  %0 = func.call @main(%a) : (tensor<?xf32>) -> tensor<?xf32>\n"
                     "  return %0 : tensor<?xf32> }\n",
                     DIAG_ERROR, "2 call in 2;");
  expect_diagnostics(
      "func.func @main(%a: tensor<?xf32>) {\n  func.call @p() : () -> ()\n  return }\n"
      "func.func private @p() {\n  func.call @q() : () -> ()\n  return }\n"
      "func.func private @q() {\n  func.call @p() : () -> ()\n  return }\n",
      DIAG_ERROR, "8 call in 8;");
}

#define FOREVER                                                                                    \
  "func.func private @p(%a: tensor<i1>) {\n  func.call @p(%a) : (tensor<i1>) -> ()\n  return }\n"

// Nothing is wrong where it may not be called, or may call another in between that does not call it.
Test(calls, recursion_without_end_in_a_branch_is_no_error) {
  expect_diagnostics(
      "func.func @main(%a: tensor<i1>) {\n"
      "  \"stablehlo.if\"(%a) ({\n    func.call @p(%a) : (tensor<i1>) -> ()\n    stablehlo.return\n"
      "  }, {\n    stablehlo.return\n  }) : (tensor<i1>) -> ()\n  return }\n" FOREVER,
      DIAG_ERROR, "");
  expect_diagnostics(
      "func.func @main(%a: tensor<i1>) {\n  func.call @p(%a) : (tensor<i1>) -> ()\n  return }\n"
      "func.func private @p(%a: tensor<i1>) {\n  func.call @q(%a) : (tensor<i1>) -> ()\n  return "
      "}\n"
      "func.func private @q(%a: tensor<i1>) {\n"
      "  \"stablehlo.if\"(%a) ({\n    func.call @p(%a) : (tensor<i1>) -> ()\n    stablehlo.return\n"
      "  }, {\n    stablehlo.return\n  }) : (tensor<i1>) -> ()\n  return }\n",
      DIAG_ERROR, "");
}

// A function that calls itself twice: 2^32 calls when each is followed to the greatest depth.
Test(calls, doubling_recursion_ends) {
  const char *text =
      "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %0 = func.call @f(%a) : (tensor<?xf32>) -> tensor<?xf32>\n  return %0 : tensor<?xf32> }\n"
      "func.func private @f(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %0 = func.call @f(%a) : (tensor<?xf32>) -> tensor<?xf32>\n"
      "  %1 = func.call @f(%0) : (tensor<?xf32>) -> tensor<?xf32>\n"
      "  return %1 : tensor<?xf32> }\n";
  shape_run *p = analyzed(text);
  cr_expect_lt(shape_run_report(p)->infer->frame_count, 40);
  shape_run_free(p);
}

// f0 calls f1 twice, f1 calls f2 twice, ...: 2^40 calls when each is followed.
static uint64_t steps_of(const char *text, uint32_t operations) {
  shape_run *p = analyzed(text);
  shape_report *r = shape_run_report(p);
  cr_expect(r->ok);
  cr_expect_eq(r->stats.ops, operations);
  uint64_t steps = r->stats.steps;
  shape_run_free(p);
  return steps;
}

static uint64_t steps_of_chain(int length) {
  static char text[40 * 400];
  char *at = text;
  for (int i = 0; i < length; i++) {
    at += sprintf(at,
                  "func.func @f%d(%%a: tensor<?xf32>) -> tensor<?xf32> {\n"
                  "  %%0 = func.call @f%d(%%a) : (tensor<?xf32>) -> tensor<?xf32>\n"
                  "  %%1 = func.call @f%d(%%0) : (tensor<?xf32>) -> tensor<?xf32>\n  return %%1 : "
                  "tensor<?xf32> }\n",
                  i, i + 1, i + 1);
  }
  sprintf(at,
          "func.func @f%d(%%a: tensor<?xf32>) -> tensor<?xf32> {\n"
          "  %%0 = \"my.op\"(%%a) : (tensor<?xf32>) -> tensor<?xf32>\n  return %%0 : "
          "tensor<?xf32> }\n",
          length);
  return steps_of(text, 3u * (uint32_t)length + 2);
}

// Each function calls the next one twice: what is the same is analysed once.
Test(calls, steps_of_doubling_chains_are_bounded) {
  uint64_t half = steps_of_chain(20), whole = steps_of_chain(40);
  cr_expect_leq(whole, 3 * half, "%llu after %llu", (unsigned long long)whole,
                (unsigned long long)half);
}

// The steps that loops take which are so deep in one another.
static uint64_t steps_of_nest(int depth) {
  static char text[1 << 16];
  char *at = text;
  at += sprintf(at, "func.func @main(%%a: tensor<?xf32>, %%n: tensor<i32>) -> tensor<?xf32> {\n");
  for (int i = 0; i < depth; i++) {
    at += sprintf(
        at,
        "%%r%d:2 = stablehlo.while(%%i%d = %%n, %%y%d = %%a) : tensor<i32>, tensor<?xf32>\n"
        "cond { %%t = stablehlo.compare LT, %%i%d, %%n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "stablehlo.return %%t : tensor<i1> }\ndo {\n",
        i, i, i, i);
  }
  for (int i = depth - 1; i >= 0; i--) {
    at += sprintf(at,
                  "%%c%d = stablehlo.concatenate %%y%d, %%y%d, dim = 0 : (tensor<?xf32>, "
                  "tensor<?xf32>) -> tensor<?xf32>\n"
                  "stablehlo.return %%i%d, %%c%d : tensor<i32>, tensor<?xf32> }\n",
                  i, i, i, i, i);
  }
  sprintf(at, "return %%a : tensor<?xf32> }\n");
  return steps_of(text, 4u * (uint32_t)depth + 1 + (uint32_t)depth);
}

// Loops in loops in loops: trials of trials must not multiply.
Test(loops, steps_of_deep_nests_are_linear) {
  uint64_t half = steps_of_nest(20), whole = steps_of_nest(40);
  cr_expect_leq(whole, 3 * half, "%llu after %llu", (unsigned long long)whole,
                (unsigned long long)half);
}
