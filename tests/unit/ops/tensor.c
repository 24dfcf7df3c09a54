// SPDX-License-Identifier: Apache-2.0
// Operations of the tensor dialect whose lists mix numbers and operands, in both spellings.
#include "tests/unit/ops/rules.h"

#define ARGUMENTS "%a: tensor<?x8xf32>, %n: index, %d: tensor<?xf32>"
#define SIZE      "%z = arith.constant 0 : index\n%s = tensor.dim %d, %z : tensor<?xf32>\n"

Test(tensor, extract_slice_has_the_sizes_of_its_operands) {
  expect_sizes(ARGUMENTS,
               SIZE "%r = tensor.extract_slice %a[0, %n] [%s, 4] [1, 1] : tensor<?x8xf32> to "
                    "tensor<?x4xf32>",
               "[S1, 4]");
  expect_sizes(ARGUMENTS,
               SIZE "%r = \"tensor.extract_slice\"(%a, %n, %s) {operandSegmentSizes = array<i32: "
                    "1, 1, 1, 0>, static_offsets = array<i64: 0, -9223372036854775808>, "
                    "static_sizes = array<i64: -9223372036854775808, 4>, static_strides = "
                    "array<i64: 1, 1>} : (tensor<?x8xf32>, index, index) -> tensor<?x4xf32>",
               "[S1, 4]");
  expect_elements("",
                  "%c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xindex>\n"
                  "%r = tensor.extract_slice %c[1] [2] [2] : tensor<4xindex> to tensor<2xindex>",
                  "[2, 4]");
}

Test(tensor, extract_slice_may_leave_out_axes_of_size_1) {
  expect_sizes(ARGUMENTS,
               SIZE "%r = tensor.extract_slice %a[0, 3] [%s, 1] [1, 1] : tensor<?x8xf32> to "
                    "tensor<?xf32>",
               "[S1]");
  expect_sizes("%a: tensor<4x8x2xf32>",
               "%r = tensor.extract_slice %a[0, 0, 0] [1, 1, 2] [1, 1, 1] : tensor<4x8x2xf32> to "
               "tensor<1x2xf32>",
               "[1, 2]");
}

Test(tensor, slices_of_elements_lie_within_their_operand) {
  const char *slice =
      "%r = tensor.extract_slice %a[1, 2] [3, 2] [2, 3] : tensor<?x8xf32> to tensor<3x2xf32>";
  expect_fact("%a: tensor<?x8xf32>", slice, "S0 >= 6");
  expect_open("%a: tensor<?x8xf32>", slice, "S0 >= 7");
  expect_guards("%a: tensor<?x8xf32>", slice, "S0 >= 6");
  expect_error("%a: tensor<?x8xf32>",
               "%r = tensor.extract_slice %a[0, 6] [1, 4] [1, 1] : tensor<?x8xf32> to "
               "tensor<1x4xf32>",
               "shape-mismatch");
  // Each axis is checked alone, also of a slice without elements.
  expect_error("%a: tensor<?x8xf32>",
               "%r = tensor.extract_slice %a[0, 9] [0, 4] [1, 1] : tensor<?x8xf32> to "
               "tensor<0x4xf32>",
               "shape-mismatch");
  expect_error("%a: tensor<?x8xf32>",
               "%r = \"tensor.extract_slice\"(%a) {static_offsets = array<i64: 0>, static_sizes = "
               "array<i64: 1, 4>, static_strides = array<i64: 1, 1>} : (tensor<?x8xf32>) -> "
               "tensor<1x4xf32>",
               "attribute-length");
}

Test(tensor, expand_shape_has_the_sizes_of_its_operands) {
  const char *expand = "%r = tensor.expand_shape %d [[0, 1]] output_shape [%n, 4] : tensor<?xf32> "
                       "into tensor<?x4xf32>";
  expect_sizes("%n: index, %d: tensor<?xf32>", expand, "[S0, 4]");
  expect_arguments("%n: index, %d: tensor<?xf32>", expand, "[] [4*S0]");
  expect_sizes("%d: tensor<?xf32>",
               "%r = tensor.expand_shape %d [[0, 1]] : tensor<?xf32> into tensor<?x4xf32>",
               "[floordiv(S0, 4), 4]");
}

Test(tensor, concat_and_insert) {
  expect_sizes("%a: tensor<?x8xf32>, %b: tensor<?x?xf32>",
               "%r = tensor.concat dim(0) %a, %b : (tensor<?x8xf32>, tensor<?x?xf32>) -> "
               "tensor<?x8xf32>",
               "[S0 + S1, 8]");
  expect_error("%a: tensor<2x8xf32>, %b: tensor<2x7xf32>",
               "%r = tensor.concat dim(0) %a, %b : (tensor<2x8xf32>, tensor<2x7xf32>) -> "
               "tensor<4x8xf32>",
               "shape-mismatch");
  expect_sizes("%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index",
               "%r = tensor.insert_slice %a into %b[%n] [2] [1] : tensor<?xf32> into tensor<?xf32>",
               "[S0]");
  expect_sizes("%x: f32, %b: tensor<?xf32>, %n: index",
               "%r = tensor.insert %x into %b[%n] : tensor<?xf32>", "[S0]");
}
