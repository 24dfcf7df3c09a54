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

// What a slice requires of its starts and limits is asserted; of one from 0 the dim that is set requires it.
Test(dynamism, a_slice_still_ends_within_its_operand) {
  static const char PROGRAM[] = "func.func @main(%x: tensor<10x8xf32>, %lo: tensor<2xi32>, %hi: "
                                "tensor<2xi32>) -> tensor<?x4xf32> {\n"
                                "  %st = stablehlo.constant dense<1> : tensor<2xi32>\n"
                                "  %r = stablehlo.real_dynamic_slice %x, %lo, %hi, %st : "
                                "(tensor<10x8xf32>, tensor<2xi32>, tensor<2xi32>, "
                                "tensor<2xi32>) -> tensor<?x4xf32>\n"
                                "  return %r : tensor<?x4xf32>\n}\n";
  const refine_case c = {.program = PROGRAM, .options = {.dynamism = DYNAMISM_BOUNDED}};
  expect_refined(&c, "compare GE, %r_from0, %r_none0", NULL);
  expect_refined(&c, "compare LE, %r_to0, %r_last0", NULL);
  expect_refined(&c, "%r_last1 = stablehlo.constant dense<4>", NULL);
  expect_refined(&c, "compare EQ, %r_to1, %r_end1", NULL);
  const refine_case zero = {.program = CUT, .options = {.dynamism = DYNAMISM_BOUNDED}};
  expect_refined(&zero, "stablehlo.set_dimension_size", "shape_assertion");
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

#define PADDED(operand, high)                                                                      \
  "func.func @main(%x: " operand ", %n: tensor<i32>) -> tensor<?x3xf32> {\n"                       \
  "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"                                           \
  "  %c = stablehlo.constant dense<6> : tensor<i32>\n"                                             \
  "  %m = stablehlo.minimum %n, %c : tensor<i32>\n"                                                \
  "  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>\n"                                \
  "  %o = stablehlo.constant dense<0> : tensor<1xi32>\n"                                           \
  "  %high = stablehlo.concatenate " high ", dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "         \
  "tensor<2xi32>\n"                                                                                \
  "  %low = stablehlo.constant dense<[1, 0]> : tensor<2xi32>\n"                                    \
  "  %i = stablehlo.constant dense<[2, 0]> : tensor<2xi32>\n"                                      \
  "  %r = stablehlo.dynamic_pad %x, %z, %low, %high, %i : (" operand ", tensor<f32>, "             \
  "tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x3xf32>\n"                              \
  "  return %r : tensor<?x3xf32>\n}\n"

static void expect_bounded(const char *program, const char *part, const char *absent) {
  const refine_case c = {.program = program, .options = {.dynamism = DYNAMISM_BOUNDED}};
  expect_refined(&c, part, absent);
}

// The second axis has the size of its type only where nothing is added to it: else a check would be lost.
Test(dynamism, a_padding_to_the_bounds_whose_size_is_set) {
  expect_bounded(PADDED("tensor<4x3xf32>", "%m1, %o"),
                 "stablehlo.pad %x, %z, low = [1, 0], high = [6, 0], interior = [2, 0] : "
                 "(tensor<4x3xf32>, tensor<f32>) -> tensor<17x3xf32>",
                 "dynamic_pad");
  expect_bounded(PADDED("tensor<4x3xf32>", "%m1, %o"), "dense<11> : tensor<i64>", NULL);
  expect_bounded(PADDED("tensor<0x3xf32>", "%m1, %o"), "high = [6, 0]", "dynamic_pad");
  expect_bounded(PADDED("tensor<4x3xf32>", "%m1, %m1"), "stablehlo.dynamic_pad", NULL);
}

#define MOVED(result, bound)                                                                       \
  "func.func @main(%x: tensor<4x3xf32>, %l: tensor<1xi32>, %h: tensor<1xi32>) -> " result " {\n"   \
  "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"                                           \
  "  %o = stablehlo.constant dense<0> : tensor<1xi32>\n"                                           \
  "  %low = stablehlo.concatenate %l, %o, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "            \
  "tensor<2xi32>\n"                                                                                \
  "  %high = stablehlo.concatenate " bound                                                         \
  ", %o, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>\n"                              \
  "  %i = stablehlo.constant dense<[1, 0]> : tensor<2xi32>\n"                                      \
  "  %r = stablehlo.dynamic_pad %x, %z, %low, %high, %i : (tensor<4x3xf32>, tensor<f32>, "         \
  "tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> " result "\n  return %r : " result "\n}\n"

// Lower paddings that are computed choose the window of what is padded on both sides.
Test(dynamism, a_lower_padding_that_is_computed) {
  expect_bounded(
      MOVED("tensor<?x3xf32, #stablehlo.bounds<9, ?>>", "%h"),
      "low = [9, 3], high = [9, 3], interior = [1, 0] : (tensor<4x3xf32>, tensor<f32>) -> "
      "tensor<25x9xf32>",
      "dynamic_pad");
  expect_bounded(MOVED("tensor<?x3xf32, #stablehlo.bounds<9, ?>>", "%h"),
                 "%r_start0 = stablehlo.subtract %r_bound0, %r_low0", NULL);
  expect_bounded(MOVED("tensor<9x3xf32>", "%h"), "stablehlo.dynamic_pad", "stablehlo.pad");
  // 64 bits are not cut off.
  expect_bounded("func.func @main(%x: tensor<4xf32>, %h: tensor<1xi64>) -> tensor<?xf32, "
                 "#stablehlo.bounds<9>> {\n"
                 "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                 "  %o = stablehlo.constant dense<0> : tensor<1xi64>\n"
                 "  %r = stablehlo.dynamic_pad %x, %z, %o, %h, %o : (tensor<4xf32>, tensor<f32>, "
                 "tensor<1xi64>, "
                 "tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32, #stablehlo.bounds<9>>\n"
                 "  return %r : tensor<?xf32, #stablehlo.bounds<9>>\n}\n",
                 "compare LE, %r_lengthwide0, %r_largest0 : (tensor<i64>, tensor<i64>)",
                 "dynamic_pad");
}

#define B "tensor<?x3xf32, #stablehlo.bounds<8, ?>>"
#define CUT_BOUNDED(limit)                                                                         \
  "func.func @main(%x: " B ", %n: tensor<i32>) -> " B " {\n"                                       \
  "  %d = stablehlo.get_dimension_size %x, dim = 0 : (" B ") -> tensor<i32>\n"                     \
  "  %m = stablehlo.minimum %n, %d : tensor<i32>\n"                                                \
  "  %z = stablehlo.constant dense<0> : tensor<i32>\n"                                             \
  "  %k = stablehlo.maximum %m, %z : tensor<i32>\n"                                                \
  "  %l = stablehlo.reshape " limit " : (tensor<i32>) -> tensor<1xi32>\n"                          \
  "  %w = stablehlo.constant dense<3> : tensor<1xi32>\n"                                           \
  "  %limits = stablehlo.concatenate %l, %w, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "         \
  "tensor<2xi32>\n"                                                                                \
  "  %s = stablehlo.constant dense<0> : tensor<2xi32>\n"                                           \
  "  %t = stablehlo.constant dense<1> : tensor<2xi32>\n"                                           \
  "  %r = stablehlo.real_dynamic_slice %x, %s, %limits, %t : (" B ", tensor<2xi32>, "              \
  "tensor<2xi32>, tensor<2xi32>) -> " B "\n  return %r : " B "\n}\n"

// A size may be set beyond what a dynamic axis has: a slice that may not end within it has no equal.
Test(dynamism, a_slice_of_an_operand_with_bounds) {
  expect_bounded(CUT_BOUNDED("%k"), "stablehlo.set_dimension_size %x, ", "real_dynamic_slice");
  expect_bounded(CUT_BOUNDED("%n"), "has no bounded equal", NULL);
}

#define PAD(type)                                                                                  \
  "func.func @main(%x: tensor<4xf32>, %v: tensor<f32>, %lo: tensor<1x" type                        \
  ">, %hi: tensor<1x" type ">) -> tensor<?xf32, #stablehlo.bounds<200>> {\n"                       \
  "  %i = stablehlo.constant dense<2> : tensor<1x" type ">\n"                                      \
  "  %r = stablehlo.dynamic_pad %x, %v, %lo, %hi, %i : (tensor<4xf32>, tensor<f32>, "              \
  "tensor<1x" type ">, tensor<1x" type ">, tensor<1x" type                                         \
  ">) -> tensor<?xf32, #stablehlo.bounds<200>>\n"                                                  \
  "  return %r : tensor<?xf32, #stablehlo.bounds<200>>\n}\n"

// Paddings are added, and the sum is asserted to be within the bound, in a type that it does not wrap around in.
Test(dynamism, a_sum_of_paddings_does_not_wrap_around) {
  const char *programs[] = {PAD("ui8"), PAD("i16"), PAD("i32"), PAD("ui32")};
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    const refine_case c = {.program = programs[i], .options = {.dynamism = DYNAMISM_BOUNDED}};
    expect_refined(&c, "%r_lengthwide0 = stablehlo.add %r_high0, %r_known0 : tensor<i64>", NULL);
    expect_refined(&c, "compare GE, %r_lengthwide0, ", "%r_smaller0");
    expect_refined(&c, "compare LE, %r_lengthwide0, %r_largest0 : (tensor<i64>", "dynamic_pad");
  }
  const refine_case wide = {.program = PAD("i64"), .options = {.dynamism = DYNAMISM_BOUNDED}};
  expect_refined(&wide, "compare LE, %r_smaller0, %r_above0", NULL);
  expect_refined(&wide, "compare GE, %r_greater0, %r_below0", NULL);
  const refine_case none = {.program = PAD("ui64"), .options = {.dynamism = DYNAMISM_BOUNDED}};
  expect_refined(&none, "stablehlo.dynamic_pad", "set_dimension_size");
}

