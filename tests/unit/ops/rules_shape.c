// SPDX-License-Identifier: Apache-2.0
// The shape and tensor dialects, disc_shape, tuples, assertions.
#include "tests/unit/ops/rules.h"

#define A2                 "%a: tensor<?x3xf32>"
#define TWO                "%a: tensor<?x3xf32>, %b: tensor<?x?xf32>"
#define SHAPE_A            "%s = shape.shape_of %a : tensor<?x3xf32> -> tensor<2xindex>\n"
#define SHAPES             SHAPE_A "%t = shape.shape_of %b : tensor<?x?xf32> -> tensor<2xindex>\n"
#define INDEX(name, value) name " = arith.constant " value " : index\n"

Test(rules_shape, extents) {
  expect_elements(A2, SHAPE_A, "[S0, 3]");
  expect_elements(A2, "%s = shape.shape_of %a : tensor<?x3xf32> -> !shape.shape", "[S0, 3]");
  expect_elements(A2, INDEX("%c", "1") "%d = tensor.dim %a, %c : tensor<?x3xf32>", "[3]");
  expect_elements(A2, INDEX("%c", "0") "%d = tensor.dim %a, %c : tensor<?x3xf32>", "[S0]");
  expect_error(A2, INDEX("%c", "2") "%d = tensor.dim %a, %c : tensor<?x3xf32>", "axis");
  expect_elements("%a: tensor<?x3xf32>, %i: index", "%d = tensor.dim %a, %i : tensor<?x3xf32>",
                  "[S2]");
  expect_elements(
      A2,
      SHAPE_A INDEX("%c",
                    "0") "%e = \"shape.get_extent\"(%s, %c) : (tensor<2xindex>, index) -> index",
      "[S0]");
  expect_error(
      A2,
      SHAPE_A INDEX("%c",
                    "2") "%e = \"shape.get_extent\"(%s, %c) : (tensor<2xindex>, index) -> index",
      "axis");
  expect_elements(A2, SHAPE_A "%n = \"shape.num_elements\"(%s) : (tensor<2xindex>) -> index",
                  "[3*S0]");
  expect_elements(A2, "%r = tensor.rank %a : tensor<?x3xf32>", "[2]");
  expect_elements(A2, SHAPE_A "%r = \"shape.rank\"(%s) : (tensor<2xindex>) -> index", "[2]");
}

Test(rules_shape, constants) {
  expect_elements("", "%s = shape.const_shape [4, 5] : tensor<2xindex>", "[4, 5]");
  expect_elements("", "%s = \"shape.const_size\"() {value = 7 : index} : () -> !shape.size", "[7]");
  expect_elements(A2,
                  INDEX("%c", "0") "%d = tensor.dim %a, %c : tensor<?x3xf32>\n"
                                   "%f = tensor.from_elements %d, %c : tensor<2xindex>",
                  "[S0, 0]");
  expect_elements(
      A2,
      INDEX("%c", "0") "%d = tensor.dim %a, %c : tensor<?x3xf32>\n"
                       "%f = \"shape.from_extents\"(%d, %c) : (index, index) -> !shape.shape",
      "[S0, 0]");
  expect_sizes("%x: f32", "%f = tensor.from_elements %x, %x : tensor<2xf32>", "[2]");
  expect_elements("%x: i32",
                  "%f = \"tensor.from_elements\"(%x, %x) : (i32, i32) -> tensor<2x1xi32>",
                  "[S0, S0]");
}

// Rounded toward negative infinity; !shape.size and index are mixed.
Test(rules_shape, arithmetic) {
  expect_elements(
      "", INDEX("%a", "-7") INDEX("%b", "2") "%d = shape.div %a, %b : index, index -> index",
      "[-4]");
  expect_elements("",
                  INDEX("%a", "7") "%b = shape.const_size 2\n"
                                   "%d = shape.div %b, %a : !shape.size, index -> !shape.size\n"
                                   "%m = shape.mul %b, %a : !shape.size, index -> !shape.size",
                  "[14]");
  expect_unchecked("", "%w = shape.const_witness true", "");
  expect_unchecked("", "%w = shape.const_witness false",
                   "the witness holds: it is false in every run");
}

