// SPDX-License-Identifier: Apache-2.0
// Wrappers of operands make way, assertions that hold go.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

Test(wrappers, an_assertion_goes_where_it_holds) {
  const refine_case open = {.program = ASSERTION("GE")};
  const refine_case fixed = {.program = ASSERTION("GE"), .argument_types = "tensor<8xf32>"};
  expect_refined(&open, "@shape_assertion", NULL);
  expect_refined(&fixed, "tensor<8xf32>", "@shape_assertion");
}

#define WRAPPER                                                                                    \
  "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"                                        \
  "  %s = stablehlo.constant dense<8> : tensor<1xi64>\n"                                           \
  "  %w = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%x, %s) "              \
  "{indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<?xf32>, tensor<1xi64>) -> "    \
  "tensor<?xf32>\n"                                                                                \
  "  %r = stablehlo.negate %w : tensor<?xf32>\n  return %r : tensor<?xf32>\n}\n"

Test(wrappers, a_wrapper_makes_way_for_its_operand) {
  const refine_case c = {.program = WRAPPER, .argument_types = "tensor<8xf32>"};
  expect_refined(&c, "stablehlo.negate %x : tensor<8xf32>", "operand_wrapper");
}
