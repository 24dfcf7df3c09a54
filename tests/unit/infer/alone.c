// SPDX-License-Identifier: Apache-2.0
// Operations by themselves: what a verifier refuses whether it runs or not, and nothing that only several of them say.
#include <criterion/criterion.h>
#include <string.h>

#include "solver/analysis/run.h"
#include "solver/formats/mlir/mlir.h"

static shape_status read_mlir(struct shape_graph *graph, struct shape_budget *budget, void *data) {
  (void)budget;
  (void)data;
  return mlir_read(graph);
}

static uint32_t errors_of(const char *text, bool alone) {
  run_options options = {.alone = alone};
  shape_run *p = shape_run_new(text, strlen(text), NULL);
  cr_assert_eq(shape_run_read(p, GRAPH_MLIR, read_mlir, NULL), SHAPE_OK);
  cr_assert_eq(shape_run_analyze(p, &options), SHAPE_OK);
  uint32_t errors = shape_run_errors(p);
  shape_run_free(p);
  return errors;
}

#define BRANCH(arguments, body)                                                                    \
  "func.func @main(" arguments ") {\n"                                                             \
  "  %f = stablehlo.constant dense<false> : tensor<i1>\n"                                          \
  "  %r = \"stablehlo.if\"(%f) ({\n" body                                                          \
  "    stablehlo.return %x : tensor<?xf32>\n  }, {\n    stablehlo.return %a : tensor<?xf32>\n"     \
  "  }) : (tensor<i1>) -> tensor<?xf32>\n  return\n}\n"

Test(alone, what_never_runs_has_to_fit) {
  static const char TEXT[] =
      BRANCH("%a: tensor<?xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>",
             "    %x = stablehlo.add %b, %c : (tensor<3xf32>, tensor<4xf32>) -> tensor<?xf32>\n");
  cr_expect_eq(errors_of(TEXT, false), 0);
  cr_expect_eq(errors_of(TEXT, true), 1);
}

Test(alone, constants_count_and_what_is_computed_does_not) {
  static const char CONSTANT[] =
      BRANCH("%a: tensor<?xf32>",
             "    %n = stablehlo.constant dense<-1> : tensor<1xi32>\n"
             "    %x = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n");
  static const char COMPUTED[] =
      BRANCH("%a: tensor<?xf32>",
             "    %p = stablehlo.constant dense<1> : tensor<1xi32>\n"
             "    %n = stablehlo.negate %p : tensor<1xi32>\n"
             "    %x = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n");
  cr_expect_eq(errors_of(CONSTANT, true), 1);
  cr_expect_eq(errors_of(COMPUTED, true), 0);
}

Test(alone, operations_tell_each_other_nothing) {
  static const char TEXT[] =
      "func.func @main(%a: tensor<?xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>) {\n"
      "  %x = stablehlo.add %a, %b : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>\n"
      "  %y = stablehlo.add %a, %c : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>\n"
      "  return\n}\n";
  cr_expect_gt(errors_of(TEXT, false), 0);
  cr_expect_eq(errors_of(TEXT, true), 0);
}

Test(alone, regions_yield_what_the_results_are) {
  static const char TEXT[] =
      "func.func @main(%p: tensor<i1>, %b: tensor<3xf32>, %c: tensor<4xf32>) {\n"
      "  %r = \"stablehlo.if\"(%p) ({\n    stablehlo.return %b : tensor<3xf32>\n  }, {\n"
      "    stablehlo.return %c : tensor<4xf32>\n  }) : (tensor<i1>) -> tensor<3xf32>\n"
      "  return\n}\n";
  cr_expect_eq(errors_of(TEXT, true), 1);
}
