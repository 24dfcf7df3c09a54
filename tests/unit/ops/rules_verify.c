// SPDX-License-Identifier: Apache-2.0
// The column `signature` of the tables, and the checks that hang on it.
#include <string.h>

#include "solver/ops/registry.h"
#include "tests/unit/ops/rules.h"

#define OP1(op, a, out) "%a: " a, "%r = \"stablehlo." op "\"(%a) : (" a ") -> " out
#define OP2(op, a, b, out)                                                                         \
  "%a: " a ", %b: " b, "%r = \"stablehlo." op "\"(%a, %b) : (" a ", " b ") -> " out

// A signature that cannot be read would accept everything in silence.
Test(rules_signature, every_one_is_well_formed) {
  for (uint32_t i = 0; i < registry_count(); i++) {
    const op_row *row = registry_row(i);
    // ONNX has signatures of another kind.
    if (!row->signature || (!strstr(row->name, "hlo."))) continue;
    const char *arrow = strstr(row->signature, "->");
    cr_expect_not_null(arrow, "%s", row->name);
    for (const char *s = row->signature; *s && *s != ';'; s++) {
      if (s == arrow) s += 2;
      cr_expect(*s == 0 || strchr("pnixvfcqQtTku* +/!b0123456789", *s), "%s: '%c'", row->name, *s);
    }
  }
}

Test(rules_signature, element_types) {
  expect_error(OP1("floor", "tensor<4xi32>", "tensor<4xi32>"), "element-type");
  expect_error(OP1("abs", "tensor<4xi1>", "tensor<4xi1>"), "element-type");
  expect_error(OP2("or", "tensor<4xf32>", "tensor<4xf32>", "tensor<4xf32>"), "element-type");
  expect_error(OP1("is_finite", "tensor<3xf32>", "tensor<3xi10>"), "element-type");
  expect_error(OP1("negate", "tensor<3xindex>", "tensor<3xindex>"), "element-type");
  expect_error(OP2("add", "tensor<4xf32>", "tensor<4xf64>", "tensor<4xf32>"), "element-type");
  expect_error(OP2("add", "tensor<4xf32>", "tensor<4xf32>", "tensor<4xf64>"), "element-type");
  expect_error("%a: !stablehlo.token",
               "%r = \"stablehlo.abs\"(%a) : (!stablehlo.token) -> tensor<f32>", "element-type");
  expect_error("%a: tensor<f32>",
               "%r = \"stablehlo.after_all\"(%a) : (tensor<f32>) -> !stablehlo.token",
               "element-type");
  expect_error(
      "%a: tensor<f32>",
      "%r = \"stablehlo.get_tuple_element\"(%a) {index = 0 : i32} : (tensor<f32>) -> tensor<f32>",
      "element-type");
  expect_error(OP1("popcnt", "tensor<4xui8>", "tensor<4xui8>"), NULL);
}

Test(rules_signature, parts_of_complex_numbers) {
  expect_error(OP1("real", "tensor<2xcomplex<f32>>", "tensor<2xf32>"), NULL);
  expect_error(OP1("real", "tensor<2xf32>", "tensor<2xf32>"), NULL);
  expect_error(OP1("imag", "tensor<2xcomplex<f64>>", "tensor<2xf32>"), "element-type");
  expect_error(OP1("abs", "tensor<2xcomplex<f64>>", "tensor<2xf64>"), NULL);
  expect_error(OP2("complex", "tensor<2xf64>", "tensor<2xf64>", "tensor<2xcomplex<f64>>"), NULL);
  expect_error(OP2("complex", "tensor<2xf16>", "tensor<2xf16>", "tensor<2xcomplex<f32>>"),
               "element-type");
  expect_error(OP2("complex", "tensor<2xf32>", "tensor<2xf32>", "tensor<2xcomplex<f64>>"),
               "element-type");
}

