// SPDX-License-Identifier: Apache-2.0
// Structured operations: dims that share a loop are equal, windows fit, results are as their destinations.
#include "tests/unit/ops/rules.h"

#define T2 "tensor<?x?xf32>"

Test(structured, named) {
  const char *matmul = "%r = linalg.matmul ins(%a, %b : " T2 ", " T2 ") outs(%o : " T2 ") -> " T2;
  expect_arguments("%a: " T2 ", %b: " T2 ", %o: " T2, matmul, "[S0, S1] [S1, S2] [S0, S2]");
  expect_sizes("%a: " T2 ", %b: " T2 ", %o: " T2, matmul, "[S0, S2]");
  expect_error("%a: tensor<2x3xf32>, %b: tensor<4x5xf32>, %o: tensor<2x5xf32>",
               "%r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<4x5xf32>) outs(%o : "
               "tensor<2x5xf32>) -> tensor<2x5xf32>",
               "shape-mismatch");
  expect_arguments("%a: memref<?xf32>, %o: memref<?xf32>",
                   "linalg.exp ins(%a : memref<?xf32>) outs(%o : memref<?xf32>)\n"
                   "%z = arith.constant 0 : index\n%r = memref.dim %o, %z : memref<?xf32>",
                   "[S0] [S0]");
}

// The largest index is inside, where every loop runs.
Test(structured, windows) {
  const char *conv = "%r = linalg.conv_1d ins(%a, %k : tensor<?xf32>, tensor<3xf32>) outs(%o : "
                     "tensor<4xf32>) -> tensor<4xf32>";
  const char *arguments = "%a: tensor<?xf32>, %k: tensor<3xf32>, %o: tensor<4xf32>";
  expect_fact(arguments, conv, "S0 >= 6");
  expect_open(arguments, conv, "S0 >= 7");
  const char *empty = "%r = linalg.conv_1d ins(%a, %k : tensor<?xf32>, tensor<3xf32>) outs(%o : "
                      "tensor<0xf32>) -> tensor<0xf32>";
  expect_open("%a: tensor<?xf32>, %k: tensor<3xf32>, %o: tensor<0xf32>", empty, "S0 >= 1");
  expect_error("%a: tensor<5xf32>, %k: tensor<3xf32>, %o: tensor<4xf32>",
               "%r = linalg.conv_1d ins(%a, %k : tensor<5xf32>, tensor<3xf32>) outs(%o : "
               "tensor<4xf32>) -> tensor<4xf32>",
               "shape-mismatch");
}

Test(structured, generic) {
  const char *generic =
      "%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (2 * i + 1, 0)>, affine_map<(i, "
      "j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]} ins(%a : " T2
      ") outs(%o : tensor<3x4xf32>) {\n^bb0(%x: f32, %y: f32):\n%k = linalg.index 1 : index\n"
      "linalg.yield %x : f32\n} -> tensor<3x4xf32>";
  expect_fact("%a: " T2 ", %o: tensor<3x4xf32>", generic, "S0 >= 6");
  expect_fact("%a: " T2 ", %o: tensor<3x4xf32>", generic, "S1 >= 1");
  expect_open("%a: " T2 ", %o: tensor<3x4xf32>", generic, "S1 >= 2");
  expect_error("%a: tensor<?xf32>, %o: tensor<3x4xf32>",
               "%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, "
               "j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]} ins(%a : "
               "tensor<?xf32>) outs(%o : tensor<3x4xf32>) {\n^bb0(%x: f32, %y: f32):\n"
               "linalg.yield %x : f32\n} -> tensor<3x4xf32>",
               "rank");
}

Test(structured, axes) {
  expect_arguments("%a: " T2 ", %o: " T2,
                   "%r = linalg.transpose ins(%a : " T2 ") outs(%o : " T2 ") permutation = [1, 0]",
                   "[S0, S1] [S1, S0]");
  expect_arguments("%a: " T2 ", %o: tensor<?xf32>",
                   "%r = linalg.reduce { arith.addf } ins(%a : " T2
                   ") outs(%o : tensor<?xf32>) dimensions = [0]",
                   "[S0, S1] [S1]");
  expect_arguments("%a: tensor<?xf32>, %o: " T2,
                   "%r = linalg.broadcast ins(%a : tensor<?xf32>) outs(%o : " T2
                   ") dimensions = [0]",
                   "[S0] [S1, S0]");
  expect_error("%a: " T2 ", %o: " T2,
               "%r = linalg.transpose ins(%a : " T2 ") outs(%o : " T2 ") permutation = [1, 1]",
               "axis");
}
