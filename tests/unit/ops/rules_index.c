// SPDX-License-Identifier: Apache-2.0
// gather, dynamic_gather, scatter, sort, reverse, map, top_k.
#include "tests/unit/ops/rules.h"

#define GATHER(numbers, sizes, a, s, out)                                                          \
  "%a: " a ", %s: " s,                                                                             \
      "%r = \"stablehlo.gather\"(%a, %s) {dimension_numbers = #stablehlo.gather<" numbers          \
      ">, slice_sizes = array<i64: " sizes ">} : (" a ", " s ") -> " out
// Rows of a matrix, chosen by numbers.
#define ROWS                                                                                       \
  "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"

Test(rules_gather, sizes) {
  expect_sizes(GATHER(ROWS, "1, 8", "tensor<?x?xf32>", "tensor<?x1xi32>", "tensor<?x?xf32>"),
               "[S2, 8]");
  expect_sizes(GATHER(ROWS, "1, 8", "tensor<?x?xf32>", "tensor<?xi32>", "tensor<?x?xf32>"),
               "[S2, 8]");
  expect_sizes(
      GATHER("offset_dims = [3], collapsed_slice_dims = [1, 2], operand_batching_dims = [0], "
             "start_indices_batching_dims = [1], start_index_map = [1, 2], index_vector_dim = 3",
             "1, 1, 1, 8", "tensor<?x?x?x?xi32>", "tensor<1x3x5x2xi32>", "tensor<?x?x?x?xi32>"),
      "[1, 3, 5, 8]");
  // The operand of unknown rank gets the rank that the numbers need, and two sizes.
  expect_sizes(GATHER(ROWS, "1, 8", "tensor<*xf32>", "tensor<?x1xi32>", "tensor<*xf32>"),
               "[S2, 8]");
  expect_sizes(GATHER(ROWS, "1, 8", "tensor<?x?xf32>", "tensor<*xi32>", "tensor<*xf32>"), "*");
}

Test(rules_gather, tells_of_the_operands) {
  expect_fact(GATHER(ROWS, "1, 8", "tensor<?x?xf32>", "tensor<?x1xi32>", "tensor<?x?xf32>"),
              "S1 >= 8");
  expect_fact(GATHER(ROWS, "1, 8", "tensor<?x?xf32>", "tensor<?x1xi32>", "tensor<?x?xf32>"),
              "S0 >= 1");
  expect_arguments(GATHER(ROWS, "1, 8", "tensor<?x?xf32>", "tensor<?x?xi32>", "tensor<6x?xf32>"),
                   "[S0, S1] [6, 1]");
  expect_arguments(
      GATHER("offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], "
             "start_index_map = [1], index_vector_dim = 1",
             "1, 2", "tensor<?x9xf32>", "tensor<?x1xi32>", "tensor<?x?xf32>"),
      "[S0, 9] [S0, 1]");
}

#define INVALID(numbers, sizes)                                                                    \
  GATHER(numbers, sizes, "tensor<2x4x9xi32>", "tensor<1x5x2xi32>", "tensor<*xi32>")
#define G(offset, collapsed, map, vector)                                                          \
  "offset_dims = " offset ", collapsed_slice_dims = " collapsed ", start_index_map = " map         \
  ", index_vector_dim = " vector

