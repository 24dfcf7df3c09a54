// SPDX-License-Identifier: Apache-2.0
// reduce, reduce_window, select_and_scatter.
#include "tests/unit/ops/rules.h"

#define REDUCE(dims, in, out)                                                                      \
  "%r = \"stablehlo.reduce\"(%a, %i) " ADDS("f32") " {dimensions = array<i64: " dims ">} : (" in   \
                                                   ", tensor<f32>) -> " out

Test(rules_reduce, sizes) {
  expect_sizes("%a: tensor<2x3x4xf32>, %i: tensor<f32>",
               REDUCE("0, 2", "tensor<2x3x4xf32>", "tensor<3xf32>"), "[3]");
  expect_sizes("%a: tensor<?x?xf32>, %i: tensor<f32>",
               REDUCE("0", "tensor<?x?xf32>", "tensor<?xf32>"), "[S1]");
  expect_sizes("%a: tensor<*xf32>, %i: tensor<f32>", REDUCE("0", "tensor<*xf32>", "tensor<*xf32>"),
               "*");
  expect_sizes(
      "%a: tensor<?xf32>, %i: tensor<f32>",
      "%r = stablehlo.reduce(%a init: %i) applies stablehlo.maximum across dimensions = [0] : "
      "(tensor<?xf32>, tensor<f32>) -> tensor<f32>",
      "[]");
}

Test(rules_reduce, result_tells_of_the_operand) {
  expect_arguments("%a: tensor<?x?xf32>, %i: tensor<f32>",
                   REDUCE("0", "tensor<?x?xf32>", "tensor<7xf32>"), "[S0, 7] []");
}

Test(rules_reduce, inputs_have_the_same_sizes) {
  expect_arguments(
      "%a: tensor<?xf32>, %b: tensor<?xi32>, %i: tensor<f32>, %k: tensor<i32>",
      "%r:2 = \"stablehlo.reduce\"(%a, %b, %i, %k) ({^bb0(%x: tensor<f32>, %y: tensor<i32>, %z: "
      "tensor<f32>, "
      "%w: tensor<i32>): stablehlo.return %x, %y : tensor<f32>, tensor<i32> }) {dimensions = "
      "array<i64: 0>} : "
      "(tensor<?xf32>, tensor<?xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)",
      "[S0] [S0] [] []");
}

Test(rules_reduce, folds_elements) {
#define FOLD(what, init)                                                                           \
  "%a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>\n"                      \
  "%i = stablehlo.constant dense<" init "> : tensor<i32>\n"                                        \
  "%r = stablehlo.reduce(%a init: %i) applies stablehlo." what                                     \
  " across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>"
  expect_elements("", FOLD("add", "0"), "[6, 15]");
  // How often another initial value is added is the implementation's.
  expect_elements("", FOLD("add", "10"), "[S0, S1]");
  expect_elements("", FOLD("multiply", "1"), "[6, 120]");
  expect_elements("", FOLD("maximum", "3"), "[3, 6]");
  expect_elements("", FOLD("maximum", "4"), "[?, 6]");
  expect_elements("", FOLD("xor", "0"), "[0, 7]");
  expect_elements("", FOLD("or", "0"), "[3, 7]");
  expect_elements("", FOLD("and", "-1"), "[0, 4]");
  expect_elements(
      "",
      "%a = stablehlo.constant dense<1> : tensor<0x2xi32>\n"
      "%i = stablehlo.constant dense<0> : tensor<i32>\n"
      "%r = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : "
      "(tensor<0x2xi32>, tensor<i32>) -> tensor<2xi32>",
      "[0, 0]");
  expect_elements(
      "%d: tensor<?x?xf32>",
      "%0 = stablehlo.get_dimension_size %d, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>\n"
      "%1 = stablehlo.get_dimension_size %d, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>\n"
      "%2 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>\n"
      "%3 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>\n"
      "%4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "
      "tensor<2xi32>\n"
      "%i = stablehlo.constant dense<1> : tensor<i32>\n"
      "%r = stablehlo.reduce(%4 init: %i) applies stablehlo.multiply across dimensions = [0] : "
      "(tensor<2xi32>, tensor<i32>) -> tensor<i32>",
      "[S0*S1]");
}

