// SPDX-License-Identifier: Apache-2.0
// Arguments that are fixed.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

Test(arguments, a_fixed_argument_is_a_constant_of_its_name) {
  const refine_case c = {.program = "func.func @main(%n: tensor<i32>) -> tensor<i32> {\n"
                                    "  %r = stablehlo.add %n, %n : tensor<i32>\n"
                                    "  return %r : tensor<i32>\n}\n",
                         .binding = "arg0=5"};
  expect_refined(&c, "@main(%n_argument: tensor<i32>)", "@main(%n:");
  expect_refined(&c, "%n = stablehlo.constant dense<5> : tensor<i32>", NULL);
}
