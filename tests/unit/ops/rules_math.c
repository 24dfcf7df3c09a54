// SPDX-License-Identifier: Apache-2.0
// Elements of small integer tensors through every operation that computes them.
#include "tests/unit/ops/rules.h"

// %n and %m are two dims, %k a constant.
#define A "%a: tensor<?x?xf32>"
#define SIZES(type, constant)                                                                      \
  "%n0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>\n"            \
  "%m0 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>\n"            \
  "%n = stablehlo.convert %n0 : (tensor<i32>) -> tensor<" type ">\n"                               \
  "%m = stablehlo.convert %m0 : (tensor<i32>) -> tensor<" type ">\n"                               \
  "%k = stablehlo.constant dense<" constant "> : tensor<" type ">\n"                               \
  "%g = stablehlo.negate %n : tensor<" type ">\n"
#define BINARY(op, type, constant, x, y)                                                           \
  A, SIZES(type, constant) "%r = stablehlo." op " " x ", " y " : tensor<" type ">"
#define CONSTANTS(op, type, x, y)                                                                  \
  "", "%x = stablehlo.constant dense<" x "> : tensor<" type ">\n%y = stablehlo.constant dense<" y  \
      "> : tensor<" type ">\n%r = stablehlo." op " %x, %y : tensor<" type ">"
#define UNARY(op, type, x)                                                                         \
  "", "%x = stablehlo.constant dense<" x "> : tensor<" type ">\n%r = stablehlo." op                \
      " %x : tensor<" type ">"

Test(rules_math, constants_wrap_as_the_type_does) {
  expect_elements(CONSTANTS("add", "i8", "100", "100"), "[-56]");
  expect_elements(CONSTANTS("subtract", "ui8", "1", "2"), "[255]");
  expect_elements(CONSTANTS("multiply", "i32", "65536", "65536"), "[0]");
  expect_elements(CONSTANTS("divide", "i32", "-7", "2"), "[-3]");
  expect_elements(CONSTANTS("remainder", "i32", "-7", "2"), "[-1]");
  expect_elements(CONSTANTS("maximum", "i32", "-7", "2"), "[2]");
  expect_elements(CONSTANTS("minimum", "ui8", "250", "2"), "[2]");
  expect_elements(CONSTANTS("power", "i32", "3", "4"), "[81]");
  expect_elements(CONSTANTS("power", "i32", "3", "-1"), "[0]");
  expect_elements(CONSTANTS("power", "i32", "1", "-1"), "[1]");
  expect_elements(CONSTANTS("and", "i32", "12", "10"), "[8]");
  expect_elements(CONSTANTS("or", "i32", "12", "10"), "[14]");
  expect_elements(CONSTANTS("xor", "i32", "12", "10"), "[6]");
  expect_elements(CONSTANTS("and", "i1", "true", "false"), "[0]");
  expect_elements(CONSTANTS("shift_left", "i8", "3", "7"), "[-128]");
  expect_elements(CONSTANTS("shift_left", "i8", "3", "8"), "[0]");
  expect_elements(CONSTANTS("shift_right_arithmetic", "i8", "-8", "1"), "[-4]");
  expect_elements(CONSTANTS("shift_right_logical", "i8", "-8", "1"), "[124]");
  expect_elements(UNARY("abs", "i8", "-7"), "[7]");
  expect_elements(UNARY("sign", "i8", "-7"), "[-1]");
  expect_elements(UNARY("negate", "i8", "-128"), "[-128]");
  expect_elements(UNARY("not", "i8", "5"), "[-6]");
  expect_elements(UNARY("not", "i1", "true"), "[0]");
  expect_elements(UNARY("popcnt", "ui8", "255"), "[8]");
  expect_elements(UNARY("count_leading_zeros", "i16", "1"), "[15]");
}

