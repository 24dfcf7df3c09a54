// SPDX-License-Identifier: Apache-2.0
// dot, dot_general, ragged_dot, einsum, convolution, torch_index_select.
#include "tests/unit/ops/rules.h"

#define TWO(a, b)      "%a: " a ", %b: " b
#define DOT(a, b, out) TWO(a, b), "%r = stablehlo.dot %a, %b : (" a ", " b ") -> " out

Test(rules_dot, dot) {
  expect_sizes(DOT("tensor<?x3xf32>", "tensor<3x?xf32>", "tensor<?x?xf32>"), "[S0, S1]");
  expect_sizes(DOT("tensor<3xf32>", "tensor<3x?xf32>", "tensor<?xf32>"), "[S0]");
  expect_sizes(DOT("tensor<?x3xf32>", "tensor<3xf32>", "tensor<?xf32>"), "[S0]");
  expect_sizes(DOT("tensor<?xf32>", "tensor<3xf32>", "tensor<f32>"), "[]");
  expect_sizes(DOT("tensor<*xf32>", "tensor<3xf32>", "tensor<*xf32>"), "*");
  expect_arguments(DOT("tensor<?x?xf32>", "tensor<?x5xf32>", "tensor<4x?xf32>"), "[4, S0] [S0, 5]");
  expect_error(DOT("tensor<2x3x4xf32>", "tensor<3xf32>", "tensor<?xf32>"), "rank");
  expect_error(DOT("tensor<2x4xf32>", "tensor<3xf32>", "tensor<?xf32>"), "shape-mismatch");
  expect_error(DOT("tensor<2x3xf32>", "tensor<3xf32>", "tensor<3xf32>"), "declared-type");
  expect_error(TWO("tensor<2xi32>", "tensor<2xi32>"),
               "%r = \"stablehlo.dot\"(%a, %b) {precision_config = [\"FOO\"]} : (tensor<2xi32>, "
               "tensor<2xi32>) -> tensor<i32>",
               "attribute");
}

#define GENERAL(numbers, rest, a, b, out)                                                          \
  TWO(a, b),                                                                                       \
      "%r = \"stablehlo.dot_general\"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<" numbers    \
      ">" rest "} : (" a ", " b ") -> " out
#define BATCHED                                                                                    \
  "lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = "    \
  "[2], "                                                                                          \
  "rhs_contracting_dimensions = [0]"

Test(rules_dot, dot_general) {
  expect_sizes(GENERAL(BATCHED, "", "tensor<?x?x?xf32>", "tensor<?x?x?xf32>", "tensor<?x?x?xf32>"),
               "[S0, S1, S3]");
  expect_arguments(
      GENERAL(BATCHED, "", "tensor<?x?x?xf32>", "tensor<?x?x?xf32>", "tensor<?x7x?xf32>"),
      "[S0, 7, S1] [S1, S0, S2]");
  expect_sizes(GENERAL(BATCHED, "", "tensor<*xf32>", "tensor<?x?x?xf32>", "tensor<*xf32>"), "*");
  expect_sizes(GENERAL("", "", "tensor<2xf32>", "tensor<3xf32>", "tensor<?x?xf32>"), "[2, 3]");
}

#define INVALID(numbers)                                                                           \
  GENERAL(numbers, "", "tensor<2x3x4xf32>", "tensor<2x3x4xf32>", "tensor<?x?x?x?xf32>")
#define ALGORITHM(types, counts)                                                                   \
  GENERAL("lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]",                    \
          ", algorithm = #stablehlo.dot_algorithm<" types ", " counts                              \
          ", allow_imprecise_accumulation = false>",                                               \
          "tensor<2xf32>", "tensor<2xf32>", "tensor<f32>")
#define TYPES(in, sum)                                                                             \
  "lhs_precision_type = " in ", rhs_precision_type = " in ", accumulation_type = " sum
#define COUNTS(l, r, n)                                                                            \
  "lhs_component_count = " l ", rhs_component_count = " r ", num_primitive_operations = " n