Test(rules_signature, ranks_and_static_sizes) {
  expect_error(
      "%a: tensor<4xf32>, %p: tensor<1xf32>",
      "%r = \"stablehlo.pad\"(%a, %p) {edge_padding_low = array<i64: 0>, edge_padding_high = "
      "array<i64: 0>, "
      "interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>",
      "rank");
  expect_error(OP1("reshape", "tensor<4xf32>", "tensor<?xf32>"), "rank");
  expect_error(OP1("reshape", "tensor<4xf32>", "tensor<*xf32>"), "rank");
  expect_error(OP1("reshape", "tensor<?xf32, #stablehlo.bounds<4>>",
                   "tensor<?x1xf32, #stablehlo.bounds<4, ?>>"),
               NULL);
  expect_error(OP1("reshape", "tensor<?xf32, #stablehlo.bounds<4>>",
                   "tensor<?x?xf32, #stablehlo.bounds<4, 4>>"),
               "rank");
  expect_error("", "%r = \"stablehlo.iota\"() {iota_dimension = 0 : i64} : () -> tensor<?xf32>",
               "rank");
  // MHLO requires less.
  expect_error("%a: tensor<4xf32>", "%r = \"mhlo.reshape\"(%a) : (tensor<4xf32>) -> tensor<?xf32>",
               NULL);
}

Test(rules_signature, attributes) {
  expect_error(OP1("transpose", "tensor<4xf32>", "tensor<4xf32>"), "attribute");
  expect_error("%a: tensor<4xf32>",
               "%r = \"stablehlo.reduce_precision\"(%a) {exponent_bits = 0 : i32, mantissa_bits = "
               "0 : i32} : "
               "(tensor<4xf32>) -> tensor<4xf32>",
               "attribute");
  expect_error("%a: tensor<4xf32>",
               "%r = \"stablehlo.get_dimension_size\"(%a) {dimension = -1 : i64} : (tensor<4xf32>) "
               "-> tensor<i32>",
               "attribute");
  expect_error("%a: tensor<4x4xf32>, %i: tensor<i32>, %k: tensor<i64>",
               "%r = \"stablehlo.dynamic_slice\"(%a, %i, %k) {slice_sizes = array<i64: 1, 1>} : "
               "(tensor<4x4xf32>, "
               "tensor<i32>, tensor<i64>) -> tensor<1x1xf32>",
               "element-type");
}

#define QA "tensor<2x2x!quant.uniform<i8:f32, 1.0:17>>"
#define QB "tensor<2x2x!quant.uniform<i8:f32, 2.0:1>>"
#define QU "tensor<2x2x!quant.uniform<u8:f32, 1.0:17>>"
#define Q0 "tensor<2x2x!quant.uniform<i8:f32:0, {1.0:17, 2.0}>>"
#define Q1 "tensor<2x2x!quant.uniform<i8:f32:1, {1.0:17, 2.0}>>"

Test(rules_signature, quantized) {
  expect_error(OP2("add", QA, QA, QB), NULL);
  expect_error(OP2("add", QA, QA, "tensor<2x2xf32>"), "element-type");
  expect_error(OP2("add", QA, QA, QU), "element-type");
  expect_error(OP2("add", Q0, Q0, Q0), NULL);
  expect_error(OP2("add", Q0, Q0, Q1), "element-type");
  expect_error(OP2("add", Q0, Q0, QA), "element-type");
  expect_error(OP1("floor", QA, "tensor<2x2xf32>"), NULL);
  expect_error(OP1("floor", QA, "tensor<2x2xf64>"), "element-type");
  expect_error(OP1("floor", Q0, Q0), "element-type");
  expect_error(OP1("abs", QA, QB), NULL);
}

Test(rules_signature, axes_of_quantizations_move) {
#define TRANSPOSE(a, out)                                                                          \
  "%a: " a, "%r = \"stablehlo.transpose\"(%a) {permutation = array<i64: 1, 0>} : (" a ") -> " out
  expect_error(TRANSPOSE(Q0, Q1), NULL);
  expect_error(TRANSPOSE(QA, QU), "element-type");
  expect_error(TRANSPOSE(QA, Q1), "element-type");
  expect_error(TRANSPOSE("tensor<2x3xf32>", "tensor<3x2xf64>"), "element-type");
  expect_error("%a: tensor<3xindex>",
               "%r = \"mhlo.negate\"(%a) : (tensor<3xindex>) -> tensor<3xindex>", NULL);
}