Test(rules_shape, combinations) {
  expect_elements(TWO,
                  SHAPES "%r = \"shape.concat\"(%s, %t) : (tensor<2xindex>, tensor<2xindex>) -> "
                         "tensor<4xindex>",
                  "[S0, 3, S1, S2]");
  expect_elements(
      A2,
      SHAPE_A INDEX("%c", "-1") "%h, %l = \"shape.split_at\"(%s, %c) : (tensor<2xindex>, index) -> "
                                "(tensor<1xindex>, tensor<1xindex>)",
      "[S0]");
  expect_elements(
      A2,
      SHAPE_A INDEX("%c", "3") "%h, %l = \"shape.split_at\"(%s, %c) : (tensor<2xindex>, index) -> "
                               "(tensor<?xindex>, tensor<?xindex>)",
      "-");
  expect_elements(TWO,
                  SHAPES "%r = \"shape.broadcast\"(%s, %t) : (tensor<2xindex>, tensor<2xindex>) -> "
                         "tensor<2xindex>",
                  "[bcast(S0, S1), 3]");
  expect_elements(A2,
                  SHAPE_A
                  "%t = shape.const_shape [3] : tensor<1xindex>\n"
                  "%r = \"shape.broadcast\"(%s, %t) : (tensor<2xindex>, tensor<1xindex>) -> "
                  "tensor<2xindex>",
                  "[S0, 3]");
}

#define REDUCE(body)                                                                               \
  "%k = shape.const_size 1\n%r = shape.reduce(%s, %k) : tensor<2xindex> -> !shape.size {\n"        \
  "^bb0(%i: index, %e: !shape.size, %n: !shape.size):\n" body "}"

Test(rules_shape, reduce) {
  expect_elements(A2,
                  SHAPE_A REDUCE("%m = shape.mul %n, %e : !shape.size, !shape.size -> !shape.size\n"
                                 "shape.yield %m : !shape.size\n"),
                  "[3*S0]");
  expect_elements(A2, SHAPE_A REDUCE("shape.yield %e : !shape.size\n"), "[3]");
  expect_elements("%s: tensor<?xindex>",
                  "%k = shape.const_size 7\n"
                  "%r = shape.reduce(%s, %k) : tensor<?xindex> -> !shape.size {\n"
                  "^bb0(%i: index, %e: !shape.size, %n: !shape.size):\n"
                  "shape.yield %n : !shape.size\n}",
                  "[7]");
  expect_elements("%k: index",
                  "%s = shape.const_shape [] : tensor<0xindex>\n"
                  "%r = shape.reduce(%s, %k) : tensor<0xindex> -> index {\n"
                  "^bb0(%i: index, %e: index, %n: index):\nshape.yield %i : index\n}",
                  "[S0]");
  expect_error("%s: tensor<?xindex>, %k: index",
               "%r = \"shape.reduce\"(%s, %k) ({\n^bb0(%i: index, %e: index):\n"
               "\"shape.yield\"(%e) : (index) -> ()\n}) : (tensor<?xindex>, index) -> index",
               "region");
  expect_error("%s: tensor<?xindex>, %k: index",
               "\"shape.reduce\"(%s, %k) ({\n^bb0(%i: index, %e: index, %n: index):\n"
               "\"shape.yield\"() : () -> ()\n}) : (tensor<?xindex>, index) -> ()",
               "result-count");
}

#define WITH_SHAPE                                                                                 \
  SHAPES "%w = shape.with_shape %b, %s : tensor<?x?xf32>, tensor<2xindex>\n"                       \
         "%x = \"shape.with_shape\"(%w, %t) : (!shape.value_shape, tensor<2xindex>) -> "           \
         "!shape.value_shape\n"

Test(rules_shape, values_with_shapes) {
  expect_elements(TWO, WITH_SHAPE "%r = shape.shape_of %w : !shape.value_shape -> !shape.shape",
                  "[S0, 3]");
  expect_elements(TWO, WITH_SHAPE "%r = shape.shape_of %x : !shape.value_shape -> !shape.shape",
                  "[S1, S2]");
  expect_elements(
      TWO,
      WITH_SHAPE INDEX("%c", "1") "%r = shape.dim %w, %c : !shape.value_shape, index -> "
                                  "index",
      "[3]");
  expect_sizes(TWO, WITH_SHAPE "%r = shape.value_of %x : tensor<?x?xf32>", "[S1, S2]");
  expect_sizes("%v: !shape.value_shape", "%r = shape.value_of %v : tensor<?xf32>", "[S0]");
}