Test(rules_math, divisions_of_sizes) {
  expect_elements(BINARY("divide", "i32", "4", "%n", "%k"), "[floordiv(S0, 4)]");
  expect_elements(BINARY("divide", "i32", "4", "%g", "%k"), "[-floordiv(S0, 4)]");
  expect_elements(BINARY("divide", "i32", "-4", "%n", "%k"), "[-floordiv(S0, 4)]");
  expect_elements(BINARY("remainder", "i32", "4", "%n", "%k"), "[mod(S0, 4)]");
  expect_elements(BINARY("remainder", "i32", "4", "%g", "%k"), "[-mod(S0, 4)]");
  expect_elements(BINARY("remainder", "i32", "-4", "%n", "%k"), "[mod(S0, 4)]");
  expect_elements(A,
                  SIZES("i32", "4") "%p = stablehlo.multiply %n, %k : tensor<i32>\n"
                                    "%r = stablehlo.divide %p, %k : tensor<i32>",
                  "[S0]");
  // Truncation to zero of what may have either sign.
  expect_elements(A,
                  SIZES("i32", "2") "%d = stablehlo.subtract %n, %m : tensor<i32>\n"
                                    "%q = stablehlo.divide %d, %k : tensor<i32>\n"
                                    "%s = stablehlo.divide %q, %q : tensor<i32>\n"
                                    "%r = stablehlo.subtract %q, %q : tensor<i32>",
                  "[0]");
  expect_elements(A,
                  SIZES("i32", "2") "%d = stablehlo.subtract %n, %m : tensor<i32>\n"
                                    "%q = stablehlo.remainder %d, %k : tensor<i32>\n"
                                    "%r = stablehlo.subtract %q, %q : tensor<i32>",
                  "[0]");
}

Test(rules_math, bits_of_sizes) {
  expect_elements(BINARY("and", "i32", "7", "%n", "%k"), "[mod(S0, 8)]");
  expect_elements(BINARY("and", "i32", "7", "%k", "%n"), "[mod(S0, 8)]");
  expect_elements(BINARY("and", "i32", "-8", "%n", "%k"), "[8*floordiv(S0, 8)]");
  expect_elements(BINARY("and", "i32", "-1", "%n", "%k"), "[S0]");
  expect_elements(BINARY("and", "i32", "0", "%n", "%k"), "[0]");
  expect_elements(BINARY("or", "i32", "0", "%n", "%k"), "[S0]");
  expect_elements(BINARY("or", "i32", "0", "%n", "%n"), "[S0]");
  expect_elements(BINARY("xor", "i32", "0", "%n", "%n"), "[0]");
  expect_elements(BINARY("shift_left", "i32", "3", "%n", "%k"), "[8*S0]");
  expect_elements(BINARY("shift_right_arithmetic", "i32", "3", "%n", "%k"), "[floordiv(S0, 8)]");
  expect_elements(BINARY("shift_right_logical", "i32", "3", "%n", "%k"), "[floordiv(S0, 8)]");
  expect_elements(BINARY("power", "i32", "2", "%n", "%k"), "[S0*S0]");
  expect_elements(A,
                  SIZES("i64", "3") "%x = stablehlo.or %n, %k : tensor<i64>\n"
                                    "%y = stablehlo.or %k, %n : tensor<i64>\n"
                                    "%r = stablehlo.subtract %x, %y : tensor<i64>",
                  "[0]");
}

#define COMPARED(how, then)                                                                        \
  A, SIZES("i32", "4") "%p = stablehlo.compare " how                                               \
                       ", %n, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>\n" then
#define AGAIN(op)                                                                                  \
  "%q = stablehlo.compare LT, %m, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"                 \
  "%x = stablehlo." op " %p, %q : tensor<i1>\n%y = stablehlo." op " %q, %p : tensor<i1>\n"         \
  "%e = stablehlo.xor %x, %y : tensor<i1>\n%r = stablehlo.convert %e : (tensor<i1>) -> "           \
  "tensor<i32>"

