// SPDX-License-Identifier: Apache-2.0
// reshape, broadcast, concatenate, transpose, slices, pads.
#include "tests/unit/ops/rules.h"

#define SIZE(name, of, axis, type)                                                                 \
  "%" name " = stablehlo.get_dimension_size %" of ", dim = " axis " : (" type ") -> tensor<i32>\n"
#define AS1(name, of) "%" name " = stablehlo.reshape %" of " : (tensor<i32>) -> tensor<1xi32>\n"

Test(reshape, keeps_the_number_of_elements) {
  expect_error("%a: tensor<4x3xf32>",
               "%r = stablehlo.reshape %a : (tensor<4x3xf32>) -> tensor<5xf32>", "element-count");
  expect_arguments("%a: tensor<4x?xf32>",
                   "%r = stablehlo.reshape %a : (tensor<4x?xf32>) -> tensor<20xf32>", "[4, 5]");
  expect_error("%a: tensor<4x?xf32>",
               "%r = stablehlo.reshape %a : (tensor<4x?xf32>) -> tensor<21xf32>", "shape-mismatch");
  expect_arguments("%a: tensor<?xf32>, %s: tensor<3xi32>",
                   "%r = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<3xi32>) -> "
                   "tensor<?x12x64xf32>",
                   "[768*S0] [3]");
}

Test(reshape, zero_cancels_nothing) {
  expect_open("%a: tensor<?x?xf32>, %b: tensor<?xf32>",
              SIZE("d", "a", "0", "tensor<?x?xf32>") SIZE("e", "b", "0", "tensor<?xf32>")
                  AS1("p", "d") AS1("q", "e") "%s = stablehlo.concatenate %p, %q, dim = 0 : "
                                              "(tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>\n"
                                              "%r = stablehlo.dynamic_reshape %a, %s : "
                                              "(tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>",
              "S1 == S2");
}

Test(reshape, a_hole_is_what_is_left) {
  expect_sizes(
      "%a: tensor<?x6xf32>",
      "%s = mhlo.constant dense<[-1, 3]> : tensor<2xi32>\n"
      "%r = \"mhlo.dynamic_reshape\"(%a, %s) : (tensor<?x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>",
      "[2*S0, 3]");
}

Test(broadcast, sizes_are_one_or_the_result) {
  expect_error("%a: tensor<3xf32>",
               "%r = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<3xf32>) -> tensor<4xf32>",
               "shape-mismatch");
  expect_sizes(
      "%a: tensor<1xf32>",
      "%r = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<1xf32>) -> tensor<2x4xf32>",
      "[2, 4]");
  expect_error(
      "%a: tensor<1x1xf32>",
      "%r = stablehlo.broadcast_in_dim %a, dims = [1, 1] : (tensor<1x1xf32>) -> tensor<2x4xf32>",
      "axis");
#define DYNAMIC                                                                                    \
  SIZE("d", "b", "0", "tensor<?xf32>")                                                             \
  AS1("s", "d")                                                                                    \
  "%r = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<?xf32>, tensor<1xi32>) "   \
  "-> tensor<?xf32>"
  // Whether a size is 1 is not known: neither equal nor different is.
  expect_open("%a: tensor<?xf32>, %b: tensor<?xf32>", DYNAMIC, "S0 == S1");
  expect_fact("%a: tensor<?xf32>, %b: tensor<?xf32>", DYNAMIC, "bcast(S0, S1) == S1");
  expect_sizes("%a: tensor<?xf32>, %b: tensor<?xf32>", DYNAMIC, "[S1]");
}

Test(broadcast, elements) {
  expect_elements(
      "",
      "%a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>\n"
      "%r = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<2xi32>) -> tensor<2x2xi32>",
      "[1, 2, 1, 2]");
  expect_elements("",
                  "%a = stablehlo.constant dense<7> : tensor<i32>\n"
                  "%r = stablehlo.broadcast %a, sizes = [3] : (tensor<i32>) -> tensor<3xi32>",
                  "[7, 7, 7]");
}

Test(broadcast, chlo) {
  expect_sizes(
      "%a: tensor<1x4xf32>, %b: tensor<3x1xf32>",
      "%r = chlo.broadcast_add %a, %b : (tensor<1x4xf32>, tensor<3x1xf32>) -> tensor<?x?xf32>",
      "[3, 4]");
  expect_sizes(
      "%a: tensor<?xf32>, %b: tensor<2x3xf32>",
      "%r = chlo.broadcast_add %a, %b : (tensor<?xf32>, tensor<2x3xf32>) -> tensor<?x?xf32>",
      "[2, 3]");
  expect_error("%a: tensor<2xf32>, %b: tensor<3xf32>",
               "%r = chlo.broadcast_add %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<?xf32>",
               "shape-mismatch");
  expect_open("%a: tensor<?xf32>, %b: tensor<?xf32>",
              "%r = chlo.broadcast_add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>",
              "S0 == S1");
}

Test(concatenate, sizes_add_up) {
  expect_sizes("%a: tensor<?x?xf32>, %b: tensor<?x5xf32>",
               "%r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?x?xf32>, tensor<?x5xf32>) -> "
               "tensor<?x?xf32>",
               "[S0 + S1, 5]");
  expect_error("%a: tensor<2x3xf32>, %b: tensor<2x4xf32>",
               "%r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> "
               "tensor<?x?xf32>",
               "shape-mismatch");
  expect_elements("",
                  "%a = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>\n"
                  "%r = stablehlo.concatenate %a, %a, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) "
                  "-> tensor<2x2xi32>",
                  "[1, 1, 2, 2]");
  expect_elements("",
                  "%a = stablehlo.constant dense<> : tensor<0x1xi32>\n"
                  "%r = stablehlo.concatenate %a, %a, dim = 1 : (tensor<0x1xi32>, tensor<0x1xi32>) "
                  "-> tensor<0x2xi32>",
                  "[]");
}