Test(rules_signature, words_and_lists) {
  expect_error("%a: tensor<3xi32>",
               "%r = \"stablehlo.compare\"(%a, %a) {comparison_direction = \"FOO\"} : "
               "(tensor<3xi32>, tensor<3xi32>) -> "
               "tensor<3xi1>",
               "attribute");
  expect_error("%a: tensor<3xi32>",
               "%r = \"stablehlo.reverse\"(%a) {dimensions = dense<0> : tensor<1x1xi64>} : "
               "(tensor<3xi32>) -> tensor<3xi32>",
               "attribute");
  expect_error("%a: tensor<3xi32>",
               "%r = \"stablehlo.reverse\"(%a) {dimensions = dense<0> : tensor<1xi64>} : "
               "(tensor<3xi32>) -> tensor<3xi32>",
               NULL);
  expect_error("", "%r = \"stablehlo.partition_id\"() : () -> tensor<i32>", "element-type");
  expect_error("%a: tensor<3xi32>",
               "%r = \"stablehlo.get_dimension_size\"(%a) {dimension = 0 : i64} : (tensor<3xi32>) "
               "-> tensor<i64>",
               "element-type");
}

Test(rules_structure, returns) {
#define CALLEE(type, given)                                                                        \
  "%a: tensor<3xf32>", "return }\nfunc.func @other(%x: tensor<3xf32>) -> " type                    \
                       " {\n return " given "\n}\nfunc.func @last() {"
  expect_error(CALLEE("tensor<3xf32>", "%x : tensor<3xf32>"), NULL);
  expect_error(CALLEE("tensor<4xf32>", "%x : tensor<3xf32>"), "element-type");
  expect_error(CALLEE("tensor<3xf64>", "%x : tensor<3xf32>"), "element-type");
  expect_error(CALLEE("tensor<3xf32>", ""), "operands");
}

Test(rules_structure, calls) {
#define CALLS(call)                                                                                \
  "%a: tensor<3xf32>, %b: tensor<3xi32>, %c: tensor<?xf32>", call                                  \
      "\nreturn }\nfunc.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {\n return %x : tensor<3xf32>" \
      "\n}\nfunc.func @last() {"
  expect_error(CALLS("%r = func.call @f(%c) : (tensor<?xf32>) -> tensor<3xf32>"), NULL);
  expect_error(CALLS("%r = func.call @f(%b) : (tensor<3xi32>) -> tensor<3xf32>"), "element-type");
  expect_error(CALLS("%r = func.call @f(%a) : (tensor<3xf32>) -> tensor<4xf32>"), "element-type");
  expect_error(CALLS("func.call @f(%a) : (tensor<3xf32>) -> ()"), "operands");
  expect_error(CALLS("%r = stablehlo.composite \"a.b\" %b {decomposition = @f} : (tensor<3xi32>) "
                     "-> tensor<3xf32>"),
               "element-type");
}

Test(rules_structure, what_passes_unchanged) {
  expect_error("%a: tensor<f32>",
               "%r = \"stablehlo.tuple\"(%a) : (tensor<f32>) -> tuple<tensor<i32>>",
               "element-type");
  expect_error("%a: tuple<tensor<f32>>",
               "%r = \"stablehlo.get_tuple_element\"(%a) {index = 0 : i32} : (tuple<tensor<f32>>) "
               "-> tensor<i32>",
               "element-type");
  expect_error("%a: tensor<f32>",
               "%r = \"stablehlo.optimization_barrier\"(%a) : (tensor<f32>) -> tensor<i32>",
               "element-type");
  expect_error(
      "%a: tensor<f32>",
      "%r:2 = \"stablehlo.optimization_barrier\"(%a) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)",
      "operands");
  expect_error("%p: tensor<i1>",
               "%r = \"stablehlo.if\"(%p) ({ stablehlo.return %p : tensor<i1> }) : (tensor<i1>) -> "
               "tensor<i1>",
               "region");
}