// An element of a list is compared with numbers that its type may not have.
Test(dynamism, a_dim_is_a_number_of_the_type_it_is_compared_in) {
  const refine_case c = {
      .program = "func.func @main(%x: tensor<300xf32>, %lo: tensor<1xi8>, %hi: tensor<1xi8>) -> "
                 "tensor<?xf32> {\n"
                 "  %st = stablehlo.constant dense<1> : tensor<1xi8>\n"
                 "  %r = stablehlo.real_dynamic_slice %x, %lo, %hi, %st : (tensor<300xf32>, "
                 "tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<?xf32>\n"
                 "  return %r : tensor<?xf32>\n}\n",
      .options = {.dynamism = DYNAMISM_BOUNDED}};
  expect_refined(&c, "%r_last0 = stablehlo.constant dense<300> : tensor<i64>", NULL);
}

#define LARGE(bound, start)                                                                        \
  "func.func @main(%x: tensor<" bound "xf32>, %l: tensor<1xi64>) -> tensor<?xf32, "                \
  "#stablehlo.bounds<" bound ">> {\n"                                                              \
  "  %s = stablehlo.constant dense<" start "> : tensor<1xi64>\n"                                   \
  "  %o = stablehlo.constant dense<1> : tensor<1xi64>\n"                                           \
  "  %r = stablehlo.real_dynamic_slice %x, %s, %l, %o : (tensor<" bound "xf32>, tensor<1xi64>, "   \
  "tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32, #stablehlo.bounds<" bound ">>\n"                 \
  "  return %r : tensor<?xf32, #stablehlo.bounds<" bound ">>\n}\n"

// The dim that is set is an i32.
Test(dynamism, a_bound_beyond_i32_has_no_equal) {
  expect_bounded(LARGE("2147483647", "0"), "stablehlo.set_dimension_size", "real_dynamic_slice");
  expect_bounded(LARGE("2147483648", "0"), "has no bounded equal", "set_dimension_size");
  expect_bounded(LARGE("9223372036854775807", "1"), "has no bounded equal", "set_dimension_size");
}
