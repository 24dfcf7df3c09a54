// SPDX-License-Identifier: Apache-2.0
// Dims of arguments stay in terms of arguments, so that what is required of them can be checked before a run.
#include "tests/unit/ops/rules.h"

#include <stdio.h>

// A reshape of %b to [dim 1 of %a, 1], then one to [dim 1 of %b, -1]: with `c` elements, c == S3*S4*S5.
#define RESHAPES                                                                                   \
  "%n = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>\n"             \
  "%n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"                                  \
  "%one = stablehlo.constant dense<1> : tensor<1xi32>\n"                                           \
  "%s = stablehlo.concatenate %n1, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "             \
  "tensor<2xi32>\n"                                                                                \
  "%r = stablehlo.dynamic_reshape %b, %s : (tensor<?x?x?xf32>, tensor<2xi32>) -> tensor<?x1xf32>"  \
  "\n"
#define MINUS_ONE                                                                                  \
  "%x = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?x?x?xf32>) -> tensor<i32>\n"           \
  "%y = stablehlo.get_dimension_size %b, dim = 1 : (tensor<?x?x?xf32>) -> tensor<i32>\n"           \
  "%z = stablehlo.get_dimension_size %b, dim = 2 : (tensor<?x?x?xf32>) -> tensor<i32>\n"           \
  "%xy = stablehlo.multiply %x, %y : tensor<i32>\n"                                                \
  "%xyz = stablehlo.multiply %xy, %z : tensor<i32>\n"                                              \
  "%y1 = stablehlo.reshape %y : (tensor<i32>) -> tensor<1xi32>\n"                                  \
  "%m = stablehlo.constant dense<-1> : tensor<1xi32>\n"                                            \
  "%t = stablehlo.concatenate %y1, %m, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "               \
  "tensor<2xi32>\n"                                                                                \
  "%u = chlo.compute_reshape_shape %xyz, %t : (tensor<i32>, tensor<2xi32>) -> tensor<2xi32>\n"     \
  "%v = chlo.dynamic_reshape %b, %u : (tensor<?x?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>\n"

Test(guards, a_product_of_arguments_is_not_rewritten_into_computed_sizes) {
  const char *arguments = "%a: tensor<?x?xf32>, %b: tensor<?x?x?xf32>";
  expect_arguments(arguments, RESHAPES MINUS_ONE, "[S0, S1*S2*S3] [S1, S2, S3]");
  expect_arguments(arguments, MINUS_ONE RESHAPES, "[S0, S1*S2*S3] [S1, S2, S3]");
}

// The slice has a size that is not known here, so a broadcast with it is not either.
Test(guards, a_quotient_of_arguments_is_not_rewritten_into_computed_sizes) {
  const char *windows =
      "%zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%w = \"stablehlo.reduce_window\"(%a, %zero) " ADDS(
          "f32") " {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, "
                 "padding = dense<2> : tensor<1x2xi64>} : (tensor<?xf32>, tensor<f32>) -> "
                 "tensor<?xf32>\n"
                 "%sum = stablehlo.add %w, %b : tensor<?xf32>\n";
  const char *joined =
      "%q = \"unknown.slice\"(%a) : (tensor<?xf32>) -> tensor<?xf32>\n"
      "%d = chlo.broadcast_subtract %a, %q : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
      "%c = stablehlo.concatenate %d, %b, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> "
      "tensor<2xf32>\n";
  char body[2048];
  for (int turn = 0; turn < 2; turn++) {
    snprintf(body, sizeof(body), "%s%s", turn ? joined : windows, turn ? windows : joined);
    expect_arguments("%a: tensor<?xf32>, %b: tensor<?xf32>", body, "[S0] [floordiv(S0, 2) + 2]");
  }
}

Test(guards, a_requirement_that_stays_a_predicate_is_one) {
  expect_guards("%a: tensor<?x?xf32>, %b: tensor<?x?xf32>",
                "%s = shape.shape_of %b : tensor<?x?xf32> -> tensor<2xindex>\n"
                "%r = stablehlo.dynamic_reshape %a, %s : (tensor<?x?xf32>, tensor<2xindex>) -> "
                "tensor<?x?xf32>\n",
                "S0*S1 == S2*S3");
  expect_guards("%a: tensor<?x?xf32>, %b: tensor<?x?xf32>",
                "%r = stablehlo.add %a, %b : tensor<?x?xf32>\n", "");
}
