// SPDX-License-Identifier: Apache-2.0
// The two forms of dynamism.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define CUT                                                                                        \
  "func.func @main(%data: tensor<4xi32>, %count: tensor<i32>) -> tensor<?xi32> {\n"                \
  "  %start = stablehlo.constant dense<0> : tensor<1xi32>\n"                                       \
  "  %limit = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>\n"                         \
  "  %step = stablehlo.constant dense<1> : tensor<1xi32>\n"                                        \
  "  %r = stablehlo.real_dynamic_slice %data, %start, %limit, %step : (tensor<4xi32>, "            \
  "tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>\n"                                \
  "  return %r : tensor<?xi32>\n}\n"

Test(dynamism, a_slice_of_unknown_length_is_a_bounded_dim) {
  const refine_case c = {.program = CUT, .options = {.dynamism = DYNAMISM_BOUNDED}};
  expect_refined(&c, "stablehlo.set_dimension_size", "real_dynamic_slice");
  expect_refined(&c, "tensor<?xi32, #stablehlo.bounds<4>>", NULL);
}

Test(dynamism, and_back) {
  const refine_case bounded = {.program = CUT, .options = {.dynamism = DYNAMISM_BOUNDED}};
  char *text = refine_text(&bounded);
  const refine_case back = {.program = text, .options = {.dynamism = DYNAMISM_UNBOUNDED}};
  expect_refined(&back, "stablehlo.real_dynamic_slice", "set_dimension_size");
  free(text);
}

Test(dynamism, a_size_that_is_a_number_is_a_slice) {
  const refine_case c = {
      .program = "func.func @main(%x: tensor<4x3xf32>, %n: tensor<i32>) -> tensor<?x3xf32, "
                 "#stablehlo.bounds<4, ?>> {\n"
                 "  %r = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4x3xf32>, "
                 "tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<4, ?>>\n"
                 "  return %r : tensor<?x3xf32, #stablehlo.bounds<4, ?>>\n}\n",
      .options = {.require_static = true},
      .binding = "arg1=2",
  };
  expect_refined(&c, "stablehlo.slice %x [0:2, 0:3]", "set_dimension_size");
}