Test(rules_math, truth_values) {
  expect_elements(COMPARED("EQ", AGAIN("and")), "[0]");
  expect_elements(COMPARED("NE", AGAIN("or")), "[0]");
  expect_elements(COMPARED("GT", "%r = stablehlo.and %p, %p : tensor<i1>\n"
                                 "%s = stablehlo.xor %r, %p : tensor<i1>"),
                  "[0]");
  expect_elements(COMPARED("LE", "%r = stablehlo.or %p, %p : tensor<i1>\n"
                                 "%s = stablehlo.xor %r, %p : tensor<i1>"),
                  "[0]");
  expect_elements(COMPARED("GE", "%r = stablehlo.select %p, %n, %n : tensor<i1>, tensor<i32>"),
                  "[S0]");
  expect_elements(
      "%a: tensor<?x4xf32>",
      "%n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>\n"
      "%k = stablehlo.constant dense<-1> : tensor<i32>\n"
      "%p = stablehlo.compare GT, %n, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "%r = stablehlo.select %p, %n, %k : tensor<i1>, tensor<i32>",
      "[S0]");
  // The smaller of two dims, chosen by a comparison.
  expect_fact(
      A,
      SIZES("i32",
            "4") "%p = stablehlo.compare LT, %n, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                 "%c = stablehlo.select %p, %n, %m : tensor<i1>, tensor<i32>\n"
                 "%v = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>\n"
                 "%b = stablehlo.dynamic_iota %v, dim = 0 : (tensor<1xi32>) -> tensor<3xi32>",
      "S0 >= 3");
}

Test(rules_math, comparisons_of_floats) {
#define FLOATS(how)                                                                                \
  "", "%x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>\n"                           \
      "%y = stablehlo.constant dense<2.0> : tensor<3xf32>\n"                                       \
      "%r = stablehlo.compare " how ", %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>"
  static const rule_case FLOATS_CASES[] = {
      {FLOATS("EQ"), "[0, 1, 0]"}, {FLOATS("NE"), "[1, 0, 1]"}, {FLOATS("LT"), "[1, 0, 0]"},
      {FLOATS("LE"), "[1, 1, 0]"}, {FLOATS("GT"), "[0, 0, 1]"}, {FLOATS("GE"), "[0, 1, 1]"}};
  expect_each(expect_elements, FLOATS_CASES);
}

Test(rules_math, clamp) {
#define CLAMP(low, high)                                                                           \
  "%x: tensor<3xf32>", "%v = stablehlo.constant dense<[1, 5, 9]> : tensor<3xi32>\n"                \
                       "%l = stablehlo.constant dense<2> : tensor<" low "i32>\n"                   \
                       "%h = stablehlo.constant dense<7> : tensor<" high "i32>\n"                  \
                       "%r = \"stablehlo.clamp\"(%l, %v, %h) : (tensor<" low                       \
                       "i32>, tensor<3xi32>, tensor<" high "i32>) -> tensor<3xi32>"
  expect_elements(CLAMP("", ""), "[2, 5, 7]");
  expect_elements(CLAMP("3x", "3x"), "[2, 5, 7]");
  expect_error(CLAMP("2x", ""), "shape-mismatch");
}

#define ARITH(op, x, y)                                                                            \
  "%i: index", "%c = arith.constant 3 : index\n%d = arith.constant 7 : index\n%r = arith." op      \
               " " x ", " y " : index"

Test(rules_math, arith) {
  static const rule_case ARITH_CASES[] = {{ARITH("floordivsi", "%d", "%c"), "[2]"},
                                          {ARITH("ceildivsi", "%d", "%c"), "[3]"},
                                          {ARITH("divui", "%d", "%c"), "[2]"},
                                          {ARITH("remui", "%d", "%c"), "[1]"},
                                          {ARITH("ceildivui", "%d", "%c"), "[3]"},
                                          {ARITH("maxui", "%d", "%c"), "[7]"},
                                          {ARITH("minui", "%d", "%c"), "[3]"},
                                          {ARITH("minsi", "%d", "%c"), "[3]"},
                                          {ARITH("floordivsi", "%i", "%c"), "[floordiv(S0, 3)]"},
                                          {ARITH("ceildivsi", "%i", "%c"), "[ceildiv(S0, 3)]"}};
  expect_each(expect_elements, ARITH_CASES);
  expect_elements("%i: i32",
                  "%c = arith.constant 3 : i32\n%p = arith.cmpi ult, %c, %c : i32\n"
                  "%q = \"arith.cmpi\"(%c, %c) {predicate = 3 : i64} : (i32, i32) -> i1\n"
                  "%r = arith.select %q, %i, %c : i32",
                  "[S0]");
}