Test(rules_dot, dot_general_errors) {
  expect_error(INVALID("lhs_batching_dimensions = [0]"), "attribute");
  expect_error(INVALID("rhs_contracting_dimensions = [0]"), "attribute");
  expect_error(INVALID("lhs_batching_dimensions = [3], rhs_batching_dimensions = [0]"), "axis");
  expect_error(INVALID("lhs_batching_dimensions = [0], rhs_batching_dimensions = [-1]"), "axis");
  expect_error(INVALID("lhs_contracting_dimensions = [0, 0], rhs_contracting_dimensions = [0, 1]"),
               "axis");
  expect_error(INVALID("lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
                       "lhs_contracting_dimensions = [0], "
                       "rhs_contracting_dimensions = [1]"),
               "axis");
  expect_error(INVALID("lhs_batching_dimensions = [0], rhs_batching_dimensions = [1]"),
               "shape-mismatch");
  expect_error(INVALID("lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]"),
               "shape-mismatch");
  expect_error(
      GENERAL("",
              ", precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, "
              "#stablehlo<precision DEFAULT>]",
              "tensor<2xf32>", "tensor<3xf32>", "tensor<?x?xf32>"),
      "attribute");
  expect_error(
      TWO("tensor<2xf32>", "tensor<2xf32>"),
      "%r = \"stablehlo.dot_general\"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>",
      "attribute");
}

Test(rules_dot, algorithms) {
  expect_error(ALGORITHM(TYPES("tf32", "f32"), COUNTS("1", "1", "3")), NULL);
  expect_error(ALGORITHM(TYPES("f8E5M2", "f32"), COUNTS("1", "1", "1")), NULL);
  expect_error(ALGORITHM(TYPES("tf32", "f32"), COUNTS("1", "1", "2")), "attribute");
  expect_error(ALGORITHM(TYPES("f32", "i8"), COUNTS("1", "1", "1")), "attribute");
  expect_error(ALGORITHM(TYPES("f32", "f32"), COUNTS("0", "1", "1")), "attribute");
  expect_error(ALGORITHM(TYPES("f32", "f32"),
                         COUNTS("1", "1",
                                "1>, precision_config = [#stablehlo<precision HIGHEST>], "
                                "other = #stablehlo.other<x = 1")),
               "attribute");
}

#define RAGGED(numbers, a, b, out)                                                                 \
  "%a: " a ", %b: " b ", %g: tensor<?xi64>",                                                       \
      "%r = \"chlo.ragged_dot\"(%a, %b, %g) {ragged_dot_dimension_numbers = "                      \
      "#chlo.ragged_dot<" numbers ">} : (" a ", " b ", tensor<?xi64>) -> " out

Test(rules_dot, ragged_dot) {
  expect_sizes(RAGGED("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], "
                      "lhs_ragged_dimensions = [0], "
                      "rhs_group_dimensions = [0]",
                      "tensor<?x3xf32>", "tensor<?x3x?xf32>", "tensor<?x?xf32>"),
               "[S0, S2]");
  expect_sizes(RAGGED("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], "
                      "lhs_ragged_dimensions = [1]",
                      "tensor<4x3xf32>", "tensor<3x5xf32>", "tensor<?x?x?xf32>"),
               "[S0, 4, 5]");
  expect_sizes(RAGGED("lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
                      "lhs_contracting_dimensions = [2], "
                      "rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]",
                      "tensor<2x4x3xf32>", "tensor<2x3x5xf32>", "tensor<?x?x?xf32>"),
               "[2, 4, 5]");
  expect_error(RAGGED("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]",
                      "tensor<4x3xf32>", "tensor<3x5xf32>", "tensor<?x?xf32>"),
               "attribute");
  expect_error(RAGGED("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], "
                      "lhs_ragged_dimensions = [0]",
                      "tensor<4x3xf32>", "tensor<3x5xf32>", "tensor<?x?xf32>"),
               "attribute");
  expect_error(RAGGED("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], "
                      "lhs_ragged_dimensions = [2]",
                      "tensor<4x3xf32>", "tensor<3x5xf32>", "tensor<?x?xf32>"),
               "axis");
  expect_error(RAGGED("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], "
                      "lhs_ragged_dimensions = [1]",
                      "tensor<4x3xf32>", "tensor<4x5xf32>", "tensor<?x?x?xf32>"),
               "shape-mismatch");
}

