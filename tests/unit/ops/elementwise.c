// SPDX-License-Identifier: Apache-2.0
// Operations element by element, constants, and the arithmetic of integer elements.
#include "tests/unit/ops/rules.h"

Test(elementwise, operands_have_one_shape) {
  expect_arguments(
      "%a: tensor<?x10xf32>, %b: tensor<10x?xf32>",
      "%r = stablehlo.add %a, %b : (tensor<?x10xf32>, tensor<10x?xf32>) -> tensor<?x?xf32>",
      "[10, 10] [10, 10]");
  expect_sizes(
      "%a: tensor<?x10xf32>, %b: tensor<10x?xf32>",
      "%r = stablehlo.add %a, %b : (tensor<?x10xf32>, tensor<10x?xf32>) -> tensor<?x?xf32>",
      "[10, 10]");
  expect_sizes("%a: tensor<?xf32>, %b: tensor<*xf32>",
               "%r = stablehlo.add %a, %b : (tensor<?xf32>, tensor<*xf32>) -> tensor<*xf32>",
               "[S0]");
  expect_error("%a: tensor<3xf32>, %b: tensor<4xf32>",
               "%r = stablehlo.add %a, %b : (tensor<3xf32>, tensor<4xf32>) -> tensor<?xf32>",
               "shape-mismatch");
}

Test(elementwise, result_tells_of_the_operands) {
  expect_arguments("%a: tensor<?x?xf32>",
                   "%r = stablehlo.abs %a : (tensor<?x?xf32>) -> tensor<?x7xf32>", "[S0, 7]");
}

Test(elementwise, select_and_clamp_take_scalars) {
  expect_arguments("%p: tensor<i1>, %a: tensor<?xf32>, %b: tensor<5xf32>",
                   "%r = stablehlo.select %p, %a, %b : (tensor<i1>, tensor<?xf32>, tensor<5xf32>) "
                   "-> tensor<?xf32>",
                   "[] [5] [5]");
  expect_arguments("%p: tensor<?xi1>, %a: tensor<?xf32>",
                   "%r = stablehlo.select %p, %a, %a : (tensor<?xi1>, tensor<?xf32>, "
                   "tensor<?xf32>) -> tensor<?xf32>",
                   "[S0] [S0]");
  expect_sizes("%l: tensor<f32>, %a: tensor<?xf32>",
               "%r = stablehlo.clamp %l, %a, %l : (tensor<f32>, tensor<?xf32>, tensor<f32>) -> "
               "tensor<?xf32>",
               "[S0]");
}

#define CONSTANTS(type, a, b)                                                                      \
  "%a = stablehlo.constant dense<" a "> : tensor<" type ">\n"                                      \
  "%b = stablehlo.constant dense<" b "> : tensor<" type ">\n"
#define FOLD(what, type, a, b)                                                                     \
  CONSTANTS(type, a, b) "%r = stablehlo." what " %a, %b : tensor<" type ">"

Test(elementwise, constants_wrap_as_their_type) {
  expect_elements("", FOLD("add", "2xi8", "[127, -128]", "[1, -1]"), "[-128, 127]");
  expect_elements("", FOLD("add", "ui8", "255", "1"), "[0]");
  expect_elements("", FOLD("subtract", "ui16", "0", "1"), "[65535]");
  expect_elements("", FOLD("multiply", "i32", "65536", "65536"), "[0]");
  expect_elements("", FOLD("add", "i64", "9223372036854775807", "1"), "[-9223372036854775808]");
  expect_elements("", FOLD("power", "3xi32", "[3, -1, 2]", "[4, -3, -1]"), "[81, -1, 0]");
  expect_elements("",
                  FOLD("add", "4xi1", "[true, true, false, false]", "[true, false, true, false]"),
                  "[1, 1, 1, 0]");
}

Test(elementwise, division_truncates) {
  expect_elements("", FOLD("divide", "4xi32", "[7, -7, 7, -7]", "[2, 2, -2, -2]"),
                  "[3, -3, -3, 3]");
  expect_elements("", FOLD("remainder", "4xi32", "[7, -7, 7, -7]", "[2, 2, -2, -2]"),
                  "[1, -1, 1, -1]");
  expect_elements("", FOLD("divide", "i32", "1", "0"), "[?]");
  expect_elements("", FOLD("divide", "i8", "-128", "-1"), "[-128]");
}