// --- CHLO, with implicit broadcasts

#define CHLO(op, x, y, out)                                                                        \
  A, SIZES("i32", "4") "%v = stablehlo.constant dense<[1, 2]> : tensor<2xi32>\n%r = chlo." op      \
                       " " x ", " y " : " out

Test(rules_math, chlo) {
  expect_elements(
      CHLO("broadcast_add", "%n", "%v", "(tensor<i32>, tensor<2xi32>) -> tensor<2xi32>"),
      "[S0 + 1, S0 + 2]");
  expect_elements(
      CHLO("broadcast_multiply", "%v", "%v", "(tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>"),
      "[1, 4]");
  expect_elements(
      A,
      SIZES("i32", "4") "%v = stablehlo.constant dense<[4, 2]> : tensor<2xi32>\n"
                        "%r = chlo.broadcast_compare %v, %k {comparison_direction = "
                        "#chlo<comparison_direction EQ>} : (tensor<2xi32>, tensor<i32>) -> "
                        "tensor<2xi1>",
      "[1, 0]");
  expect_elements(A,
                  SIZES("i32", "4") "%p = stablehlo.constant dense<[true, false]> : tensor<2xi1>\n"
                                    "%r = \"chlo.broadcast_select\"(%p, %n, %k) : (tensor<2xi1>, "
                                    "tensor<i32>, tensor<i32>) -> tensor<2xi32>",
                  "[S0, 4]");
  expect_elements(
      "%a: tensor<2xf32>",
      "%r = \"chlo.constant_like\"(%a) {value = 7 : i32} : (tensor<2xf32>) -> tensor<2xi32>",
      "[7, 7]");
}

Test(rules_math, reshapes_computed_by_the_program) {
  expect_elements(
      "%n: index",
      "%s = stablehlo.constant dense<[4, -1]> : tensor<2xi32>\n"
      "%r = \"chlo.compute_reshape_shape\"(%n, %s) : (index, tensor<2xi32>) -> tensor<2xi32>",
      "[4, floordiv(S0, 4)]");
  expect_elements(
      "%n: index",
      "%s = stablehlo.constant dense<[4, 5]> : tensor<2xi32>\n"
      "%r = \"chlo.compute_reshape_shape\"(%n, %s) : (index, tensor<2xi32>) -> tensor<2xi32>",
      "[4, 5]");
  expect_elements(
      "%n: index",
      "%s = stablehlo.constant dense<[-1, -1, 2]> : tensor<3xi32>\n"
      "%r = \"chlo.compute_reshape_shape\"(%n, %s) : (index, tensor<3xi32>) -> tensor<3xi32>",
      "[?, ?, 2]");
  expect_error("%n: index, %s: tensor<2xi32>",
               "%r = \"chlo.cstr_reshapable\"(%n, %s) : (index, tensor<2xi32>) -> !shape.witness",
               NULL);
}

// --- elements that move

Test(rules_math, pad) {
#define PAD(low, high, inside, out)                                                                \
  "", "%v = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>\n"                                 \
      "%z = stablehlo.constant dense<0> : tensor<i32>\n"                                           \
      "%r = stablehlo.pad %v, %z, low = [" low "], high = [" high "], interior = [" inside         \
      "] : (tensor<3xi32>, tensor<i32>) -> tensor<" out "xi32>"
  expect_elements(PAD("1", "2", "0", "6"), "[0, 1, 2, 3, 0, 0]");
  expect_elements(PAD("0", "0", "1", "5"), "[1, 0, 2, 0, 3]");
  expect_elements(PAD("-1", "-1", "0", "1"), "[2]");
  expect_error(
      "%v: tensor<3xi32>, %z: tensor<i32>",
      "%r = \"stablehlo.pad\"(%v, %z) {edge_padding_low = array<i64: 1, 1>, edge_padding_high "
      "= array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> "
      "tensor<5xi32>",
      "attribute-length");
  expect_sizes("%v: tensor<?xf32>, %z: tensor<f32>, %l: tensor<1xi32>",
               "%h = stablehlo.constant dense<2> : tensor<1xi32>\n"
               "%i = stablehlo.constant dense<0> : tensor<1xi32>\n"
               "%r = stablehlo.dynamic_pad %v, %z, %h, %h, %i : (tensor<?xf32>, tensor<f32>, "
               "tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>",
               "[S0 + 4]");
  expect_error("%v: tensor<?xf32>, %z: tensor<f32>, %l: tensor<2xi32>",
               "%r = stablehlo.dynamic_pad %v, %z, %l, %l, %l : (tensor<?xf32>, tensor<f32>, "
               "tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?xf32>",
               "attribute-length");
  expect_error("%v: tensor<?xf32>, %z: tensor<f32>, %l: tensor<1x1xi32>",
               "%r = \"stablehlo.dynamic_pad\"(%v, %z, %l, %l, %l) : (tensor<?xf32>, tensor<f32>, "
               "tensor<1x1xi32>, tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<?xf32>",
               "rank");
}