#define EINSUM(config, a, b, out)                                                                  \
  TWO(a, b), "%r = \"stablehlo.einsum\"(%a, %b) {einsum_config = \"" config "\"} : (" a ", " b     \
             ") -> " out
#define UNARY(config, a, out)                                                                      \
  "%a: " a, "%r = \"stablehlo.unary_einsum\"(%a) {einsum_config = \"" config "\"} : (" a ") "      \
            "-> " out

Test(rules_dot, einsum) {
  expect_sizes(EINSUM("ab,bc->ac", "tensor<?x?xf32>", "tensor<?x?xf32>", "tensor<?x?xf32>"),
               "[S0, S2]");
  expect_arguments(EINSUM("ab,bc->ac", "tensor<?x?xf32>", "tensor<?x4xf32>", "tensor<?x?xf32>"),
                   "[S0, S1] [S1, 4]");
  expect_sizes(EINSUM("...ab, ...bc -> ...ac", "tensor<2x3x4xf32>", "tensor<2x4x5xf32>",
                      "tensor<?x?x?xf32>"),
               "[2, 3, 5]");
  expect_sizes(EINSUM("...a,a->...", "tensor<2x3x4xf32>", "tensor<4xf32>", "tensor<?x?xf32>"),
               "[2, 3]");
  expect_sizes(EINSUM("...a,...a->a", "tensor<2x4xf32>", "tensor<4xf32>", "tensor<?xf32>"), "[S0]");
  expect_sizes(UNARY("aab->ba", "tensor<3x?x?xf32>", "tensor<?x?xf32>"), "[S0, 3]");
  expect_sizes(UNARY("ab->", "tensor<*xf32>", "tensor<*xf32>"), "[]");
  expect_error(EINSUM("ab,bc->ac", "tensor<2x3xf32>", "tensor<4x5xf32>", "tensor<?x?xf32>"),
               "shape-mismatch");
  expect_error(EINSUM("ab,bc->ac", "tensor<2x3xf32>", "tensor<4xf32>", "tensor<?x?xf32>"), "rank");
  expect_error(EINSUM("ab,bc->ad", "tensor<2x3xf32>", "tensor<3x5xf32>", "tensor<?x?xf32>"),
               "attribute");
  expect_error(EINSUM("ab->ab", "tensor<2x3xf32>", "tensor<3x5xf32>", "tensor<?x?xf32>"),
               "attribute");
  expect_error(EINSUM("a?,bc->ab", "tensor<2x3xf32>", "tensor<3x5xf32>", "tensor<?x?xf32>"),
               "attribute");
  expect_error(UNARY("ab->a!", "tensor<2x3xf32>", "tensor<?x?xf32>"), "attribute");
}

#define SELECT(dim, batch, a, b, out)                                                              \
  TWO(a, b), "%r = \"stablehlo.torch_index_select\"(%a, %b) {dim = " dim                           \
             " : i64, batch_dims = " batch " : i64} : (" a ", " b ") -> " out

Test(rules_dot, torch_index_select) {
  expect_sizes(SELECT("0", "0", "tensor<5x?xf32>", "tensor<?xi32>", "tensor<?x?xf32>"), "[S1, S0]");
  expect_sizes(SELECT("-1", "1", "tensor<?x5xf32>", "tensor<?x3xi32>", "tensor<?x?xf32>"),
               "[S0, 3]");
  expect_arguments(SELECT("1", "1", "tensor<?x5xf32>", "tensor<?x3xi32>", "tensor<?x?xf32>"),
                   "[S0, 5] [S0, 3]");
  expect_error(SELECT("2", "0", "tensor<?x5xf32>", "tensor<?xi32>", "tensor<?x?xf32>"), "axis");
  expect_error(SELECT("0", "2", "tensor<?x5xf32>", "tensor<?xi32>", "tensor<?x?xf32>"), "axis");
  expect_error(SELECT("0", "1", "tensor<?x5xf32>", "tensor<?xi32>", "tensor<?x?xf32>"), "axis");
}

// --- convolution

#define CONV(numbers, window, groups, batches, a, b, out)                                          \
  TWO(a, b), "%r = stablehlo.convolution(%a, %b) dim_numbers = " numbers ", window = {" window     \
             "} {feature_group_count = " groups " : i64, batch_group_count = " batches             \
             " : i64} : (" a ", " b ") -> " out