Test(rules_gather, errors) {
  expect_error(INVALID(G("[2]", "[0, 1]", "[0, 1]", "2"), "1, 1, 8"), NULL);
  expect_error(INVALID(G("[2]", "[0]", "[0, 1]", "2"), "1, 1, 8"), "rank");
  expect_error(INVALID(G("[2]", "[0, 1]", "[0, 1]", "4"), "1, 1, 8"), "axis");
  expect_error(INVALID(G("[2]", "[0, 1]", "[0, 1]", "-1"), "1, 1, 8"), "axis");
  expect_error(INVALID(G("[2]", "[0, 1]", "[0]", "2"), "1, 1, 8"), "shape-mismatch");
  expect_error(INVALID(G("[2]", "[0, 1]", "[0, 1]", "3"), "1, 1, 8"), "attribute");
  expect_error(INVALID(G("[2, 1]", "[0]", "[0, 1]", "2"), "1, 1, 8"), "axis");
  expect_error(INVALID(G("[2, 2]", "[0]", "[0, 1]", "2"), "1, 1, 8"), "axis");
  expect_error(INVALID(G("[3]", "[0, 1]", "[0, 1]", "2"), "1, 1, 8"), "axis");
  expect_error(INVALID(G("[-1]", "[0, 1]", "[0, 1]", "2"), "1, 1, 8"), "axis");
  expect_error(INVALID(G("[2]", "[1, 0]", "[0, 1]", "2"), "1, 1, 8"), "axis");
  expect_error(INVALID(G("[2]", "[0, 17]", "[0, 1]", "2"), "1, 1, 8"), "axis");
  expect_error(INVALID(G("[2]", "[0, 1]", "[0, 0]", "2"), "1, 1, 8"), "axis");
  expect_error(INVALID(G("[2]", "[0, 1]", "[0, 3]", "2"), "1, 1, 8"), "axis");
  expect_error(INVALID(G("[2]", "[0, 1]", "[0, 1]", "2"), "1, 2, 8"), "shape-mismatch");
  expect_error(INVALID(G("[2]", "[0, 1]", "[0, 1]", "2"), "1, 1, 10"), "shape-mismatch");
  expect_error(INVALID(G("[2]", "[0, 1]", "[0, 1]", "2"), "1, 1, -1"), "shape-mismatch");
  expect_error(INVALID(G("[2]", "[0, 1]", "[0, 1]", "2"), "1, 1"), "attribute");
  expect_error(INVALID(G("[2]", "[1]", "[0, 1]", "2") ", operand_batching_dims = [0]", "1, 1, 8"),
               "attribute");
  expect_error(INVALID(G("[2]", "[1]", "[1, 2]",
                         "2") ", operand_batching_dims = [0], start_indices_batching_dims = [2]",
                       "1, 1, 8"),
               "axis");
  expect_error(INVALID(G("[2]", "[1]", "[1, 2]",
                         "2") ", operand_batching_dims = [0], start_indices_batching_dims = [0]",
                       "1, 1, 8"),
               "shape-mismatch");
  expect_error(INVALID(G("[2]", "[1]", "[0, 2]",
                         "2") ", operand_batching_dims = [0], start_indices_batching_dims = [0]",
                       "1, 1, 8"),
               "axis");
}

Test(rules_gather, dynamic_gather) {
#define DYNAMIC(given)                                                                             \
  "%a: tensor<?x4xf32>, %s: tensor<?x1xi32>",                                                      \
      "%z = stablehlo.constant dense<[1, 2]> : tensor<2xi32>\n"                                    \
      "%r = \"stablehlo.dynamic_gather\"(%a, %s, " given                                           \
      ") {dimension_numbers = #stablehlo.gather<" ROWS ">} : "                                     \
      "(tensor<?x4xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x?xf32>"
  expect_sizes(DYNAMIC("%z"), "[S1, 2]");
  expect_sizes(
      "%a: tensor<?x4xf32>, %s: tensor<?x1xi32>, %n: tensor<?xi32>",
      "%r = \"stablehlo.dynamic_gather\"(%a, %s, %n) {dimension_numbers = #stablehlo.gather<" ROWS
      ">} : "
      "(tensor<?x4xf32>, tensor<?x1xi32>, tensor<?xi32>) -> tensor<?x?xf32>",
      "[S1, S3]");
}

Test(rules_gather, folds_elements) {
#define TABLE(start, numbers, sizes, s, out)                                                       \
  "", "%a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>\n"                  \
      "%s = stablehlo.constant dense<" start "> : " s "\n"                                         \
      "%r = \"stablehlo.gather\"(%a, %s) {dimension_numbers = #stablehlo.gather<" numbers          \
      ">, slice_sizes = "                                                                          \
      "array<i64: " sizes ">} : (tensor<2x3xi32>, " s ") -> " out
  expect_elements(TABLE("[[1], [0], [7]]", ROWS, "1, 3", "tensor<3x1xi32>", "tensor<3x3xi32>"),
                  "[4, 5, 6, 1, 2, 3, 4, 5, 6]");
  expect_elements(TABLE("[1, -3]",
                        "offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [1, 0], "
                        "index_vector_dim = 0",
                        "1, 2", "tensor<2xi32>", "tensor<2xi32>"),
                  "[2, 3]");
  expect_elements(
      TABLE("[2, 0]",
            "collapsed_slice_dims = [1], operand_batching_dims = [0], "
            "start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1",
            "1, 1", "tensor<2xi32>", "tensor<2xi32>"),
      "[3, 4]");
  expect_elements("%s: tensor<1xi32>",
                  "%a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>\n"
                  "%r = \"stablehlo.gather\"(%a, %s) {dimension_numbers = "
                  "#stablehlo.gather<collapsed_slice_dims = [0], "
                  "start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1>} : "
                  "(tensor<3xi32>, "
                  "tensor<1xi32>) -> tensor<i32>",
                  "[?]");
}