Test(rules_shape, constraints) {
  expect_arguments(TWO, SHAPES "%w = shape.cstr_eq %s, %t : tensor<2xindex>, tensor<2xindex>",
                   "[S0, 3] [S0, 3]");
  expect_arguments(TWO,
                   SHAPES "%w = \"shape.meet\"(%s, %t) : (tensor<2xindex>, tensor<2xindex>) -> "
                          "tensor<2xindex>",
                   "[S0, 3] [S0, 3]");
  expect_error(A2,
               SHAPE_A "%t = shape.const_shape [3] : tensor<1xindex>\n"
                       "%w = shape.cstr_eq %s, %t : tensor<2xindex>, tensor<1xindex>",
               "rank");
  expect_error(A2,
               SHAPE_A "%t = shape.const_shape [4] : tensor<1xindex>\n"
                       "%w = shape.cstr_broadcastable %s, %t : tensor<2xindex>, tensor<1xindex>",
               "shape-mismatch");
  expect_elements(
      A2, SHAPE_A "%e = \"shape.shape_eq\"(%s, %s) : (tensor<2xindex>, tensor<2xindex>) -> i1",
      "[1]");
  expect_elements(A2,
                  SHAPE_A
                  "%t = shape.const_shape [3] : tensor<1xindex>\n"
                  "%e = \"shape.shape_eq\"(%s, %t) : (tensor<2xindex>, tensor<1xindex>) -> i1",
                  "[0]");
  expect_arguments(A2,
                   SHAPE_A
                   "%t = shape.const_shape [4, 3] : tensor<2xindex>\n"
                   "%e = \"shape.shape_eq\"(%s, %t) : (tensor<2xindex>, tensor<2xindex>) -> i1\n"
                   "%w = \"shape.cstr_require\"(%e) {msg = \"x\"} : (i1) -> !shape.witness",
                   "[4, 3]");
}

Test(rules_shape, tensors) {
  expect_sizes(A2, "%c = tensor.cast %a : tensor<?x3xf32> to tensor<4x?xf32>", "[4, 3]");
  expect_elements(
      "",
      "%t = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>\n" INDEX("%c", "1")
          INDEX("%d", "0") "%e = tensor.extract %t[%c, %d] : tensor<2x2xi64>",
      "[3]");
  expect_error("",
               "%t = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>\n" INDEX(
                   "%c", "1") "%e = \"tensor.extract\"(%t, %c) : (tensor<2x2xi64>, index) -> i64",
               "operand-count");
  expect_sizes("%n: index", "%e = \"tensor.empty\"(%n) : (index) -> tensor<?x4xf32>", "[S0, 4]");
  expect_sizes("%n: index, %x: f32",
               "%e = \"tensor.splat\"(%x, %n) : (f32, index) -> tensor<4x?xf32>", "[4, S0]");
  expect_sizes("%a: tensor<?x3x4xf32>",
               "%e = \"tensor.collapse_shape\"(%a) {reassociation = [[0], [1, 2]]} : "
               "(tensor<?x3x4xf32>) -> tensor<?x12xf32>",
               "[S0, 12]");
  expect_error("%a: tensor<?x3x4xf32>",
               "%e = \"tensor.collapse_shape\"(%a) {reassociation = [[0], [1, 3]]} : "
               "(tensor<?x3x4xf32>) -> tensor<?x?xf32>",
               "axis");
  expect_arguments(
      "%a: tensor<?xf32>",
      "%e = \"tensor.expand_shape\"(%a) {reassociation = [[0, 1]]} : (tensor<?xf32>) -> "
      "tensor<?x4xf32>",
      "[S0]");
  expect_sizes("%a: tensor<*xf32>",
               "%e = \"tensor.collapse_shape\"(%a) {reassociation = [[0]]} : (tensor<*xf32>) -> "
               "tensor<*xf32>",
               "*");
}

// --- disc_shape

#define DIMS                                                                                       \
  "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"                               \
  "%m = tensor.dim %a, %c0 : tensor<?x?xf32>\n%n = tensor.dim %a, %c1 : tensor<?x?xf32>\n"         \
  "%p = tensor.dim %b, %c0 : tensor<?x?xf32>\n%q = tensor.dim %b, %c1 : tensor<?x?xf32>\n"
