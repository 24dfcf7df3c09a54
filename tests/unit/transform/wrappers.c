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

#define TWO  "tensor<?x4xf32>"
#define VEC2 "tensor<2xindex>"

// What is proven without the constraint goes, what only it says stays.
Test(wrappers, checks_that_are_proven_go) {
  const refine_case c = {
      .program = "func.func @main(%x: " TWO ", %y: " TWO ") -> " TWO " {\n"
                 "  %s = shape.shape_of %x : " TWO " -> " VEC2 "\n"
                 "  %b = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (" TWO ", " VEC2
                 ") -> " TWO "\n"
                 "  %t = stablehlo.tanh %b : " TWO "\n"
                 "  %st = shape.shape_of %t : " TWO " -> " VEC2 "\n"
                 "  %w = shape.cstr_broadcastable %s, %st : " VEC2 ", " VEC2 "\n"
                 "  %r = shape.assuming %w -> (" TWO ") {\n"
                 "    shape.assuming_yield %t : " TWO "\n  }\n"
                 "  %sy = shape.shape_of %y : " TWO " -> " VEC2 "\n"
                 "  %w2 = shape.cstr_eq %s, %sy : " VEC2 ", " VEC2 "\n"
                 "  return %r : " TWO "\n}\n",
      .options = {.cleanup = true},
  };
  expect_refined(&c, "stablehlo.tanh %x", "dynamic_broadcast_in_dim");
  expect_refined(&c, "%w = shape.const_witness true", "shape.cstr_broadcastable");
  expect_refined(&c, "shape.cstr_eq %s, %sy", NULL);
}