Test(rules_signature, constants) {
#define CONSTANT(value, out)                                                                       \
  "", "%r = \"stablehlo.constant\"() {value = dense<[1, 2]> : " value "} : () -> " out
  expect_error(CONSTANT("tensor<2xi8>", "tensor<2xi8>"), NULL);
  expect_error(CONSTANT("tensor<2xi8>", "tensor<2x!quant.uniform<i8:f32, 2.0:15>>"), NULL);
  expect_error(CONSTANT("tensor<2xui8>", "tensor<2x!quant.uniform<i8:f32, 2.0:15>>"),
               "element-type");
  expect_error(CONSTANT("tensor<2xi8>", "tensor<2xi16>"), "element-type");
  expect_error(CONSTANT("tensor<2xi8>", "tensor<3xi8>"), "element-type");
}

Test(rules_signature, accuracies) {
#define ACCURACY(atol, mode)                                                                       \
  "%a: tensor<2xf32>",                                                                             \
      "%r = \"stablehlo.sine\"(%a) {result_accuracy = #stablehlo.result_accuracy<atol = " atol     \
      ", rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<" mode                       \
      ">>} : (tensor<2xf32>) -> tensor<2xf32>"
  expect_error(ACCURACY("0.0", "HIGHEST"), NULL);
  expect_error(ACCURACY("1.0", "TOLERANCE"), NULL);
  expect_error(ACCURACY("1.0", "HIGHEST"), "attribute");
}

// --- regions that are branches and loop bodies

#define IF(first, second, out)                                                                     \
  "%p: tensor<i1>, %a: tensor<?xf32>, %b: tensor<3xf32>, %k: tensor<3xi32>, %c: tensor<4xf32>",    \
      "%r = \"stablehlo.if\"(%p) ({ stablehlo.return " first " }, { stablehlo.return " second      \
      " }) : (tensor<i1>) -> " out

Test(rules_structure, branches) {
  expect_error(IF("%a : tensor<?xf32>", "%b : tensor<3xf32>", "tensor<?xf32>"), NULL);
  expect_error(IF("%b : tensor<3xf32>", "%k : tensor<3xi32>", "tensor<3xf32>"), "region");
  expect_error(IF("%b : tensor<3xf32>", "%c : tensor<4xf32>", "tensor<?xf32>"), "region");
  expect_error(IF("%b : tensor<3xf32>", "%b : tensor<3xf32>", "tensor<4xf32>"), "region");
  expect_error(IF("%b : tensor<3xf32>", "%b, %b : tensor<3xf32>, tensor<3xf32>", "tensor<3xf32>"),
               "region");
}

#define WHILE(cond_type, cond, body_type, body)                                                    \
  "%a: tensor<3xf32>, %p: tensor<i1>, %k: tensor<i32>, %c: tensor<4xf32>",                         \
      "%r = \"stablehlo.while\"(%a) ({^bb0(%x: " cond_type "): stablehlo.return " cond             \
      " }, {^bb0(%x: " body_type "): stablehlo.return " body                                       \
      " }) : (tensor<3xf32>) -> tensor<3xf32>"

Test(rules_structure, loops) {
  expect_error(WHILE("tensor<3xf32>", "%p : tensor<i1>", "tensor<3xf32>", "%x : tensor<3xf32>"),
               NULL);
  expect_error(WHILE("tensor<3xf32>", "%p, %p : tensor<i1>, tensor<i1>", "tensor<3xf32>",
                     "%x : tensor<3xf32>"),
               "region");
  expect_error(WHILE("tensor<3xf32>", "%k : tensor<i32>", "tensor<3xf32>", "%x : tensor<3xf32>"),
               "region");
  expect_error(WHILE("tensor<4xf32>", "%p : tensor<i1>", "tensor<3xf32>", "%x : tensor<3xf32>"),
               "region");
  expect_error(WHILE("tensor<3xf32>", "%p : tensor<i1>", "tensor<4xf32>", "%a : tensor<3xf32>"),
               "region");
  expect_error(WHILE("tensor<3xf32>", "%p : tensor<i1>", "tensor<3xf32>", "%c : tensor<4xf32>"),
               "region");
  expect_error(WHILE("tensor<3xf32>", "%p : tensor<i1>", "tensor<3xf32>",
                     "%x, %x : tensor<3xf32>, tensor<3xf32>"),
               "region");
}

