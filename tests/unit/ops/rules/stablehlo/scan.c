// SPDX-License-Identifier: Apache-2.0
// chlo.scan: outputs are slices beside one another, what is handed on keeps its type.
#include "tests/unit/ops/rules.h"

#define SCAN(axis, inputs, handed, part, results)                                                  \
  "%x: " inputs ", %z: " handed,                                                                   \
      "%r:2 = \"chlo.scan\"(%x, %z) ({\n^bb0(%p: " part ", %q: " handed                            \
      "):\n  \"stablehlo.return\"(%p, %q) : (" part ", " handed ") -> ()\n}) {dimension = " axis   \
      " : i64} : (" inputs ", " handed ") -> " results

Test(rules_scan, sizes) {
  expect_sizes(SCAN("0", "tensor<?x3xf32>", "tensor<3xf32>", "tensor<3xf32>",
                    "(tensor<?x3xf32>, tensor<3xf32>)"),
               "[S0, 3] [3]");
  expect_sizes(SCAN("1", "tensor<3x?xf32>", "tensor<f32>", "tensor<3xf32>",
                    "(tensor<3x?xf32>, tensor<f32>)"),
               "[3, S0] []");
  expect_sizes(
      SCAN("0", "tensor<0xf32>", "tensor<?xf32>", "tensor<f32>", "(tensor<?xf32>, tensor<?xf32>)"),
      "[0] [S0]");
  // What the body takes says what the input has.
  expect_arguments(SCAN("0", "tensor<?x?xf32>", "tensor<f32>", "tensor<4xf32>",
                        "(tensor<?x4xf32>, tensor<f32>)"),
                   "[S0, 4] []");
  expect_unchecked(SCAN("0", "tensor<?x?xf32>", "tensor<f32>", "tensor<?xf32>",
                        "(tensor<?x?xf32>, tensor<f32>)"),
                   "the body takes a slice of the input: the body's types have open dims");
}

Test(rules_scan, refused) {
  expect_error(SCAN("0", "tensor<5x3xf32>", "tensor<f32>", "tensor<3xf32>",
                    "(tensor<5x3xf32>, tensor<f32>)"),
               NULL);
  expect_error(SCAN("2", "tensor<5x3xf32>", "tensor<f32>", "tensor<3xf32>",
                    "(tensor<5x3xf32>, tensor<f32>)"),
               "axis");
  expect_error(SCAN("1", "tensor<5x3xf32>", "tensor<f32>", "tensor<3xf32>",
                    "(tensor<5x3xf32>, tensor<f32>)"),
               "shape-mismatch");
  expect_error(SCAN("0", "tensor<5x3xf32>", "tensor<f32>", "tensor<3xf32>",
                    "(tensor<6x3xf32>, tensor<f32>)"),
               "declared-type");
  expect_error("%x: tensor<5xf32>",
               "%r = \"chlo.scan\"(%x) ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
               "  \"stablehlo.return\"(%p) : (tensor<f32>) -> ()\n}) {dimension = 0 : i64} : "
               "(tensor<5xf32>) -> tensor<5xf32>",
               "region");
}

// Two inputs are scanned together.
Test(rules_scan, inputs_are_of_one_length) {
  expect_arguments("%x: tensor<?xf32>, %y: tensor<7xf32>",
                   "%r = \"chlo.scan\"(%x, %y) ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
                   "  \"stablehlo.return\"(%p) : (tensor<f32>) -> ()\n}) {dimension = 0 : i64} : "
                   "(tensor<?xf32>, tensor<7xf32>) -> tensor<?xf32>",
                   "[7] [7]");
}