#define FREE                    "%a: tensor<?x?xf32>, %b: tensor<?x?xf32>"
#define TIE(op, operands, rest) DIMS "\"disc_shape." op "\"(" operands ") " rest " : "
#define I2                      "(index, index) -> ()"
#define I3                      "(index, index, index) -> ()"
#define I4                      "(index, index, index, index) -> ()"

Test(rules_disc_shape, ties) {
  expect_arguments(FREE, TIE("tie_predicate_eq", "%m, %p", "") I2, "[S0, S1] [S0, S2]");
  expect_fact(FREE, TIE("tie_predicate_lt", "%m, %p", "") I2, "S0 < S2");
  expect_fact(FREE,
              DIMS "%k = arith.constant 4 : index\n\"disc_shape.tie_predicate_divisible\"(%m, "
                   "%k) : (index, index) -> ()",
              "mod(S0, 4) == 0");
  expect_arguments(FREE, TIE("tie_predicate_mul_eq", "%p, %m, %n", "") I3, "[S0, S1] [S0*S1, S2]");
  expect_fact(
      FREE,
      TIE("tie_product_equal", "%m, %n, %p, %q", "{operand_segment_sizes = array<i32: 2, 2>}") I4,
      "S0*S1 == S2*S3");
  expect_fact(FREE, TIE("tie_predicate_group_mul_eq", "%m, %n, %p, %q", "") I4, "S0*S1 == S2*S3");
  expect_error(
      FREE,
      TIE("tie_product_equal", "%m, %n, %p, %q", "{operand_segment_sizes = array<i32: 2, 1>}") I4,
      "attribute");
}

Test(rules_disc_shape, affine) {
  expect_arguments(FREE,
                   TIE("tie_predicate_affine_eq", "%p, %m, %n",
                       "{affine_attr = affine_map<(d0, d1) -> (d0 * 2 + d1 + 1)>}") I3,
                   "[S0, S1] [2*S0 + S1 + 1, S2]");
  expect_arguments(FREE,
                   TIE("tie_predicate_affine_eq", "%p, %m, %n",
                       "{affine_attr = affine_map<(d0)[s0] -> (d0 floordiv 2 + s0 mod 3)>}") I3,
                   "[S0, S1] [mod(S1, 3) + floordiv(S0, 2), S2]");
  expect_arguments(FREE,
                   TIE("tie_predicate_affine_eq", "%p, %m",
                       "{affine_attr = affine_map<(rows) -> (rows ceildiv 4)>}") I2,
                   "[S0, S1] [ceildiv(S0, 4), S2]");
  // A map that is not understood says nothing; none, and one of other inputs, are errors.
  expect_error(
      FREE, TIE("tie_predicate_affine_eq", "%p, %m", "{affine_attr = affine_map<(d0) -> (d7)>}") I2,
      NULL);
  expect_error(FREE, TIE("tie_predicate_affine_eq", "%p, %m", "") I2, "attribute");
  expect_error(
      FREE,
      TIE("tie_predicate_affine_eq", "%p, %m", "{affine_attr = affine_map<(d0, d1) -> (d0)>}") I2,
      "attribute");
}

Test(rules_disc_shape, tie_shape) {
  expect_sizes("%a: tensor<?x?xf32>, %i: index, %j: index",
               "%r = \"disc_shape.tie_shape\"(%a, %i, %j) : (tensor<?x?xf32>, index, index) -> "
               "tensor<?x?xf32>",
               "[S0, S1]");
  expect_error(
      "%a: tensor<?x?xf32>, %i: index",
      "%r = \"disc_shape.tie_shape\"(%a, %i) : (tensor<?x?xf32>, index) -> tensor<?x?xf32>",
      "rank");
}