Test(rules_math, errors_of_slices) {
#define SLICE(start, limit, stride)                                                                \
  "%a: tensor<4x5xf32>", "%r = \"stablehlo.slice\"(%a) {start_indices = array<i64: " start         \
                         ">, limit_indices = array<i64: " limit ">, strides = array<i64: " stride  \
                         ">} : (tensor<4x5xf32>) -> tensor<*xf32>"
  expect_error(SLICE("0, 0", "4, 5", "1, 1"), NULL);
  expect_error(SLICE("0", "4, 5", "1, 1"), "attribute-length");
  expect_error(SLICE("0, 0, 0", "4, 5, 5", "1, 1, 1"), "attribute-length");
#define REAL(type)                                                                                 \
  "%a: tensor<4x5xf32>, %s: " type,                                                                \
      "%r = \"stablehlo.real_dynamic_slice\"(%a, %s, %s, %s) : (tensor<4x5xf32>, " type ", " type  \
      ", " type ") -> tensor<?x?xf32>"
  expect_error(REAL("tensor<3xi32>"), "operand-length");
  expect_error(REAL("tensor<2x1xi32>"), "rank");
#define AT(sizes, operands, types)                                                                 \
  "%a: tensor<4x5xf32>, %i: tensor<i32>, %j: tensor<1xi32>",                                       \
      "%r = \"stablehlo.dynamic_slice\"(%a" operands ") {slice_sizes = array<i64: " sizes          \
      ">} : (tensor<4x5xf32>" types ") -> tensor<*xf32>"
  expect_error(AT("1, 1", ", %i", ", tensor<i32>"), "operand-count");
  expect_error(AT("1", ", %i, %i", ", tensor<i32>, tensor<i32>"), "attribute-length");
  expect_error(AT("1, -1", ", %i, %i", ", tensor<i32>, tensor<i32>"), "attribute");
  expect_error(AT("1, 1", ", %i, %j", ", tensor<i32>, tensor<1xi32>"), "rank");
  expect_error(
      "%a: tensor<4x5xf32>, %u: tensor<2xf32>, %i: tensor<i32>",
      "%r = stablehlo.dynamic_update_slice %a, %u, %i, %i : (tensor<4x5xf32>, tensor<2xf32>, "
      "tensor<i32>, tensor<i32>) -> tensor<4x5xf32>",
      "rank");
}