Test(rules_reduce, errors) {
  const char *two = "%a: tensor<2x3xf32>, %i: tensor<f32>";
  expect_error(two, REDUCE("2", "tensor<2x3xf32>", "tensor<?xf32>"), "axis");
  expect_error(two, REDUCE("-1", "tensor<2x3xf32>", "tensor<?xf32>"), "axis");
  expect_error(two, REDUCE("0, 0", "tensor<2x3xf32>", "tensor<?xf32>"), "axis");
  expect_error(two, REDUCE("0", "tensor<2x3xf32>", "tensor<2xf32>"), "declared-type");
  expect_error(two,
               "%r = \"stablehlo.reduce\"(%a, %a, %i) " ADDS(
                   "f32") " {dimensions = array<i64: 0>} : (tensor<2x3xf32>, "
                          "tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>",
               "operands");
  expect_error(two,
               "%r = \"stablehlo.reduce\"(%a, %i) " ADDS(
                   "f32") " : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>",
               "attribute");
  expect_error(
      "%a: tensor<?xf32>, %b: tensor<?x?xf32>, %i: tensor<f32>",
      "%r:2 = \"stablehlo.reduce\"(%a, %b, %i, %i) ({^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: "
      "tensor<f32>, "
      "%w: tensor<f32>): stablehlo.return %x, %y : tensor<f32>, tensor<f32> }) {dimensions = "
      "array<i64: 0>} : "
      "(tensor<?xf32>, tensor<?x?xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)",
      "rank");
}

Test(rules_reduce, as_many_results_as_inputs) {
  expect_error("%a: tensor<3xf32>, %i: tensor<f32>",
               "\"stablehlo.reduce\"(%a, %i) " ADDS(
                   "f32") " {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> ()",
               "operands");
  expect_error(
      "%a: tensor<3xf32>, %i: tensor<f32>",
      "\"stablehlo.reduce_window\"(%a, %i) " ADDS(
          "f32") " {window_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<f32>) -> ()",
      "operands");
}

// What a region of a reduction may look like.
#define REGION(region)                                                                             \
  "%r = \"stablehlo.reduce\"(%a, %i) (" region                                                     \
  ") {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> "                              \
  "tensor<f32>"
#define SCALARS "%a: tensor<4xf32>, %i: tensor<f32>"