#define NHWC "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"

Test(rules_convolution, sizes) {
  expect_sizes(CONV(NHWC, "stride = [2, 1], pad = [[0, 0], [1, 1]], rhs_dilate = [2, 1]", "1", "1",
                    "tensor<?x9x?x3xf32>", "tensor<3x3x3x16xf32>", "tensor<?x?x?x?xf32>"),
               "[S0, 3, S1, 16]");
  expect_sizes(CONV(NHWC, "lhs_dilate = [2, 2]", "1", "1", "tensor<1x4x1x3xf32>",
                    "tensor<1x1x3x16xf32>", "tensor<?x?x?x?xf32>"),
               "[1, 7, 1, 16]");
  expect_sizes(CONV("[b, f, 0]x[o, i, 0]->[b, f, 0]", "pad = [[1, 1]]", "4", "1",
                    "tensor<?x8x5xf32>", "tensor<4x2x3xf32>", "tensor<?x?x?xf32>"),
               "[S0, 4, 5]");
  expect_sizes(CONV("[b, f, 0]x[o, i, 0]->[b, f, 0]", "", "1", "2", "tensor<6x3x5xf32>",
                    "tensor<4x3x3xf32>", "tensor<?x?x?xf32>"),
               "[3, 4, 3]");
}

Test(rules_convolution, every_direction) {
  // The kernel's input features are the operand's; the output fixes the input.
  expect_arguments(CONV("[b, 0, f]x[0, i, o]->[b, 0, f]", "", "1", "1", "tensor<?x?x?xf32>",
                        "tensor<3x8x?xf32>", "tensor<2x5x7xf32>"),
                   "[2, 7, 8] [3, 8, 7]");
  expect_fact(CONV("[b, 0, f]x[0, i, o]->[b, 0, f]", "stride = [4]", "1", "1", "tensor<2x?x8xf32>",
                   "tensor<3x8x7xf32>", "tensor<2x5x7xf32>"),
              "S0 >= 19");
  expect_fact(CONV("[b, 0, f]x[0, i, o]->[b, 0, f]", "", "1", "2", "tensor<?x5x8xf32>",
                   "tensor<3x8x4xf32>", "tensor<?x?x?xf32>"),
              "mod(S0, 2) == 0");
  expect_fact(CONV("[b, 0, f]x[0, i, o]->[b, 0, f]", "", "1", "1", "tensor<1x5x8xf32>",
                   "tensor<?x8x4xf32>", "tensor<?x?x?xf32>"),
              "S0 >= 1");
}

#define ODD(numbers, window, groups, batches)                                                      \
  CONV(numbers, window, groups, batches, "tensor<1x8x8x6xf32>", "tensor<3x3x6x4xf32>",             \
       "tensor<?x?x?x?xf32>")

Test(rules_convolution, errors) {
  expect_error(ODD(NHWC, "stride = [1]", "1", "1"), "attribute");
  expect_error(ODD(NHWC, "stride = [1, 0]", "1", "1"), "window");
  expect_error(ODD(NHWC, "lhs_dilate = [0, 1]", "1", "1"), "window");
  expect_error(ODD(NHWC, "rhs_dilate = [0, 1]", "1", "1"), "window");
  expect_error(ODD(NHWC, "reverse = [false]", "1", "1"), "attribute");
  expect_error(ODD(NHWC, "", "2", "2"), "attribute");
  expect_error(ODD(NHWC, "", "4", "1"), "shape-mismatch");
  expect_error(ODD(NHWC, "", "1", "3"), "shape-mismatch");
  expect_error(ODD(NHWC, "", "2", "1"), "shape-mismatch");
  expect_error(ODD(NHWC, "", "0", "1"), "attribute");
  expect_error(CONV("[b, f]x[i, o]->[b, f]", "", "1", "1", "tensor<1xf32>", "tensor<3xf32>",
                    "tensor<?xf32>"),
               "rank");
  expect_error(
      CONV(NHWC, "", "1", "1", "tensor<1x8x8x6xf32>", "tensor<3x6x4xf32>", "tensor<?x?x?x?xf32>"),
      "rank");
  expect_error(CONV("[b, 0, f]x[0, i, o]->[b, 0, f]", "", "1", "1", "tensor<1x8x8x6xf32>",
                    "tensor<3x3x6x4xf32>", "tensor<?x?x?x?xf32>"),
               "rank");
  expect_error(
      CONV(NHWC, "", "1", "1", "tensor<1x8x8x6xf32>", "tensor<0x3x6x4xf32>", "tensor<?x?x?x?xf32>"),
      "shape-mismatch");
  expect_error(
      CONV(NHWC, "", "1", "1", "tensor<1x8x8x6xf32>", "tensor<3x3x6x4xf64>", "tensor<?x?x?x?xf32>"),
      "element-type");
}