// --- scatter

#define SCATTER(numbers, a, s, u)                                                                  \
  "%a: " a ", %s: " s ", %u: " u,                                                                  \
      "%r = \"stablehlo.scatter\"(%a, %s, %u) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): "          \
      "stablehlo.return %y : tensor<f32> "                                                         \
      "}) {scatter_dimension_numbers = #stablehlo.scatter<" numbers ">} : (" a ", " s ", " u       \
      ") -> " a
#define INTO                                                                                       \
  "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "     \
  "index_vector_dim = 1"

Test(rules_scatter, sizes) {
  expect_sizes(SCATTER(INTO, "tensor<?x?xf32>", "tensor<?x1xi32>", "tensor<?x?xf32>"), "[S0, S1]");
  expect_arguments(SCATTER(INTO, "tensor<?x8xf32>", "tensor<?x?xi32>", "tensor<?x?xf32>"),
                   "[S0, 8] [S1, 1] [S1, S2]");
  expect_fact(SCATTER(INTO, "tensor<?x8xf32>", "tensor<?x1xi32>", "tensor<?x?xf32>"), "S2 <= 8");
}

#define WRONG(numbers) SCATTER(numbers, "tensor<9x8xf32>", "tensor<5x1xi32>", "tensor<5x8xf32>")
#define S(window, inserted, map, vector)                                                           \
  "update_window_dims = " window ", inserted_window_dims = " inserted                              \
  ", scatter_dims_to_operand_dims = " map ", index_vector_dim = " vector

Test(rules_scatter, errors) {
  expect_error(WRONG(S("[1]", "[0]", "[0]", "1")), NULL);
  expect_error(SCATTER(INTO, "tensor<9x8xf32>", "tensor<5x1xf32>", "tensor<5x8xf32>"),
               "element-type");
  expect_error(WRONG(S("[1]", "[0, 1]", "[0]", "1")), "rank");
  expect_error(WRONG(S("[2]", "[0]", "[0]", "1")), "axis");
  expect_error(WRONG(S("[1]", "[2]", "[0]", "1")), "axis");
  expect_error(WRONG(S("[1]", "[0]", "[2]", "1")), "axis");
  expect_error(WRONG(S("[1]", "[0]", "[0]", "3")), "axis");
  expect_error(WRONG(S("[1]", "[0]", "[0, 1]", "1")), "shape-mismatch");
  expect_error(SCATTER(INTO, "tensor<9x8xf32>", "tensor<5x1xi32>", "tensor<5xf32>"), "axis");
  expect_error(SCATTER(INTO, "tensor<9x8xf32>", "tensor<5x1xi32>", "tensor<5x8x1xf32>"), "rank");
  expect_error(SCATTER(INTO, "tensor<9x8xf32>", "tensor<5x1xi32>", "tensor<4x8xf32>"),
               "shape-mismatch");
  expect_error(SCATTER(INTO, "tensor<9x8xf32>", "tensor<5x1xi32>", "tensor<5x9xf32>"),
               "shape-mismatch");
  expect_error(
      "%a: tensor<9x8xf32>, %s: tensor<5x1xi32>, %u: tensor<5x8xf32>",
      "%r:2 = \"stablehlo.scatter\"(%a, %a, %s, %u) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): "
      "stablehlo.return "
      "%y : tensor<f32> }) {scatter_dimension_numbers = #stablehlo.scatter<" INTO
      ">} : (tensor<9x8xf32>, "
      "tensor<9x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> (tensor<9x8xf32>, tensor<9x8xf32>)",
      "operands");
  expect_error("%a: tensor<9x8xf32>, %b: tensor<9x7xf32>, %s: tensor<5x1xi32>, %u: tensor<5x8xf32>",
               "%r:2 = \"stablehlo.scatter\"(%a, %b, %s, %u, %u) ({^bb0(%x: tensor<f32>, %y: "
               "tensor<f32>, %z: tensor<f32>, "
               "%w: tensor<f32>): stablehlo.return %x, %y : tensor<f32>, tensor<f32> }) "
               "{scatter_dimension_numbers = "
               "#stablehlo.scatter<" INTO
               ">} : (tensor<9x8xf32>, tensor<9x7xf32>, tensor<5x1xi32>, tensor<5x8xf32>, "
               "tensor<5x8xf32>) -> (tensor<9x8xf32>, tensor<9x7xf32>)",
               "shape-mismatch");
}