Test(rules_reduce, region) {
  expect_error(SCALARS, REGION("{^bb0(%x: tensor<f32>): stablehlo.return %x : tensor<f32> }"),
               "region");
  expect_error(
      SCALARS,
      REGION("{^bb0(%x: tensor<f32>, %y: tensor<f32>): \"stablehlo.return\"() : () -> () }"),
      "region");
  expect_error(
      SCALARS,
      REGION("{^bb0(%x: tensor<f32>, %y: tensor<f64>): stablehlo.return %x : tensor<f32> }"),
      "region");
  expect_error(
      SCALARS,
      REGION("{^bb0(%x: tensor<i32>, %y: tensor<i32>): stablehlo.return %x : tensor<i32> }"),
      "region");
  expect_error(
      SCALARS,
      REGION(
          "{^bb0(%x: tensor<f32>, %y: tensor<f32>): %t = stablehlo.tuple %x : tuple<tensor<f32>>\n "
          "stablehlo.return %t : tuple<tensor<f32>> }"),
      "region");
  expect_error(
      SCALARS,
      REGION("{^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>): stablehlo.return %x : tensor<4xf32> }"),
      "region");
  expect_error("%a: tensor<4x5xf32>, %i: tensor<3xf32>",
               "%r = \"stablehlo.reduce\"(%a, %i) ({^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>): "
               "stablehlo.return %x : "
               "tensor<3xf32> }) {dimensions = array<i64: 0>} : (tensor<4x5xf32>, tensor<3xf32>) "
               "-> tensor<5xf32>",
               "region");
  expect_error(
      "%a: tensor<4xi32>, %i: tensor<i8>",
      "%r = \"stablehlo.reduce\"(%a, %i) ({^bb0(%x: tensor<i16>, %y: tensor<i16>): "
      "stablehlo.return %x : "
      "tensor<i16> }) {dimensions = array<i64: 0>} : (tensor<4xi32>, tensor<i8>) -> tensor<i16>",
      "region");
  // Sums in a wider type are fine, and the result has that type.
  const char *wider = "%r = \"stablehlo.reduce\"(%a, %i) " ADDS(
      "f64") " {dimensions = array<i64: 0>} : (tensor<4xf32>, "
             "tensor<f32>) -> tensor<f64>";
  expect_error(SCALARS, wider, NULL);
  expect_error(SCALARS,
               "%r = \"stablehlo.reduce\"(%a, %i) " ADDS(
                   "f64") " {dimensions = array<i64: 0>} : (tensor<4xf32>, "
                          "tensor<f32>) -> tensor<f32>",
               "element-type");
  expect_error(
      "%a: tensor<4xcomplex<f32>>, %i: tensor<complex<f32>>",
      "%r = \"stablehlo.reduce\"(%a, %i) " ADDS(
          "complex<f64>") " {dimensions = array<i64: 0>} : "
                          "(tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f64>>",
      NULL);
  expect_error(SCALARS,
               "%r = \"stablehlo.reduce\"(%a, %i) {dimensions = array<i64: 0>} : (tensor<4xf32>, "
               "tensor<f32>) -> "
               "tensor<f32>",
               "region");
}

Test(rules_reduce, quantized_region) {
#define QUANT(to)                                                                                  \
  "%r = \"stablehlo.reduce\"(%a, %i) ({^bb0(%x: tensor<" to ">, %y: tensor<" to                    \
  ">): stablehlo.return %x : tensor<" to                                                           \
  "> }) {dimensions = array<i64: 0>} : (tensor<4x!quant.uniform<u8:f32, 2.0:1>>, "                 \
  "tensor<!quant.uniform<u8:f32, "                                                                 \
  "2.0:1>>) -> tensor<" to ">"
  const char *arguments =
      "%a: tensor<4x!quant.uniform<u8:f32, 2.0:1>>, %i: tensor<!quant.uniform<u8:f32, 2.0:1>>";
  expect_error(arguments, QUANT("!quant.uniform<u8:f32, 2.0:1>"), NULL);
  expect_error(arguments, QUANT("!quant.uniform<ui16<0:60000>:f32, 2.0:1>"), NULL);
  expect_error(arguments, QUANT("!quant.uniform<u16:f64, 2.0:1>"), "region");
  expect_error(arguments, QUANT("f32"), "region");
}

// --- reduce_window

#define WINDOW(attributes, in, out)                                                                \
  "%r = \"stablehlo.reduce_window\"(%a, %i) " ADDS("f32") " {" attributes "} : (" in               \
                                                          ", tensor<f32>) -> " out
#define UNARY "%a: tensor<?xf32>, %i: tensor<f32>"

