// SPDX-License-Identifier: Apache-2.0
// Operations that stay dynamic are errors under require_static, each with what it depends on.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define PROGRAM(argument, shape)                                                                   \
  "func.func @main(%x: tensor<8xf32>, %n: " argument ") -> tensor<2x4xf32> {\n" shape              \
  "  %r = stablehlo.dynamic_reshape %x, %s : (tensor<8xf32>, tensor<2xi32>) -> tensor<2x4xf32>\n"  \
  "  return %r : tensor<2x4xf32>\n}\n"

Test(dynamic_ops, an_operation_of_static_type_may_stay_dynamic) {
  static const char *const PROGRAMS[] = {
      PROGRAM("tensor<2xi32>", "  %s = stablehlo.abs %n : tensor<2xi32>\n"),
      PROGRAM("tensor<2xf32>", "  %s = stablehlo.convert %n : (tensor<2xf32>) -> tensor<2xi32>\n")};
  static const char *const REASONS[] = {
      "stablehlo.dynamic_reshape stays dynamic: it depends on the value of argument 1",
      "stablehlo.dynamic_reshape stays dynamic: it depends on what stablehlo.convert computes"};
  for (unsigned i = 0; i < 2; i++) {
    expect_refined(&(refine_case){.program = PROGRAMS[i], .options = {.require_static = true}},
                   REASONS[i], NULL);
    expect_refined(&(refine_case){.program = PROGRAMS[i],
                                  .options = {.require_static = true, .cleanup = true},
                                  .argument_types = i ? "tensor<8xf32>,tensor<2xf32>"
                                                      : "tensor<8xf32>,tensor<2xi32>"},
                   REASONS[i], "func.func");
  }
}

Test(dynamic_ops, what_is_static_is_no_error) {
  expect_refined(&(refine_case){.program = RESHAPE("tensor<?x?xf32>"),
                                .options = {.require_static = true},
                                .argument_types = "tensor<6xf32>"},
                 "stablehlo.reshape", "stays");
}