// --- sort

#define SORT(axis, a)                                                                              \
  "%a: " a, "%r = \"stablehlo.sort\"(%a) " COMPARES("f32") " {dimension = " axis " : i64} : (" a   \
                                                           ") -> " a

Test(rules_sort, sizes) {
  expect_sizes(SORT("0", "tensor<?x3xf32>"), "[S0, 3]");
  expect_sizes(SORT("-2", "tensor<?x3xf32>"), "[S0, 3]");
  expect_sizes(SORT("-1", "tensor<f32>"), "[]");
  expect_error(SORT("2", "tensor<?x3xf32>"), "axis");
  expect_error(SORT("-3", "tensor<?x3xf32>"), "axis");
  expect_arguments(
      "%a: tensor<?xf32>, %b: tensor<?xi32>",
      "%r:2 = \"stablehlo.sort\"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<i32>, "
      "%w: "
      "tensor<i32>): %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "
      "stablehlo.return %s : tensor<i1> }) {dimension = 0 : i64} : (tensor<?xf32>, tensor<?xi32>) "
      "-> "
      "(tensor<?xf32>, tensor<?xi32>)",
      "[S0] [S0]");
  expect_error("%a: tensor<3xf32>",
               "%r = \"stablehlo.sort\"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): "
               "stablehlo.return %x : tensor<f32> }) "
               "{dimension = 0 : i64} : (tensor<3xf32>) -> tensor<3xf32>",
               "region");
  expect_error("%a: tensor<3xf32>",
               "%r:2 = \"stablehlo.sort\"(%a) " COMPARES(
                   "f32") " {dimension = 0 : i64} : (tensor<3xf32>) -> "
                          "(tensor<3xf32>, tensor<3xf32>)",
               "operands");
}

Test(rules_sort, folds_elements) {
#define SORTED(how, left, right)                                                                   \
  "", "%a = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi32>\n"                                 \
      "%r = \"stablehlo.sort\"(%a) ({^bb0(%x: tensor<i32>, %y: tensor<i32>): %s = "                \
      "stablehlo.compare " how ", " left ", " right                                                \
      " : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %s : tensor<i1> }) "           \
      "{dimension = 0 : i64} : "                                                                   \
      "(tensor<3xi32>) -> tensor<3xi32>"
  expect_elements(SORTED("LT", "%x", "%y"), "[1, 2, 3]");
  expect_elements(SORTED("GT", "%x", "%y"), "[3, 2, 1]");
  expect_elements(SORTED("LT", "%y", "%x"), "[3, 2, 1]");
}

#define REVERSE(axes, a, out)                                                                      \
  "%a: " a, "%r = \"stablehlo.reverse\"(%a) {dimensions = array<i64: " axes ">} : (" a ") -> " out

Test(rules_sort, reverse) {
  expect_sizes(REVERSE("0", "tensor<?x3xf32>", "tensor<?x3xf32>"), "[S0, 3]");
  expect_error(REVERSE("0, 0", "tensor<?x3xf32>", "tensor<?x3xf32>"), "axis");
  expect_error(REVERSE("2", "tensor<?x3xf32>", "tensor<?x3xf32>"), "axis");
  expect_error(REVERSE("-1", "tensor<?x3xf32>", "tensor<?x3xf32>"), "axis");
  expect_elements("",
                  "%a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>\n"
                  "%r = stablehlo.reverse %a, dims = [1] : tensor<2x3xi32>",
                  "[3, 2, 1, 6, 5, 4]");
}