Test(elementwise, bits_and_shifts) {
  expect_elements("", FOLD("and", "i32", "12", "10"), "[8]");
  expect_elements("", FOLD("or", "i32", "12", "10"), "[14]");
  expect_elements("", FOLD("xor", "i32", "12", "-1"), "[-13]");
  expect_elements("", FOLD("shift_left", "2xi8", "[64, 1]", "[1, 8]"), "[-128, 0]");
  expect_elements("", FOLD("shift_right_arithmetic", "2xi8", "[-128, -1]", "[1, 9]"), "[-64, -1]");
  expect_elements("", FOLD("shift_right_logical", "2xi8", "[-128, -1]", "[1, 8]"), "[64, 0]");
}

#define ONE(what, type, a)                                                                         \
  "%a = stablehlo.constant dense<" a "> : tensor<" type ">\n"                                      \
  "%r = stablehlo." what " %a : tensor<" type ">"

Test(elementwise, shifts_and_masks_at_the_ends_of_a_type) {
  expect_elements("", FOLD("shift_right_arithmetic", "2xui8", "[200, 100]", "[1, 1]"), "[228, 50]");
  expect_elements("", FOLD("shift_right_arithmetic", "ui8", "200", "9"), "[255]");
  expect_elements("%u: tensor<ui8>",
                  CONSTANTS("ui8", "1", "1") "%r = stablehlo.shift_right_arithmetic %u, %a : "
                                             "tensor<ui8>",
                  "[?]");
  expect_elements("%n: tensor<i64>",
                  CONSTANTS("i64", "-9223372036854775808", "1") "%r = stablehlo.and %n, %a : "
                                                                "tensor<i64>",
                  "[S1]");
}

Test(elementwise, arith_reads_one_bit_as_a_sign) {
#define BOTH "%t = arith.constant true\n%f = arith.constant false\n"
  expect_elements("", BOTH "%r = arith.addi %t, %t : i1", "[0]");
  expect_elements("", BOTH "%r = arith.subi %f, %t : i1", "[1]");
  expect_elements("", BOTH "%r = arith.maxsi %t, %f : i1", "[0]");
  expect_elements("", BOTH "%r = arith.minsi %t, %f : i1", "[1]");
  expect_elements("", BOTH "%r = arith.maxui %t, %f : i1", "[1]");
  expect_elements("", BOTH "%r = arith.cmpi slt, %t, %f : i1", "[1]");
  expect_elements("", BOTH "%r = arith.cmpi ult, %t, %f : i1", "[0]");
#undef BOTH
}

Test(elementwise, powers_of_narrow_types_are_not_those_of_wide_ones) {
  expect_elements("%a: tensor<i8>, %b: tensor<i8>",
                  "%n = stablehlo.power %a, %b : tensor<i8>\n"
                  "%x = stablehlo.convert %a : (tensor<i8>) -> tensor<i32>\n"
                  "%y = stablehlo.convert %b : (tensor<i8>) -> tensor<i32>\n"
                  "%w = stablehlo.power %x, %y : tensor<i32>\n"
                  "%m = stablehlo.convert %n : (tensor<i8>) -> tensor<i32>\n"
                  "%c = stablehlo.subtract %w, %m : tensor<i32>\n"
                  "%z = stablehlo.constant dense<0> : tensor<i32>\n"
                  "%r = stablehlo.compare EQ, %c, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>",
                  "[?]");
}

Test(elementwise, unary) {
  expect_elements("", ONE("negate", "2xi8", "[-128, 5]"), "[-128, -5]");
  expect_elements("", ONE("abs", "3xi32", "[-4, 0, 4]"), "[4, 0, 4]");
  expect_elements("", ONE("sign", "3xi32", "[-4, 0, 4]"), "[-1, 0, 1]");
  expect_elements("", ONE("not", "2xi1", "[true, false]"), "[0, 1]");
  expect_elements("", ONE("not", "ui8", "3"), "[252]");
  expect_elements("", ONE("popcnt", "2xi8", "[-1, 6]"), "[8, 2]");
  expect_elements("", ONE("count_leading_zeros", "3xi8", "[1, 0, -1]"), "[7, 8, 0]");
}