Test(rules_disc_shape, indices) {
  expect_elements(FREE,
                  DIMS "%l = \"disc_shape.linearize\"(%m, %n, %p, %q) {operand_segment_sizes = "
                       "array<i32: 2, 2>} : (index, index, index, index) -> index",
                  "[S0*S3 + S1]");
  expect_elements(FREE,
                  DIMS
                  "%k = arith.constant 4 : index\n%r:2 = \"disc_shape.delinearize\"(%m, %p, %k) : "
                  "(index, index, index) -> (index, index)",
                  "[floordiv(S0, 4)]");
  expect_elements(FREE,
                  DIMS "%r:2 = \"disc_shape.delinearize\"(%m, %n, %q) : (index, index, index) -> "
                       "(index, index)",
                  "[S4]");
  expect_error("", "%d = \"disc_shape.dim\"() {name = @unknown} : () -> index", "symbol");
}

// --- tuples and assertions

Test(rules_tuple, parts) {
  expect_sizes("%a: tensor<?xf32>, %b: tensor<3xf32>",
               "%t = stablehlo.tuple %a, %b : tuple<tensor<?xf32>, tensor<3xf32>>\n"
               "%r = stablehlo.get_tuple_element %t[0] : (tuple<tensor<?xf32>, tensor<3xf32>>) -> "
               "tensor<?xf32>",
               "[S0]");
  expect_sizes("%t: tuple<tensor<?xf32>, tensor<3xf32>>",
               "%r = stablehlo.get_tuple_element %t[1] : (tuple<tensor<?xf32>, tensor<3xf32>>) -> "
               "tensor<3xf32>",
               "[3]");
  expect_error(
      "%a: tensor<?xf32>",
      "%t = \"stablehlo.tuple\"(%a) : (tensor<?xf32>) -> tuple<tensor<?xf32>, tensor<?xf32>>",
      "tuple");
  expect_error(
      "%t: tuple<tensor<?xf32>>",
      "%r = \"stablehlo.get_tuple_element\"(%t) {index = 1 : i32} : (tuple<tensor<?xf32>>) "
      "-> tensor<?xf32>",
      "tuple");
  expect_sizes("%a: tensor<?xf32>, %b: tensor<3xf32>",
               "%r:2 = stablehlo.optimization_barrier %a, %b : tensor<?xf32>, tensor<3xf32>",
               "[S0] [3]");
}

#define ASSERT(first, types)                                                                       \
  "stablehlo.custom_call @shape_assertion(" first                                                  \
  ") {error_message = \"got {0} and {1}\", has_side_effect = true} : (" types ") -> ()"
#define COMPARED                                                                                   \
  "%n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>\n"             \
  "%k = stablehlo.constant dense<4> : tensor<i32>\n"                                               \
  "%p = stablehlo.compare EQ, %n, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"

Test(rules_custom_call, assertions) {
  expect_arguments("%a: tensor<?x?xf32>",
                   COMPARED ASSERT("%p, %n, %k", "tensor<i1>, tensor<i32>, tensor<i32>"),
                   "[4, S0]");
  expect_error("",
               "%p = stablehlo.constant dense<false> : tensor<i1>\n"
               "%k = stablehlo.constant dense<4> : tensor<i32>\n" ASSERT("%p, %k",
                                                                         "tensor<i1>, tensor<i32>"),
               "shape-assertion");
  expect_error("", "%p = stablehlo.constant dense<true> : tensor<i1>\n" ASSERT("%p", "tensor<i1>"),
               NULL);
  expect_error("%p: tensor<i32>", ASSERT("%p", "tensor<i32>"), "shape-assertion");
  expect_error("%p: tensor<i1>, %x: tensor<f32>", ASSERT("%p, %x", "tensor<i1>, tensor<f32>"),
               "shape-assertion");
}

Test(rules_custom_call, wrappers) {
  expect_sizes("%a: tensor<?xf32>",
               "%r = stablehlo.custom_call @Sharding(%a) : (tensor<?xf32>) -> tensor<?xf32>",
               "[S0]");
  expect_sizes("%a: tensor<?xf32>",
               "%s = stablehlo.constant dense<[5]> : tensor<1xi64>\n"
               "%r = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%a, %s) "
               "{indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<?xf32>, "
               "tensor<1xi64>) -> tensor<?xf32>",
               "[5]");
  expect_error(
      "%a: tensor<f32>",
      "%r = \"stablehlo.custom_call\"(%a) {call_target_name = \"x\", "
      "indices_of_shape_operands = dense<0> : tensor<1xi64>} : (tensor<f32>) -> tensor<?xf32>",
      "rank");
}