Test(rules_window, sizes) {
  expect_sizes("%a: tensor<4x2xf32>, %i: tensor<f32>",
               WINDOW("window_dimensions = array<i64: 5, 1>, window_strides = array<i64: 3, 1>, "
                      "padding = dense<[[2, 2], "
                      "[0, 0]]> : tensor<2x2xi64>",
                      "tensor<4x2xf32>", "tensor<?x?xf32>"),
               "[2, 2]");
  // A window of one element that moves by one keeps the size; one of two needs two elements.
  expect_sizes(UNARY, WINDOW("window_dimensions = array<i64: 1>", "tensor<?xf32>", "tensor<?xf32>"),
               "[S0]");
  expect_sizes(UNARY, WINDOW("window_dimensions = array<i64: 3>", "tensor<?xf32>", "tensor<?xf32>"),
               "[max(S0, 2) - 2]");
  expect_sizes(
      UNARY,
      WINDOW("window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>",
             "tensor<?xf32>", "tensor<?xf32>"),
      "[S0]");
  expect_sizes("%a: tensor<0xf32>, %i: tensor<f32>",
               WINDOW("window_dimensions = array<i64: 1>, base_dilations = array<i64: 3>",
                      "tensor<0xf32>", "tensor<?xf32>"),
               "[0]");
  expect_sizes("%a: tensor<4xf32>, %i: tensor<f32>",
               WINDOW("window_dimensions = array<i64: 3>, base_dilations = array<i64: 3>, "
                      "window_dilations = array<i64: 2>",
                      "tensor<4xf32>", "tensor<?xf32>"),
               "[6]");
  expect_sizes(
      "%a: tensor<4xf32>, %i: tensor<f32>",
      WINDOW("window_dimensions = array<i64: 3>, padding = dense<[[-2, -2]]> : tensor<1x2xi64>",
             "tensor<4xf32>", "tensor<?xf32>"),
      "[0]");
}

Test(rules_window, result_fixes_the_input_up_to_the_stride) {
  const char *strided = WINDOW("window_dimensions = array<i64: 3>, window_strides = array<i64: 2>",
                               "tensor<?xf32>", "tensor<5xf32>");
  expect_fact(UNARY, strided, "S0 >= 11");
  expect_fact(UNARY, strided, "S0 <= 12");
  expect_open(UNARY, strided, "S0 == 11");
  expect_arguments(UNARY,
                   WINDOW("window_dimensions = array<i64: 3>", "tensor<?xf32>", "tensor<5xf32>"),
                   "[7] []");
}

Test(rules_window, errors) {
#define INVALID(attributes) WINDOW(attributes, "tensor<4x2xf32>", "tensor<?x?xf32>")
  const char *two = "%a: tensor<4x2xf32>, %i: tensor<f32>";
  expect_error(two, INVALID("window_dimensions = array<i64: 5>"), "window");
  expect_error(two, INVALID("window_dimensions = array<i64: 5, 0>"), "window");
  expect_error(two, INVALID("window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1>"),
               "attribute");
  expect_error(two,
               INVALID("window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 0>"),
               "window");
  expect_error(two,
               INVALID("window_dimensions = array<i64: 1, 1>, base_dilations = array<i64: 0, 1>"),
               "window");
  expect_error(two,
               INVALID("window_dimensions = array<i64: 1, 1>, window_dilations = array<i64: 0, 1>"),
               "window");
  expect_error(
      two, INVALID("window_dimensions = array<i64: 1, 1>, padding = dense<0> : tensor<4x1xi64>"),
      "window");
  expect_error(
      two, INVALID("window_dimensions = array<i64: 1, 1>, padding = dense<0> : tensor<1x2xi64>"),
      "attribute");
  expect_error(two,
               "%r = \"stablehlo.reduce_window\"(%a, %a, %i) " ADDS(
                   "f32") " {window_dimensions = array<i64: 1, 1>} : "
                          "(tensor<4x2xf32>, tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>",
               "operands");
  expect_error(
      "%a: tensor<4xf32>, %b: tensor<5xf32>, %i: tensor<f32>",
      "%r:2 = \"stablehlo.reduce_window\"(%a, %b, %i, %i) ({^bb0(%x: tensor<f32>, %y: tensor<f32>, "
      "%z: tensor<f32>, %w: tensor<f32>): stablehlo.return %x, %y : tensor<f32>, tensor<f32> }) "
      "{window_dimensions = array<i64: 1>} : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, "
      "tensor<f32>) -> "
      "(tensor<4xf32>, tensor<4xf32>)",
      "shape-mismatch");
}

// --- select_and_scatter

#define SCATTERS(attributes, in, source, out)                                                      \
  "%r = \"stablehlo.select_and_scatter\"(%a, %s, %i) (" SELECT ", " SCATTER ") {" attributes       \
  "} : (" in ", " source ", tensor<f32>) -> " out
