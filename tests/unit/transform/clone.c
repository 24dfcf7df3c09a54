// SPDX-License-Identifier: Apache-2.0
// Copies of functions for calls of different shapes.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define CALLS(first, second)                                                                       \
  "func.func @main(%x: tensor<" first "xf32>, %y: tensor<" second "xf32>) {\n"                     \
  "  %a = func.call @f(%x) : (tensor<" first "xf32>) -> tensor<?xf32>\n"                           \
  "  %b = func.call @f(%y) : (tensor<" second "xf32>) -> tensor<?xf32>\n  return\n}\n"             \
  "func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n"                                   \
  "  %r = stablehlo.negate %x : tensor<?xf32>\n  return %r : tensor<?xf32>\n}\n"

Test(clone, a_function_is_copied_for_each_shape) {
  const refine_case c = {.program = CALLS("?", "?"),
                         .argument_types = "tensor<2xf32>,tensor<3xf32>"};
  expect_refined(&c, "@f_1(%x: tensor<2xf32>)", NULL);
  expect_refined(&c, "@f_2(%x: tensor<3xf32>)", NULL);
}

Test(clone, one_shape_needs_no_copy) {
  const refine_case c = {.program = CALLS("?", "?"),
                         .argument_types = "tensor<2xf32>,tensor<2xf32>"};
  expect_refined(&c, "@f(%x: tensor<2xf32>)", "@f_1");
}