#define SIZE                "%s = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
#define NUMBER(name, value) "%" name " = stablehlo.constant dense<" value "> : tensor<i32>\n"

Test(elementwise, sizes_compute) {
  expect_elements("%a: tensor<?xf32>", SIZE "%r = stablehlo.add %s, %s : tensor<i32>", "[2*S0]");
  expect_elements("%a: tensor<?xf32>",
                  SIZE NUMBER("k", "3") "%r = stablehlo.divide %s, %k : tensor<i32>",
                  "[floordiv(S0, 3)]");
  expect_elements("%a: tensor<?xf32>",
                  SIZE NUMBER("k", "3") "%r = stablehlo.remainder %s, %k : tensor<i32>",
                  "[mod(S0, 3)]");
  expect_elements(
      "%a: tensor<?xf32>",
      SIZE NUMBER(
          "z", "0") "%c = stablehlo.compare LT, %s, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                    "%r = stablehlo.select %c, %z, %s : tensor<i1>, tensor<i32>",
      "[S0]");
  expect_elements("%a: tensor<?xf32>", SIZE "%r = stablehlo.abs %s : tensor<i32>", "[S0]");
  // A divisor that may be 0 proves nothing.
  expect_open(
      "%a: tensor<?xf32>",
      SIZE
      "%q = stablehlo.divide %s, %s : tensor<i32>\n%h = stablehlo.reshape %q : (tensor<i32>) -> "
      "tensor<1xi32>\n%r = stablehlo.dynamic_iota %h, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>",
      "S0 == 1");
}

Test(elementwise, unsigned_differences_wrap) {
  expect_elements("%a: tensor<?xf32>, %b: tensor<?xf32>",
                  SIZE
                  "%t = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
                  "%u = stablehlo.convert %s : (tensor<i32>) -> tensor<ui32>\n"
                  "%v = stablehlo.convert %t : (tensor<i32>) -> tensor<ui32>\n"
                  "%d = stablehlo.subtract %u, %v : tensor<ui32>\n"
                  "%r = stablehlo.reshape %d : (tensor<ui32>) -> tensor<1xui32>",
                  "[mod(S0 - S1, 4294967296)]");
}

Test(elementwise, conversions) {
  expect_elements(
      "", CONSTANTS("i32", "300", "0") "%r = stablehlo.convert %a : (tensor<i32>) -> tensor<i8>",
      "[44]");
  expect_elements(
      "", CONSTANTS("i32", "-1", "0") "%r = stablehlo.convert %a : (tensor<i32>) -> tensor<ui8>",
      "[255]");
  expect_elements(
      "", CONSTANTS("i32", "7", "0") "%r = stablehlo.convert %a : (tensor<i32>) -> tensor<i1>",
      "[1]");
  expect_elements("", "%a = arith.constant true\n%r = arith.extsi %a : i1 to i32", "[-1]");
  expect_elements("", "%a = arith.constant true\n%r = arith.extui %a : i1 to i32", "[1]");
  expect_elements("", "%a = arith.constant 6 : i32\n%r = arith.trunci %a : i32 to i1", "[0]");
}

Test(elementwise, iota_and_constants) {
  expect_elements("", "%r = stablehlo.iota dim = 1 : tensor<2x3xi32>", "[0, 1, 2, 0, 1, 2]");
  expect_elements("", "%r = stablehlo.iota dim = 1 : tensor<2x0xi32>", "[]");
  expect_elements("", "%r = stablehlo.constant dense<18446744073709551615> : tensor<ui64>",
                  "[18446744073709551615]");
  expect_error("", "%r = stablehlo.iota dim = 2 : tensor<2x3xi32>", "axis");
  expect_error("", "%r = \"stablehlo.iota\"() {iota_dimension = 0 : i64} : () -> tensor<i32>",
               "axis");
}
