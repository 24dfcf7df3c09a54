// SPDX-License-Identifier: Apache-2.0
// Buffers, slices, padding and gathers.
#include "tests/unit/ops/rules.h"

#define M "memref<?x8xf32>"
#define N "%n: index, %m: " M

Test(memref, dims) {
  expect_elements(N, "%c = arith.constant 1 : index\n%r = memref.dim %m, %c : " M, "[8]");
  expect_sizes(N, "%r = memref.alloc(%n) : memref<?x2xf32>", "[S1, 2]");
  expect_sizes(N, "%r = memref.cast %m : " M " to memref<?x?xf32>", "[S0, 8]");
  expect_arguments(N, "%r = memref.cast %m : " M " to memref<4x8xf32>", "[] [4, 8]");
  expect_arguments(
      "%a: memref<?xf32>, %b: memref<?xf32>",
      "memref.copy %a, %b : memref<?xf32> to memref<?xf32>\n%r = arith.constant 1 : i32",
      "[S0] [S0]");
  // What a buffer holds is not followed.
  expect_elements("%a: memref<2xindex>, %n: index",
                  "%c = arith.constant 0 : index\nmemref.store %n, %a[%c] : memref<2xindex>\n"
                  "%r = memref.load %a[%c] : memref<2xindex>",
                  "[S1]");
}

Test(memref, slices) {
  const char *view = "%r = memref.subview %m[%n, 0] [2, 4] [1, 1] : " M
                     " to memref<2x4xf32, strided<[8, 1], offset: ?>>";
  expect_sizes(N, view, "[2, 4]");
  expect_fact(N, view, "S1 + 2 <= S0");
  expect_fact(N, view, "S1 >= 0");
  expect_open(N, view, "S1 + 3 <= S0");
  expect_error(N,
               "%r = memref.subview %m[0, 6] [2, 4] [1, 1] : " M
               " to memref<2x4xf32, strided<[8, 1], offset: 6>>",
               "shape-mismatch");
  // Where nothing is written nothing is required.
  const char *insert =
      "%r = tensor.insert_slice %a into %t[%n] [0] [1] : tensor<0xf32> into tensor<?xf32>";
  expect_open("%a: tensor<0xf32>, %t: tensor<?xf32>, %n: index", insert, "S1 <= S0");
  // Where something may be, it begins inside of the destination too.
  expect_guards(
      "%a: tensor<?xf32>, %t: tensor<?xf32>, %n: index",
      "%c = arith.constant 0 : index\n%d = tensor.dim %a, %c : tensor<?xf32>\n"
      "%r = tensor.insert_slice %a into %t[%n] [%d] [1] : tensor<?xf32> into tensor<?xf32>",
      "S2*min(S0, 1) >= 0; S0*min(S0, 1) + S2*min(S0, 1) <= S1");
}

// A stride below 0 reads downwards: the last index is the least, the first is the greatest.
Test(memref, strides_below_0) {
  const char *arguments = "%t: tensor<?xf32>, %a: tensor<3xf32>, %n: index, %m: index, %s: index";
  const char *read = "%r = tensor.extract_slice %t[%n] [%m] [-1] : tensor<?xf32> to tensor<?xf32>";
  expect_guards(arguments, read, "S2 >= 0; S2 <= S1 + min(S2, 1); S1 + min(S2, 1) <= S0");
  expect_open(arguments,
              "%r = tensor.extract_slice %t[%n] [0] [%s] : tensor<?xf32> to tensor<0xf32>",
              "S1 + 1 <= S0");
  expect_guards(arguments,
                "%r = tensor.insert_slice %a into %t[%n] [3] [%s] : tensor<3xf32> into "
                "tensor<?xf32>",
                "S1 >= 0; S1 + 2*S3 < S0; S1 + 2*S3 >= 0; S1 < S0");
  expect_error("%t: tensor<5xf32>",
               "%r = tensor.extract_slice %t[1] [3] [-1] : tensor<5xf32> to tensor<3xf32>",
               "shape-mismatch");
  expect_error("%t: tensor<5xf32>",
               "%r = tensor.extract_slice %t[6] [3] [-1] : tensor<5xf32> to tensor<3xf32>",
               "shape-mismatch");
  expect_sizes("%t: tensor<5xf32>",
               "%r = tensor.extract_slice %t[4] [3] [-2] : tensor<5xf32> to tensor<3xf32>", "[3]");
  // One that is known to be 0 or more says nothing of the least.
  expect_guards("%t: tensor<?xf32>, %n: index",
                "%r = tensor.extract_slice %t[%n] [3] [2] : tensor<?xf32> to tensor<3xf32>",
                "S1 >= 0; S1 + 5 <= S0");
}