#define COMPOSITE(name)                                                                            \
  "%a: tensor<3xf32>", "%r = \"stablehlo.composite\"(%a) {name = \"" name                          \
                       "\", decomposition = @main} : (tensor<3xf32>) "                             \
                       "-> tensor<3xf32>"

Test(rules_structure, names_of_composites) {
  expect_error(COMPOSITE("foo."), "attribute");
  expect_error(COMPOSITE(".foo"), "attribute");
  expect_error(COMPOSITE("foo"), "attribute");
  expect_error(COMPOSITE("foo.%"), "attribute");
}

// --- custom calls

#define CALL(attributes)                                                                           \
  "%a: tensor<2x3xf32>, %t: tuple<tensor<1xf32>, tensor<2x3xf32>>",                                \
      "%r = \"stablehlo.custom_call\"(%a) {call_target_name = \"x\", " attributes                  \
      "} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
#define TUPLE(attributes)                                                                          \
  "%a: tensor<2x3xf32>, %t: tuple<tensor<1xf32>, tensor<2x3xf32>>",                                \
      "%r = \"stablehlo.custom_call\"(%t) {call_target_name = \"x\", " attributes                  \
      "} : (tuple<tensor<1xf32>, tensor<2x3xf32>>) -> tuple<tensor<2x3xf32>>"
#define IN(order)  "operand_layouts = [dense<" order "> : tensor<2xindex>]"
#define OUT(order) "result_layouts = [dense<" order "> : tensor<2xindex>]"

Test(rules_custom_call, layouts) {
  expect_error(CALL(IN("[0, 1]") ", " OUT("[1, 0]")), NULL);
  expect_error(CALL(IN("[0, 1]")), "attribute");
  expect_error(CALL(OUT("[0, 1]")), "attribute");
  expect_error(CALL("operand_layouts = [], " OUT("[1, 0]")), "attribute");
  expect_error(CALL(IN("[0, 2]") ", " OUT("[1, 0]")), "axis");
  expect_error(CALL(IN("[0, 1]") ", " OUT("[0, 0]")), "axis");
  expect_error(CALL("operand_layouts = [dense<0> : tensor<1xindex>], " OUT("[1, 0]")), "attribute");
  expect_error(TUPLE(IN("[0, 1]") ", " OUT("[1, 0]")), "attribute");
}

#define ALIAS(out, index, in)                                                                      \
  TUPLE("output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = " out    \
        ", operand_index = " index ", operand_tuple_indices = " in ">]")

Test(rules_custom_call, aliases) {
  expect_error(ALIAS("[0]", "0", "[1]"), NULL);
  expect_error(ALIAS("[0]", "0", "[0]"), "attribute");
  expect_error(ALIAS("[1]", "0", "[1]"), "attribute");
  expect_error(ALIAS("[0]", "0", "[2]"), "attribute");
  expect_error(ALIAS("[0]", "1", "[1]"), "attribute");
#define ALIAS2(out)                                                                                \
  "%a: tensor<2x3xf32>",                                                                           \
      "%r:2 = \"stablehlo.custom_call\"(%a) {call_target_name = \"x\", output_operand_aliases = "  \
      "[#stablehlo.output_operand_alias<output_tuple_indices = " out ", operand_index = 0, "       \
      "operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> (tensor<f32>, tensor<2x3xf32>)"
  expect_error(ALIAS2("[1]"), NULL);
  expect_error(ALIAS2("[0]"), "attribute");
  expect_error(ALIAS2("[2]"), "attribute");
  expect_error(ALIAS2("[]"), "attribute");
}

Test(rules_custom_call, configurations) {
  expect_error(CALL("api_version = 4 : i32, backend_config = {a = 1}"), NULL);
  expect_error(CALL("api_version = 4 : i32, backend_config = \"a\""), "attribute");
  expect_error(CALL("api_version = 3 : i32, backend_config = {a = 1}"), "attribute");
  expect_error(CALL("backend_config = \"a\""), NULL);
}