#define MAP(axes, region)                                                                          \
  "%a: tensor<?x5xf32>, %b: tensor<4x?xf32>",                                                      \
      "%r = \"stablehlo.map\"(%a, %b) (" region ") {dimensions = array<i64: " axes                 \
      ">} : (tensor<?x5xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>"
#define FIRST "{^bb0(%x: tensor<f32>, %y: tensor<f32>): stablehlo.return %x : tensor<f32> }"

Test(rules_sort, map) {
  expect_arguments(MAP("0, 1", FIRST), "[4, 5] [4, 5]");
  expect_sizes(MAP("0, 1", FIRST), "[4, 5]");
  expect_error(MAP("1, 0", FIRST), "axis");
  expect_error(MAP("0", FIRST), "axis");
  expect_error(MAP("0, 1", "{^bb0(%x: tensor<f32>): stablehlo.return %x : tensor<f32> }"),
               "region");
  expect_error(
      MAP("0, 1", "{^bb0(%x: tensor<f32>, %y: tensor<i32>): stablehlo.return %x : tensor<f32> }"),
      "region");
  expect_error(MAP("0, 1", "{^bb0(%x: tensor<f32>, %y: tensor<f32>): stablehlo.return %x, %y : "
                           "tensor<f32>, tensor<f32> }"),
               "region");
  expect_error(MAP("0, 1", "{^bb0(%x: tensor<f32>, %y: tensor<f32>): %c = stablehlo.constant "
                           "dense<1.0> : tensor<5xf32> "
                           "stablehlo.return %c : tensor<5xf32> }"),
               "region");
  expect_error(
      MAP("0, 1",
          "{^bb0(%x: tensor<f32>, %y: tensor<f32>): %c = stablehlo.constant dense<1> : tensor<i32> "
          "stablehlo.return %c : tensor<i32> }"),
      "element-type");
}

#define TOP_K(k, a)                                                                                \
  "%a: " a,                                                                                        \
      "%r:2 = \"chlo.top_k\"(%a) {k = " k " : i64} : (" a ") -> (tensor<*xf32>, tensor<*xi32>)"

Test(rules_sort, top_k) {
  expect_sizes(TOP_K("4", "tensor<?x?xf32>"), "[S0, 4] [S0, 4]");
  expect_fact(TOP_K("4", "tensor<?x?xf32>"), "S1 >= 4");
  expect_sizes(TOP_K("4", "tensor<*xf32>"), "* *");
  expect_error(TOP_K("4", "tensor<f32>"), "rank");
  expect_error(TOP_K("4", "tensor<3xf32>"), "shape-mismatch");
  expect_error(TOP_K("-1", "tensor<3xf32>"), "attribute");
}

// A result whose declared type is another shape is an error; elements are not looked for beyond those of the operand.
Test(rules_elements, results_that_conflict) {
  expect_error("",
               "%c = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32> "
               "%i = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32> "
               "%r = \"stablehlo.gather\"(%c, %i) {dimension_numbers = #stablehlo.gather<"
               "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
               "slice_sizes = array<i64: 1>} : (tensor<5xi32>, tensor<2x1xi32>) -> "
               "tensor<4000xi32>",
               "declared-type");
  expect_error("",
               "%c = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32> "
               "%r = \"stablehlo.transpose\"(%c) {permutation = array<i64: 1, 0>} : "
               "(tensor<2x3xi32>) -> tensor<2x3xi32>",
               "declared-type");
  expect_error("",
               "%c = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32> "
               "%r = \"stablehlo.slice\"(%c) {start_indices = array<i64: 0>, limit_indices = "
               "array<i64: 5>, strides = array<i64: 4611686018427387904>} : "
               "(tensor<5xi32>) -> tensor<5xi32>",
               "declared-type");
  expect_elements("",
                  "%c = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32> "
                  "%r = \"stablehlo.slice\"(%c) {start_indices = array<i64: 0>, limit_indices = "
                  "array<i64: 5>, strides = array<i64: 4611686018427387904>} : "
                  "(tensor<5xi32>) -> tensor<1xi32>",
                  "[1]");
}