Test(memref, tensors) {
  expect_sizes("%t: tensor<?xf32>, %n: index, %z: f32",
               "%r = tensor.pad %t low[%n] high[1] {\n^bb0(%i: index):\ntensor.yield %z : f32\n} : "
               "tensor<?xf32> to tensor<?xf32>",
               "[S0 + S1 + 1]");
  expect_sizes("%t: tensor<?x5xf32>, %i: tensor<?x1xindex>",
               "%r = tensor.gather %t[%i] gather_dims([0]) : (tensor<?x5xf32>, tensor<?x1xindex>) "
               "-> tensor<?x5xf32>",
               "[S1, 5]");
  const char *insert = "%r = tensor.insert %z into %t[%n] : tensor<?xf32>";
  expect_fact("%t: tensor<?xf32>, %n: index, %z: f32", insert, "S1 <= S0 - 1");
  expect_error("%t: tensor<3xf32>, %z: f32",
               "%c = arith.constant 3 : index\n%r = tensor.insert %z into %t[%c] : tensor<3xf32>",
               "shape-mismatch");
}

Test(memref, metadata) {
  expect_sizes("%m: memref<?x8xf32>",
               "%b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<?x8xf32> -> "
               "memref<f32>, index, index, index, index, index\n"
               "%r = tensor.empty(%s#0, %t#0, %t#1) : tensor<?x?x?xf32>",
               "[S0, 8, 1]");
}

// Types say a number where the lists do, and as many dims are given as they have `?`.
Test(memref, types) {
  expect_error("%n: index", "%r = memref.alloc(%n) : memref<4xf32>", "operand-count");
  expect_error("%n: index", "%r = memref.alloc() : memref<?xf32>", "operand-count");
  expect_error(
      "%t: tensor<8x4xf32>",
      "%r = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<?x4xf32>",
      "declared-type");
  expect_error("%t: tensor<?xf32>",
               "%r = tensor.extract_slice %t[0] [4] [1] : tensor<?xf32> to tensor<?x?xf32>",
               "declared-type");
  expect_error(
      "%t: tensor<?x?xf32>, %n: index",
      "%r = tensor.expand_shape %t [[0, 1], [2]] output_shape [%n, 4, 5] : tensor<?x?xf32> "
      "into tensor<?x4x5xf32>",
      "declared-type");
  expect_error("%m: memref<?xf32>",
               "%r = memref.collapse_shape %m [[0], [0]] : memref<?xf32> into memref<?x?xf32>",
               "axis");
  expect_error("%t: tensor<2xindex>", "%r = arith.index_cast %t : tensor<2xindex> to tensor<?xi64>",
               "declared-type");
  expect_error("%m: memref<?xf32>, %s: memref<1xindex>",
               "%r = memref.reshape %m(%s) : (memref<?xf32>, memref<1xindex>) -> memref<?x?xf32>",
               "shape-mismatch");
}

Test(rules_memref, elementwise_operations_on_buffers_have_one_shape) {
  expect_error("%a: memref<?x4xf32>, %b: memref<?x4xf32>, %o: memref<3x5xf32>",
               "\"lmhlo.add\"(%a, %b, %o) : (memref<?x4xf32>, memref<?x4xf32>, memref<3x5xf32>) -> "
               "()\n%r = memref.cast %a : memref<?x4xf32> to memref<?x4xf32>",
               "shape-mismatch");
  expect_sizes("%a: memref<?x4xf32>, %o: memref<3x?xf32>",
               "\"lmhlo.tanh\"(%a, %o) : (memref<?x4xf32>, memref<3x?xf32>) -> ()\n"
               "%r = memref.cast %a : memref<?x4xf32> to memref<?x?xf32>",
               "[3, 4]");
  expect_sizes("%p: memref<i1>, %a: memref<?xf32>, %o: memref<7xf32>",
               "\"lmhlo.select\"(%p, %a, %a, %o) : (memref<i1>, memref<?xf32>, memref<?xf32>, "
               "memref<7xf32>) -> ()\n"
               "%r = memref.cast %a : memref<?xf32> to memref<?xf32>",
               "[7]");
}