Test(rules_math, errors_of_other_moves) {
  expect_error(
      "%a: tensor<3xf32>",
      "%r = \"stablehlo.broadcast_in_dim\"(%a) {broadcast_dimensions = array<i64: 0, 1>} : "
      "(tensor<3xf32>) -> tensor<3x3xf32>",
      "attribute-length");
  expect_error("%a: tensor<3xf32>",
               "%r = \"stablehlo.broadcast_in_dim\"(%a) {broadcast_dimensions = array<i64: 2>} : "
               "(tensor<3xf32>) -> tensor<3x3xf32>",
               "axis");
  expect_error("%a: tensor<3xf32>",
               "%r = \"stablehlo.broadcast\"(%a) {broadcast_sizes = array<i64: 1, -2>} : "
               "(tensor<3xf32>) -> tensor<1x2x3xf32>",
               "attribute");
  expect_sizes(
      "%a: tensor<?xf32>",
      "%r = \"stablehlo.broadcast\"(%a) {broadcast_sizes = array<i64: 2>} : (tensor<?xf32>) "
      "-> tensor<2x?xf32>",
      "[2, S0]");
  expect_error("%a: tensor<3xf32>, %s: tensor<2x1xi32>",
               "%r = \"stablehlo.dynamic_reshape\"(%a, %s) : (tensor<3xf32>, tensor<2x1xi32>) -> "
               "tensor<?x?xf32>",
               "rank");
  expect_error(
      "%a: tensor<3xf32>, %s: tensor<2x1xi32>",
      "%r = \"stablehlo.dynamic_iota\"(%s) {iota_dimension = 0 : i64} : (tensor<2x1xi32>) -> "
      "tensor<?x?xf32>",
      "rank");
  expect_error("%a: tensor<3xf32>, %b: tensor<3x1xf32>",
               "%r = \"stablehlo.concatenate\"(%a, %b) {dimension = 0 : i64} : (tensor<3xf32>, "
               "tensor<3x1xf32>) -> tensor<?xf32>",
               "rank");
  expect_error("%a: tensor<3xf32>",
               "%r = \"stablehlo.concatenate\"(%a, %a) {dimension = 1 : i64} : (tensor<3xf32>, "
               "tensor<3xf32>) -> tensor<?xf32>",
               "axis");
  expect_error(
      "%a: tensor<3xf32>, %n: tensor<i32>",
      "%r = \"stablehlo.set_dimension_size\"(%a, %n) {dimension = 1 : i64} : (tensor<3xf32>, "
      "tensor<i32>) -> tensor<?xf32>",
      "axis");
  expect_error(
      "%a: tensor<3xf32>",
      "%r = \"stablehlo.get_dimension_size\"(%a) {dimension = 1 : i64} : (tensor<3xf32>) -> "
      "tensor<i32>",
      "axis");
  expect_error("", "%r = \"stablehlo.iota\"() {iota_dimension = 1 : i64} : () -> tensor<3xi32>",
               "axis");
}

Test(rules_control, forms) {
  expect_error("%a: tensor<3xf32>, %p: tensor<i1>",
               "%r:2 = \"stablehlo.while\"(%a) ({^bb0(%x: tensor<3xf32>): stablehlo.return %p : "
               "tensor<i1> }, {^bb0(%x: tensor<3xf32>): stablehlo.return %x : tensor<3xf32> }) : "
               "(tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)",
               "operand-count");
  expect_error("%a: tensor<3xf32>, %p: tensor<i1>",
               "%r = \"stablehlo.while\"(%a) ({^bb0: stablehlo.return %p : tensor<i1> }, {^bb0(%x: "
               "tensor<3xf32>): stablehlo.return %x : tensor<3xf32> }) : (tensor<3xf32>) -> "
               "tensor<3xf32>",
               "region");
  expect_error("%p: tensor<1xi1>, %a: tensor<3xf32>",
               "%r = \"stablehlo.if\"(%p) ({ stablehlo.return %a : tensor<3xf32> }, { "
               "stablehlo.return %a : tensor<3xf32> }) : (tensor<1xi1>) -> tensor<3xf32>",
               "rank");
  expect_error("%i: tensor<i32>, %a: tensor<3xf32>",
               "%r = \"stablehlo.case\"(%i) ({^bb0(%x: tensor<3xf32>): stablehlo.return %x : "
               "tensor<3xf32> }) : (tensor<i32>) -> tensor<3xf32>",
               "region");
}

// A vector of a few integers has elements of its own where they are not known; an iota's are.
Test(rules_math, iota_counts_whatever_its_length) {
  expect_elements("", "%r = stablehlo.iota dim = 0 : tensor<4xi64>", "[0, 1, 2, 3]");
  expect_elements("", "%r = stablehlo.iota dim = 1 : tensor<2x2xui8>", "[0, 1, 0, 1]");
}