#define SELECT                                                                                     \
  "{^bb0(%x: tensor<f32>, %y: tensor<f32>): %p = stablehlo.compare GE, %x, %y : (tensor<f32>, "    \
  "tensor<f32>) -> "                                                                               \
  "tensor<i1> stablehlo.return %p : tensor<i1> }"
#define SCATTER "{^bb0(%x: tensor<f32>, %y: tensor<f32>): stablehlo.return %x : tensor<f32> }"

Test(rules_window, select_and_scatter) {
  expect_sizes("%a: tensor<?x24xf32>, %s: tensor<?x12xf32>, %i: tensor<f32>",
               SCATTERS("window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>",
                        "tensor<?x24xf32>", "tensor<?x12xf32>", "tensor<?x24xf32>"),
               "[S0, 24]");
  expect_arguments("%a: tensor<?xf32>, %s: tensor<?xf32>, %i: tensor<f32>",
                   SCATTERS("window_dimensions = array<i64: 1>", "tensor<?xf32>", "tensor<?xf32>",
                            "tensor<?xf32>"),
                   "[S0] [S0] []");
  expect_arguments("%a: tensor<?xf32>, %s: tensor<?xf32>, %i: tensor<f32>",
                   SCATTERS("padding = dense<0> : tensor<1x2xi64>", "tensor<?xf32>",
                            "tensor<?xf32>", "tensor<?xf32>"),
                   "[S0] [S0] []");
}

Test(rules_window, select_and_scatter_errors) {
  const char *arguments = "%a: tensor<24xf32>, %s: tensor<12xf32>, %i: tensor<f32>";
#define WRONG(attributes) SCATTERS(attributes, "tensor<24xf32>", "tensor<12xf32>", "tensor<24xf32>")
  expect_error(arguments,
               WRONG("window_dimensions = array<i64: 3>, window_strides = array<i64: 3>"),
               "shape-mismatch");
  expect_error(arguments, WRONG("window_dimensions = array<i64: 0>"), "window");
  expect_error(arguments, WRONG("window_dimensions = array<i64: 2, 2>"), "window");
  expect_error(arguments,
               WRONG("window_dimensions = array<i64: 2>, window_strides = array<i64: 0>"),
               "window");
  expect_error("%a: tensor<24xf32>, %s: tensor<12x1xf32>, %i: tensor<f32>",
               SCATTERS("window_dimensions = array<i64: 2>", "tensor<24xf32>", "tensor<12x1xf32>",
                        "tensor<24xf32>"),
               "rank");
  expect_error("%a: tensor<2xf64>, %s: tensor<2xf32>, %i: tensor<f32>",
               SCATTERS("window_dimensions = array<i64: 1>", "tensor<2xf64>", "tensor<2xf32>",
                        "tensor<2xf64>"),
               "element-type");
}

Test(rules_window, select_region) {
#define SELECTS(region)                                                                            \
  "%r = \"stablehlo.select_and_scatter\"(%a, %a, %i) (" region ", " SCATTER                        \
  ") {window_dimensions = array<i64: 1>} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> "        \
  "tensor<4xf32>"
  expect_error(SCALARS, SELECTS("{^bb0(%x: tensor<f32>): stablehlo.return %x : tensor<f32> }"),
               "region");
  expect_error(
      SCALARS,
      SELECTS("{^bb0(%x: tensor<f32>, %y: tensor<f32>): stablehlo.return %x : tensor<f32> }"),
      "region");
  expect_error(SCALARS,
               SELECTS("{^bb0(%x: tensor<f32>, %y: tensor<f32>): stablehlo.return %x, %y : "
                       "tensor<f32>, tensor<f32> }"),
               "region");
  expect_error(
      SCALARS,
      SELECTS("{^bb0(%x: tensor<f32>, %y: tensor<1xf32>): stablehlo.return %x : tensor<f32> }"),
      "region");
}
