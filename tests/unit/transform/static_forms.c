// SPDX-License-Identifier: Apache-2.0
// Dynamic operations of constants become static ones.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

Test(static_forms, a_reshape_to_constants_is_static) {
  const refine_case c = {.program = RESHAPE("tensor<?x?xf32>"), .argument_types = "tensor<6xf32>"};
  expect_refined(&c, "stablehlo.reshape %x : (tensor<6xf32>) -> tensor<2x3xf32>",
                 "dynamic_reshape");
}

Test(static_forms, a_reshape_to_data_stays) {
  const refine_case c = {
      .program = "func.func @main(%x: tensor<6xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {\n"
                 "  %r = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> "
                 "tensor<?x?xf32>\n  return %r : tensor<?x?xf32>\n}\n"};
  expect_refined(&c, "stablehlo.dynamic_reshape %x, %s", NULL);
}
