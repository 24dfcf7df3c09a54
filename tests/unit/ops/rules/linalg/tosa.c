// SPDX-License-Identifier: Apache-2.0
// TOSA: dims of the specification, where types say `?`.
#include "tests/unit/ops/rules.h"

#define Z "%z = \"tosa.const\"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>\n"

Test(tosa, elementwise) {
  expect_sizes("%a: tensor<?x4xf32>, %b: tensor<1x4xf32>",
               "%r = tosa.add %a, %b : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x?xf32>",
               "[S0, 4]");
  expect_error("%a: tensor<3xf32>, %b: tensor<4xf32>",
               "%r = tosa.sub %a, %b : (tensor<3xf32>, tensor<4xf32>) -> tensor<?xf32>",
               "shape-mismatch");
  expect_error("%a: tensor<3xf32>, %b: tensor<1x3xf32>",
               "%r = tosa.sub %a, %b : (tensor<3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>",
               "rank");
}

Test(tosa, axes) {
  expect_sizes("%a: tensor<?x5xf32>",
               "%r = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<?x5xf32>) -> tensor<?x?xf32>",
               "[S0, 1]");
  expect_sizes("%a: tensor<?x5xf32>",
               "%r = tosa.argmax %a {axis = 1 : i32} : (tensor<?x5xf32>) -> tensor<?xi32>", "[S0]");
  expect_error("%a: tensor<?x5xf32>",
               "%r = tosa.reverse %a {axis = 2 : i32} : (tensor<?x5xf32>) -> tensor<?x5xf32>",
               "axis");
  expect_sizes("%a: tensor<?x5xf32>, %b: tensor<?x5xf32>",
               "%r = tosa.concat %a, %b {axis = 0 : i32} : (tensor<?x5xf32>, tensor<?x5xf32>) -> "
               "tensor<?x5xf32>",
               "[S0 + S1, 5]");
  expect_error("%a: tensor<2x3xf32>",
               "%r = tosa.transpose %a {perms = array<i32: 1, 1>} : (tensor<2x3xf32>) -> "
               "tensor<?x?xf32>",
               "axis");
}

Test(tosa, shapes) {
  expect_sizes("%a: tensor<?x6xf32>",
               "%s = tosa.const_shape {values = dense<[-1, 3]> : tensor<2xindex>} : () -> "
               "!tosa.shape<2>\n%r = tosa.reshape %a, %s : (tensor<?x6xf32>, !tosa.shape<2>) -> "
               "tensor<?x3xf32>",
               "[2*S0, 3]");
  expect_error("%a: tensor<4xf32>",
               "%s = tosa.const_shape {values = dense<[3]> : tensor<1xindex>} : () -> "
               "!tosa.shape<1>\n%r = tosa.reshape %a, %s : (tensor<4xf32>, !tosa.shape<1>) -> "
               "tensor<3xf32>",
               "shape-mismatch");
  expect_sizes("%a: tensor<?xf32>",
               "%s = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> "
               "!tosa.shape<2>\n" Z "%r = tosa.pad %a, %s, %z : (tensor<?xf32>, !tosa.shape<2>, "
               "tensor<1xf32>) -> tensor<?xf32>",
               "[S0 + 3]");
  expect_sizes(
      "%a: tensor<?xf32>",
      "%s = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>\n"
      "%e = tosa.const_shape {values = dense<-1> : tensor<1xindex>} : () -> "
      "!tosa.shape<1>\n%r = tosa.slice %a, %s, %e : (tensor<?xf32>, !tosa.shape<1>, "
      "!tosa.shape<1>) -> tensor<?xf32>",
      "[S0 - 2]");
}

// The stride divides what is left, exactly.
Test(tosa, windows) {
  const char *conv =
      Z "%r = tosa.conv2d %a, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = "
        "array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x?x8x3xf32>, "
        "tensor<4x2x2x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x4xf32>";
  const char *arguments = "%a: tensor<1x?x8x3xf32>, %w: tensor<4x2x2x3xf32>, %b: tensor<4xf32>";
  expect_fact(arguments, conv, "S0 % 2 == 0");
  expect_fact(arguments, conv, "S0 >= 2");
  expect_open(arguments, conv, "S0 >= 3");
  expect_error("%a: tensor<1x5x5x1xf32>",
               "%r = tosa.max_pool2d %a {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, "
               "stride = array<i64: 2, 2>} : (tensor<1x5x5x1xf32>) -> tensor<1x2x2x1xf32>",
               "shape-mismatch");
  expect_sizes("%a: tensor<?x4x5xf32>, %b: tensor<?x5x6xf32>",
               Z "%r = tosa.matmul %a, %b, %z, %z : (tensor<?x4x5xf32>, tensor<?x5x6xf32>, "
                 "tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>",
               "[S0, 4, 6]");
}

// Pads whose sum does not fit 64 bits.
Test(tosa, long_pads) {
  expect_sizes("%a: tensor<1x?x5x1xf32>",
               "%r = tosa.max_pool2d %a {kernel = array<i64: 1, 1>, pad = array<i64: "
               "9223372036854775807, 9223372036854775807, 0, 0>, stride = array<i64: 1, 1>} : "
               "(tensor<1x?x5x1xf32>) -> tensor<1x?x5x1xf32>",
               "[1, S0 + 18446744073709551614, 5, 1]");
}

Test(tosa, transforms_need_powers_of_two) {
  expect_error("%a: tensor<1x8x6xf32>",
               "%r, %i = tosa.rfft2d %a : (tensor<1x8x6xf32>) -> (tensor<1x8x4xf32>, "
               "tensor<1x8x4xf32>)",
               "size");
}
