// SPDX-License-Identifier: Apache-2.0
// One type for what must have one.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

Test(types, what_must_be_one_type_gets_what_covers_all_of_it) {
  const refine_case c = {
      .program = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
                 "  %n = stablehlo.constant dense<4> : tensor<1xi32>\n"
                 "  %r = stablehlo.dynamic_reshape %a, %n : (tensor<?xf32>, tensor<1xi32>) -> "
                 "tensor<4xf32>\n"
                 "  %s = stablehlo.negate %a : tensor<?xf32>\n"
                 "  return %s : tensor<?xf32>\n}\n"};
  expect_refined(&c, "@main(%a: tensor<4xf32>) -> tensor<4xf32>", NULL);
  expect_refined(&c, "stablehlo.negate %a : tensor<4xf32>", "tensor<?xf32>");
}

Test(types, a_dim_that_is_dynamic_is_an_error_where_none_may_be) {
  const refine_case open = {.program = ASSERTION("GE"), .options = {.require_static = true}};
  const refine_case fixed = {.program = ASSERTION("GE"),
                             .options = {.require_static = true},
                             .argument_types = "tensor<8xf32>"};
  expect_refined(&open, NULL, "func.func");
  expect_refined(&fixed, "func.func", NULL);
}