Test(rules_custom_call, shapes_from_operands) {
#define SHAPED(indices, out)                                                                       \
  "%s: tensor<2xi64>",                                                                             \
      "%c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>\n"                                    \
      "%r = \"stablehlo.custom_call\"(%c, %s) {call_target_name = \"x\", "                         \
      "indices_of_shape_operands = " indices "} : (tensor<2xi64>, tensor<2xi64>) -> " out
  expect_sizes(SHAPED("dense<[0]> : tensor<1xi64>", "tensor<?x?xf32>"), "[1, 2]");
  expect_sizes(SHAPED("dense<[1]> : tensor<1xi64>", "tensor<?x?xf32>"), "[S0, S1]");
  expect_error(SHAPED("dense<[0]> : tensor<1xi32>", "tensor<?x?xf32>"), "attribute");
  expect_error(SHAPED("dense<[[0]]> : tensor<1x1xi64>", "tensor<?x?xf32>"), "attribute");
  expect_error(SHAPED("dense<[2]> : tensor<1xi64>", "tensor<?x?xf32>"), "attribute");
  expect_error(SHAPED("dense<[0, 1]> : tensor<2xi64>", "tensor<?x?xf32>"), "attribute-length");
  expect_error(SHAPED("dense<[0, 1]> : tensor<2xi64>", "tuple<tensor<?x?xf32>, tensor<4x?xf32>>"),
               NULL);
  expect_error(SHAPED("dense<[1, 0]> : tensor<2xi64>", "tuple<tensor<?x?xf32>, tensor<4x?xf32>>"),
               "shape-mismatch");
}

Test(rules_structure, hints_of_broadcasts) {
#define HINTS(grow, keep)                                                                          \
  "%a: tensor<?x?xf32>, %s: tensor<2xi64>",                                                        \
      "%r = \"stablehlo.dynamic_broadcast_in_dim\"(%a, %s) {broadcast_dimensions = array<i64: 0, " \
      "1>, "                                                                                       \
      "known_expanding_dimensions = array<i64: " grow                                              \
      ">, known_nonexpanding_dimensions = array<i64: " keep                                        \
      ">} : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>"
  expect_error(HINTS("0", "1"), NULL);
  expect_error(HINTS("0", "0"), "axis");
  expect_error(HINTS("2", "0"), "axis");
  expect_error(HINTS("0", "1, 1"), "axis");
  // An axis that expands has dim 1, one that does not has that of the result.
  expect_arguments(HINTS("0", "1"), "[1, S0] [2]");
}

#define WINDOW_LISTS "tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>"
#define WINDOW_CALL                                                                                \
  "%r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %k, %t, %o, %o, %p) "       \
  "{called_computations = [@f]} : (tensor<?xf32>, tensor<f32>, " WINDOW_LISTS ") -> tensor<?xf32>"
#define WINDOW_OPERANDS                                                                            \
  "%o = stablehlo.constant dense<1> : tensor<1xi32>\n"                                             \
  "%p = stablehlo.constant dense<0> : tensor<1x2xi32>\n"

Test(rules_custom_call, dynamic_operations) {
  expect_sizes("%x: tensor<?xf32>, %z: tensor<f32>",
               WINDOW_OPERANDS "%k = stablehlo.constant dense<1> : tensor<1xi32>\n"
                               "%t = stablehlo.constant dense<1> : tensor<1xi32>\n" WINDOW_CALL,
               "[S0]");
  expect_error("%x: tensor<?xf32>, %z: tensor<f32>",
               WINDOW_OPERANDS "%k = stablehlo.constant dense<1> : tensor<1xi32>\n"
                               "%t = stablehlo.constant dense<0> : tensor<1xi32>\n" WINDOW_CALL,
               "window");
  expect_sizes("%x: tensor<?x7xf32>",
               "%k = stablehlo.constant dense<3> : tensor<i32>\n"
               "%r:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<?x7xf32>, "
               "tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)",
               "[S0, 3] [S0, 3]");
  expect_sizes("%s: tensor<2xui64>, %v: tensor<2xi64>",
               "%r:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %v) : "
               "(tensor<2xui64>, tensor<2xi64>) -> (tensor<2xui64>, tensor<?x?xui32>)",
               "[2] [S2, S3]");
}