#define NUMBERS(batch, feature, spatial, kernel_spatial)                                           \
  TWO("tensor<1x8x6xf32>", "tensor<3x6x4xf32>"),                                                   \
      "%r = \"stablehlo.convolution\"(%a, %b) {dimension_numbers = #stablehlo.conv<raw "           \
      "input_batch_dimension = " batch ", input_feature_dimension = " feature                      \
      ", kernel_input_feature_dimension = 1, kernel_output_feature_dimension = "                   \
      "2, output_batch_dimension = 0, output_feature_dimension = 2, input_spatial_dimensions "     \
      "= " spatial ", kernel_spatial_dimensions = " kernel_spatial                                 \
      ", output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, "                        \
      "batch_group_count = 1 : i64} : (tensor<1x8x6xf32>, tensor<3x6x4xf32>) -> tensor<1x6x4xf32>"

Test(rules_convolution, numbers) {
  expect_error(NUMBERS("0", "2", "[1]", "[0]"), NULL);
  expect_error(NUMBERS("0", "0", "[1]", "[0]"), "axis");
  expect_error(NUMBERS("0", "3", "[1]", "[0]"), "axis");
  expect_error(NUMBERS("-1", "2", "[1]", "[0]"), "axis");
  expect_error(NUMBERS("0", "2", "[1]", "[0, 1]"), "attribute");
}

#define DYNAMIC(padding, type) DYNAMIC_OF("stablehlo", padding, type)
#define DYNAMIC_OF(dialect, padding, type)                                                         \
  "%a: tensor<1x?x6xf32>, %b: tensor<3x6x4xf32>, %n: tensor<?xf32>",                               \
      padding "%r = \"" dialect ".dynamic_conv\"(%a, %b, %p) {dimension_numbers = "                \
              "#" dialect ".conv<[b, 0, f]x[0, i, o]->[b, "                                        \
              "0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : "             \
              "(tensor<1x?x6xf32>, tensor<3x6x4xf32>, " type ") -> tensor<1x?x4xf32>"

Test(rules_convolution, dynamic_conv) {
  expect_sizes(
      DYNAMIC("%p = stablehlo.constant dense<[[1, 1]]> : tensor<1x2xi32>\n", "tensor<1x2xi32>"),
      "[1, S0, 4]");
  expect_error(
      DYNAMIC("%p = stablehlo.constant dense<[[1, 1, 1]]> : tensor<1x3xi32>\n", "tensor<1x3xi32>"),
      "shape-mismatch");
  expect_error(DYNAMIC("%p = stablehlo.constant dense<[1, 1]> : tensor<2xi32>\n", "tensor<2xi32>"),
               "rank");
}

// MHLO, as BladeDISC writes it: low and high of each axis in one vector.
Test(rules_convolution, dynamic_conv_with_pairs) {
  expect_sizes(
      DYNAMIC_OF("mhlo", "%p = mhlo.constant dense<[1, 0]> : tensor<2xi32>\n", "tensor<2xi32>"),
      "[1, max(S0, 1) - 1, 4]");
  expect_sizes(DYNAMIC_OF("mhlo", "%p = mhlo.constant dense<[[1, 1]]> : tensor<1x2xi32>\n",
                          "tensor<1x2xi32>"),
               "[1, S0, 4]");
  expect_error(
      DYNAMIC_OF("mhlo", "%p = mhlo.constant dense<[1, 0, 1]> : tensor<3xi32>\n", "tensor<3xi32>"),
      "shape-mismatch");
}