Test(transpose, moves_axes) {
  expect_sizes(
      "%a: tensor<2x?x4xf32>",
      "%r = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x?x4xf32>) -> tensor<?x?x?xf32>",
      "[4, 2, S0]");
  expect_elements(
      "",
      "%a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>\n"
      "%r = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>",
      "[1, 4, 2, 5, 3, 6]");
  expect_error("%a: tensor<2x3xf32>",
               "%r = stablehlo.transpose %a, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<?x?xf32>",
               "axis");
}

Test(slice, sizes_and_bounds) {
  expect_sizes("%a: tensor<?xf32>",
               "%r = stablehlo.slice %a [1:8:3] : (tensor<?xf32>) -> tensor<?xf32>", "[3]");
  expect_fact("%a: tensor<?xf32>",
              "%r = stablehlo.slice %a [1:8:3] : (tensor<?xf32>) -> tensor<?xf32>", "S0 >= 8");
  expect_error("%a: tensor<7xf32>",
               "%r = stablehlo.slice %a [1:8] : (tensor<7xf32>) -> tensor<7xf32>",
               "shape-mismatch");
  expect_elements("",
                  "%a = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>\n"
                  "%r = stablehlo.slice %a [0:5:2] : (tensor<5xi32>) -> tensor<3xi32>",
                  "[1, 3, 5]");
}

Test(slice, dynamic_forms) {
  expect_sizes("%a: tensor<?xf32>",
               SIZE("d", "a", "0", "tensor<?xf32>")
                   AS1("l", "d") "%b = stablehlo.constant dense<1> : tensor<1xi32>\n"
                                 "%r = stablehlo.real_dynamic_slice %a, %b, %l, %b : "
                                 "(tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, "
                                 "tensor<1xi32>) -> tensor<?xf32>",
               "[S0 - 1]");
  expect_elements("",
                  "%a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>\n"
                  "%i = stablehlo.constant dense<9> : tensor<i32>\n"
                  "%r = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<4xi32>, tensor<i32>) "
                  "-> tensor<2xi32>",
                  "[3, 4]");
  expect_elements("",
                  "%a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>\n"
                  "%u = stablehlo.constant dense<[8, 9]> : tensor<2xi32>\n"
                  "%i = stablehlo.constant dense<-3> : tensor<i32>\n"
                  "%r = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xi32>, tensor<2xi32>, "
                  "tensor<i32>) -> "
                  "tensor<4xi32>",
                  "[8, 9, 3, 4]");
  expect_fact("%a: tensor<?xf32>, %u: tensor<3xf32>, %i: tensor<i32>",
              "%r = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<?xf32>, tensor<3xf32>, "
              "tensor<i32>) -> tensor<?xf32>",
              "S0 >= 3");
}

#define PAD(low, high, interior, in, out)                                                          \
  "%r = stablehlo.pad %a, %v, low = [" low "], high = [" high "], interior = [" interior           \
  "] : (" in ", tensor<f32>) -> " out
#define PADDED(low, high, interior, in, out)                                                       \
  "%a: " in ", %v: tensor<f32>", PAD(low, high, interior, in, out)

Test(pad, is_exact_at_zero_and_one) {
  expect_sizes(PADDED("1", "2", "0", "tensor<?xf32>", "tensor<?xf32>"), "[S0 + 3]");
  expect_sizes(PADDED("0", "0", "2", "tensor<0xf32>", "tensor<?xf32>"), "[0]");
  expect_sizes(PADDED("0", "0", "2", "tensor<1xf32>", "tensor<?xf32>"), "[1]");
  expect_sizes(PADDED("-1", "0", "2", "tensor<3xf32>", "tensor<?xf32>"), "[6]");
  expect_error(PADDED("-1", "-1", "0", "tensor<1xf32>", "tensor<?xf32>"), "shape-mismatch");
  expect_fact(PADDED("-2", "0", "0", "tensor<?xf32>", "tensor<?xf32>"), "S0 >= 2");
  expect_error(PADDED("0", "0", "-1", "tensor<1xf32>", "tensor<?xf32>"), "shape-mismatch");
}

Test(sizes, set_dimension_size) {
  expect_fact("%a: tensor<8xf32>, %n: tensor<i32>",
              "%r = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<8xf32>, tensor<i32>) -> "
              "tensor<?xf32, "
              "#stablehlo.bounds<8>>",
              "S0 <= 8");
}

Test(shapes, extents) {
  expect_elements("%a: tensor<?x3xf32>",
                  "%r = shape.shape_of %a : tensor<?x3xf32> -> tensor<2xindex>", "[S0, 3]");
  expect_elements("%a: tensor<?x3xf32>",
                  "%s = shape.shape_of %a : tensor<?x3xf32> -> tensor<2xindex>\n"
                  "%r = shape.num_elements %s : tensor<2xindex> -> index",
                  "[3*S0]");
  expect_elements("%a: tensor<?x3xf32>",
                  "%c = arith.constant 1 : index\n%r = tensor.dim %a, %c : tensor<?x3xf32>", "[3]");
}
