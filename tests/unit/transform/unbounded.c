// SPDX-License-Identifier: Apache-2.0
// Bounded dynamism in its unbounded form.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define SET(operand, result)                                                                       \
  "func.func @main(%x: " operand ", %n: tensor<i32>) -> " result " {\n"                            \
  "  %r = stablehlo.set_dimension_size %x, %n, dim = 1 : (" operand ", tensor<i32>) -> " result    \
  "\n  return %r : " result "\n}\n"

static void expect_unbounded(const char *program, const char *part, const char *absent) {
  const refine_case c = {.program = program, .options = {.dynamism = DYNAMISM_UNBOUNDED}};
  expect_refined(&c, part, absent);
}

Test(unbounded, sizes_are_i32) {
  static const char BODY[] = SET("tensor<5x4x?xf32, #stablehlo.bounds<?, ?, 9>>",
                                 "tensor<5x?x?xf32, #stablehlo.bounds<?, 4, 9>>");
  expect_unbounded(BODY, "%r_limit0 = stablehlo.constant dense<5> : tensor<1xi32>", "i64");
  expect_unbounded(BODY, "%r_limit1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>", NULL);
  expect_unbounded(BODY, "%r_limit2 = stablehlo.reshape %r_size2 : (tensor<i32>) -> tensor<1xi32>",
                   NULL);
}

// A dim that i32 does not hold: all operands of the slice are of i64.
#define WIDE                                                                                       \
  SET("tensor<3000000000x4x?xf32, #stablehlo.bounds<?, ?, 9>>",                                    \
      "tensor<3000000000x?x?xf32, #stablehlo.bounds<?, 4, 9>>")

Test(unbounded, dims_that_need_i64) {
  static const char *const PARTS[] = {
      "%r_limit0 = stablehlo.constant dense<3000000000> : tensor<1xi64>",
      "%r_wide1 = stablehlo.convert %n : (tensor<i32>) -> tensor<i64>",
      "%r_limit1 = stablehlo.reshape %r_wide1 : (tensor<i64>) -> tensor<1xi64>",
      "%r_wide2 = stablehlo.convert %r_size2 : (tensor<i32>) -> tensor<i64>",
      "-> tensor<3xi64>",
      "%r_start = stablehlo.constant dense<0> : tensor<3xi64>",
      "tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<3000000000x?x?xf32>",
  };
  for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
    expect_unbounded(WIDE, PARTS[i], "set_dimension_size");
}

// Both forms are the same slice where the size is known.
Test(unbounded, both_forms_are_one_slice) {
  static const char BODY[] =
      SET("tensor<3000000000x4xf32>", "tensor<3000000000x?xf32, #stablehlo.bounds<?, 4>>");
  const refine_case form = {.program = BODY, .options = {.dynamism = DYNAMISM_UNBOUNDED}};
  char *text = refine_text(&form);
  const refine_case cases[] = {
      {.program = BODY, .binding = "arg1=3"},
      {.program = text, .binding = "arg1=3"},
  };
  for (int i = 0; i < 2; i++)
    expect_refined(&cases[i], "stablehlo.slice %x [0:3000000000, 0:3]", "stablehlo.real_dynamic");
  free(text);
}

Test(unbounded, an_axis_that_may_grow_has_no_equal) {
  expect_unbounded(
      SET("tensor<5x?xf32, #stablehlo.bounds<?, 4>>", "tensor<5x?xf32, #stablehlo.bounds<?, 4>>"),
      "set_dimension_size has no unbounded equal", "real_dynamic_slice");
}
