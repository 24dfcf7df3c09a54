// SPDX-License-Identifier: Apache-2.0
// Winograd's transforms: tiles of m + r - 1, and as many as fill the axis.
#include "tests/unit/ops/rules.h"

#define FILTER(fmr, from, to)                                                                      \
  "%r = linalg.winograd_filter_transform fmr(" fmr ") ins(%f : " from ") outs(%o : " to ") -> " to
#define INPUT(from, to)                                                                            \
  "%r = linalg.winograd_input_transform fmr(F_4_3) ins(%f : " from ") outs(%o : " to ") -> " to
#define OUTPUT(from, to)                                                                           \
  "%r = linalg.winograd_output_transform fmr(F_4_3) ins(%f : " from ") outs(%o : " to ") -> " to

Test(winograd, filter) {
  const char *arguments = "%f: tensor<?x3x3x?xf32>, %o: tensor<?x?x?x?xf32>";
  expect_arguments(arguments, FILTER("F_4_3", "tensor<?x3x3x?xf32>", "tensor<?x?x?x?xf32>"),
                   "[S0, 3, 3, S1] [6, 6, S1, S0]");
  expect_arguments(arguments, FILTER("F_2_3", "tensor<?x3x3x?xf32>", "tensor<?x?x?x?xf32>"),
                   "[S0, 3, 3, S1] [4, 4, S1, S0]");
  expect_arguments("%f: tensor<2x1x5x?xf32>, %o: tensor<?x?x?x?xf32>",
                   FILTER("F_2_5", "tensor<2x1x5x?xf32>", "tensor<?x?x?x?xf32>"),
                   "[2, 1, 5, S0] [1, 6, S0, 2]");
  expect_error("%f: tensor<?x3x3x?xf32>, %o: tensor<6x5x?x?xf32>",
               FILTER("F_4_3", "tensor<?x3x3x?xf32>", "tensor<6x5x?x?xf32>"), "shape-mismatch");
  expect_error("%f: tensor<?x4x3x?xf32>, %o: tensor<6x6x?x?xf32>",
               FILTER("F_4_3", "tensor<?x4x3x?xf32>", "tensor<6x6x?x?xf32>"), "shape-mismatch");
  expect_unchecked("%f: tensor<?x3x3x?xf32>, %o: tensor<6x6x?x?xf32>",
                   FILTER("F_9_9", "tensor<?x3x3x?xf32>", "tensor<6x6x?x?xf32>"),
                   "there are as many tiles as fill the axis: the kind of the transform is not "
                   "known");
}

Test(winograd, input) {
  expect_arguments("%f: tensor<?x?x14x?xf32>, %o: tensor<6x6x?x?x?x?xf32>",
                   INPUT("tensor<?x?x14x?xf32>", "tensor<6x6x?x?x?x?xf32>"),
                   "[S0, S1, 14, S2] [6, 6, floordiv(S1 + 1, 4), 3, S0, S2]");
  expect_arguments("%f: tensor<?x?x14x?xf32>, %o: tensor<1x6x?x?x?x?xf32>",
                   INPUT("tensor<?x?x14x?xf32>", "tensor<1x6x?x?x?x?xf32>"),
                   "[S0, S1, 14, S2] [1, 6, S1, 3, S0, S2]");
  expect_error("%f: tensor<2x14x14x5xf32>, %o: tensor<6x6x2x3x2x5xf32>",
               INPUT("tensor<2x14x14x5xf32>", "tensor<6x6x2x3x2x5xf32>"), "shape-mismatch");
  expect_unchecked("%f: tensor<2x14x14x5xf32>, %o: tensor<?x6x3x3x2x5xf32>",
                   INPUT("tensor<2x14x14x5xf32>", "tensor<?x6x3x3x2x5xf32>"),
                   "there are as many tiles as fill the axis: whether the axis is transformed is "
                   "not known");
}

Test(winograd, output) {
  expect_arguments("%f: tensor<6x6x?x?x?x?xf32>, %o: tensor<?x?x12x?xf32>",
                   OUTPUT("tensor<6x6x?x?x?x?xf32>", "tensor<?x?x12x?xf32>"),
                   "[6, 6, S0, 3, S1, S2] [S1, 4*S0, 12, S2]");
  expect_error("%f: tensor<5x6x3x3x2x2xf32>, %o: tensor<2x12x12x2xf32>",
               OUTPUT("tensor<5x6x3x3x2x2xf32>", "tensor<2x12x12x2xf32>"), "shape-mismatch");
  expect_error("%f: tensor<6x6x3x3x2xf32>, %o: tensor<2x12x12x2xf32>",
               OUTPUT("tensor<6x6x3x3x2xf32>", "tensor<2x12x12x2xf32>"), "rank");
}
