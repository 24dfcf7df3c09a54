// SPDX-License-Identifier: Apache-2.0
// Constants of one element that are broadcast or reshaped.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define PROGRAM(constant, type, op, result)                                                        \
  "func.func @main() -> " result " {\n  %c = stablehlo.constant " constant " : " type              \
  "\n  %r = " op " : (" type ") -> " result "\n  return %r : " result "\n}\n"

static void expect(const char *program, const char *part) {
  expect_refined(
      &(refine_case){.program = program, .options = {.passes = "aggressive-simplification"}}, part,
      NULL);
}

Test(splats, become_constants_of_the_result) {
  expect(PROGRAM("dense<1.0>", "tensor<f32>", "stablehlo.broadcast_in_dim %c, dims = []",
                 "tensor<2x3xf32>"),
         "stablehlo.constant dense<1.0> : tensor<2x3xf32>");
  expect(PROGRAM("dense<true>", "tensor<i1>", "stablehlo.reshape %c", "tensor<1xi1>"),
         "stablehlo.constant dense<true> : tensor<1xi1>");
  expect(PROGRAM("dense<0.5>", "tensor<4xf32>", "stablehlo.reshape %c", "tensor<2x2xf32>"),
         "stablehlo.constant dense<0.5> : tensor<2x2xf32>");
}

Test(splats, what_has_elements_stays) {
  expect(PROGRAM("dense<[1.0, 2.0]>", "tensor<2xf32>", "stablehlo.reshape %c", "tensor<2x1xf32>"),
         "stablehlo.reshape");
}
