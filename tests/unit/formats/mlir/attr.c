// SPDX-License-Identifier: Apache-2.0
// Attributes in all their spellings, and what is wrong with others.
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/formats/mlir/reading.h"

static const char *wrap(const char *attr) {
  enum { ROOM = 1 << 16 };
  static char text[ROOM];
  snprintf(text, ROOM, "\"x.y\"() {a = %s} : () -> ()\n", attr);
  return text;
}

static attr_id read_attr(reading *r, const char *attr) {
  reading_of(r, wrap(attr));
  cr_assert_str_empty(reading_errors(r), "%s: %s", attr, reading_errors(r));
  cr_assert_eq(r->graph.op_count, 1u);
  return graph_attr_named(&r->graph, 0, "a");
}

static void dumps(const char *attr, const char *dumped) {
  reading r;
  read_attr(&r, attr);
  char want[256];
  snprintf(want, sizeof want, "x.y() {a = %s}", dumped);
  cr_expect(strstr(reading_dump(&r), want), "%s:\n%s\nwanted %s", attr, reading_dump(&r), want);
  reading_destroy(&r);
}

// The column is that of the attribute's text, counted from 1.
static void refuses(const char *attr, uint32_t column, const char *part) {
  expect_mlir_error(wrap(attr), 1, column + 13, part);
}

Test(mlir_attributes, spellings) {
  dumps("1", "1");
  dumps("-1 : i64", "-1");
  dumps("255 : i8", "-1");
  dumps("255 : ui8", "255");
  dumps("0xFF : i32", "255");
  dumps("18446744073709551615 : ui64", "-1");
  dumps("true", "true");
  dumps("unit", "unit");
  dumps("1.5", "1.5");
  dumps("-1.5e+3 : f32", "-1500");
  dumps("0x7F800000 : f32", "inf");
  dumps("1.7976931348623157e+308 : f64", "1.7976931348623157e+308");
  dumps("\"a\\22b\\0A\\t\"", "\"a\"b\n\t\"");
  dumps("\"x\" : !t.t", "\"x\"");
  dumps("@f", "@f");
  dumps("@a::@\"b c\"", "@a::b c");
  dumps("i32", "i32");
  dumps("tensor<?xf32>", "tensor<?xf32>");
  dumps("(i32) -> ()", "(i32) -> ()");
  dumps("[]", "[]");
  dumps("[1, 2 : i32]", "[1, 2]");
  dumps("[true, \"s\", [1.0]]", "[true, \"s\", [1]]");
  dumps("{x, \"y z\" = {w = 1}}", "{x = unit, y z = {w = 1}}");
  dumps("array<i64: 1, -2>", "[1, -2]");
  dumps("array<i64>", "[]");
  dumps("array<i1: true, false>", "[1, 0]");
  dumps("dense<[1, 2]> : tensor<2xi64>", "dense< 1 2> : tensor<2xi64>");
  dumps("dense<7> : tensor<2xi64>", "dense<splat 7> : tensor<2xi64>");
  dumps("dense<[true, false]> : tensor<2xi1>", "dense< 1 0> : tensor<2xi1>");
  dumps("dense<[[1, 2], [3, 4]]> : tensor<2x2xindex>", "dense< 1 2 3 4> : tensor<2x2xindex>");
  dumps("dense<> : tensor<0xi64>", "dense<> : tensor<0xi64>");
  dumps("dense<[]> : tensor<0x3xi64>", "dense<> : tensor<0x3xi64>");
  dumps("dense<[[], []]> : tensor<2x0xi64>", "dense<> : tensor<2x0xi64>");
  dumps("dense<-128> : tensor<i8>", "dense<splat -128> : tensor<i8>");
  dumps("dense<(1.0, -2.0)> : tensor<complex<f32>>", "dense<splat ...> : tensor<complex<f32>>");
  dumps("dense<[(1.0, 0.0), (0x7F800000, 1.0)]> : tensor<2xcomplex<f32>>",
        "dense< ...> : tensor<2xcomplex<f32>>");
  dumps("dense<0xFF800000> : tensor<f32>", "dense<splat -inf> : tensor<f32>");
  dumps("dense<0x3C00> : tensor<f16>", "dense<splat 1> : tensor<f16>");
  dumps("dense<\"0x0100000002000000\"> : tensor<2xi32>", "dense< 1 2> : tensor<2xi32>");
  dumps("dense<\"0xFFFFFFFF\"> : tensor<2xi32>", "dense<splat -1> : tensor<2xi32>");
  dumps("dense<\"0x05\"> : tensor<3xi1>", "dense< 1 0 1> : tensor<3xi1>");
  dumps("dense<\"0x010001\"> : tensor<3xi1>", "dense< 1 0 1> : tensor<3xi1>");
  dumps("dense<\"0x0000803F\"> : tensor<f32>", "dense< 1> : tensor<f32>");
  dumps("dense_resource<blob> : tensor<2xi32>", "dense< ...> : tensor<2xi32>");
  dumps("dense<[\"a\", \"b\"]> : tensor<2x!tf_type.string>",
        "dense< ...> : tensor<2x!tf_type.string>");
  dumps("dense<1> : vector<2xi32>", "dense<splat 1> : vector<2xi32>");
}

Test(mlir_attributes, dialects) {
  dumps("#stablehlo<comparison_direction LT>", "LT");
  dumps("#stablehlo.precision<HIGHEST>", "HIGHEST");
  dumps("#stablehlo.channel_handle<handle = 5, type = 2>",
        "#stablehlo.channel_handle{handle = 5, type = 2}");
  dumps("#stablehlo.dot<lhs_contracting_dimensions = [1],>",
        "#stablehlo.dot{lhs_contracting_dimensions = [1]}");
  dumps("#mhlo.scatter<>", "#mhlo.scatter{}");
  dumps(
      "#stablehlo.conv<[b, f]x[i, o]->[b, f]>",
      "#stablehlo.conv{input_batch_dimension = 0, input_feature_dimension = 1, "
      "input_spatial_dimensions = [], kernel_input_feature_dimension = 0, "
      "kernel_output_feature_dimension = 1, kernel_spatial_dimensions = [], output_batch_dimension "
      "= 0, output_feature_dimension = 1, output_spatial_dimensions = []}");
  dumps("#any.thing", "opaque #any.thing");
  dumps("#any.thing<[1, (2 > 1)], {x = \">\"}>", "opaque #any.thing<[1, (2 > 1)], {x = \">\"}>");
  dumps("#sdy.sharding<@mesh, [{\"a\"}, {}]>", "opaque #sdy.sharding<@mesh, [{\"a\"}, {}]>");
  dumps("#a.b<x = #c.d<?>>", "#a.b{x = opaque #c.d<?>}");
  dumps("affine_map<(d0)[s0] -> (d0 + s0)>", "opaque affine_map<(d0)[s0] -> (d0 + s0)>");
  dumps("affine_set<(d0) : (d0 - 1 >= 0)>", "opaque affine_set<(d0) : (d0 - 1 >= 0)>");
  dumps("sparse<[[0]], [1]> : tensor<2xi32>", "opaque sparse<[[0]], [1]> : tensor<2xi32>");
  dumps("loc(\"f\":1:2)", "opaque loc(\"f\":1:2)");
  dumps("distinct[0]<unit>", "opaque distinct[0]<unit>");
}

Test(mlir_attributes, refused) {
  refuses("", 1, "expected an attribute value, found '}'");
  refuses("1 : tensor<2xi32", 17, "expected '>'");
  refuses("256 : i8", 1, "does not fit in type 'i8'");
  refuses("-1 : ui8", 1, "does not fit in type 'ui8'");
  refuses("-129 : i8", 1, "does not fit in type 'i8'");
  refuses("18446744073709551616", 1, "does not fit in 64 bits");
  refuses("1 : f32", 1, "unexpected decimal integer literal");
  refuses("1.5 : i32", 1, "no value of type 'i32'");
  refuses("[1 2]", 4, "expected ','");
  refuses("\"abc", 1, "to end the string");
  refuses("word", 1, "expected an attribute value");
  refuses("#nowhere", 1, "undefined attribute alias '#nowhere'");
  refuses("{x = 1, x = 2}", 9, "duplicate attribute 'x'");
  refuses("#stablehlo.dot<foo = [1]>", 22, "unexpected entry 'foo'");
  refuses("#stablehlo.dot<7>", 16, "expected the entries");
  refuses("#stablehlo.conv<[b, f, 1]x[i, o]->[b, f]>", 17, "spatial dimension 0 is missing");
  refuses("#stablehlo.conv<[b, 0]x[i, o]->[b, f]>", 17, "dimension 'f' is missing");
  refuses("#stablehlo.conv<[b, b]x[i, o]->[b, f]>", 21, "expected 'b', 'f' or a number");
}

Test(mlir_attributes, dense_refused) {
  refuses("dense<[1, 2]> : tensor<3xi64>", 7, "([2]) does not match type ([3])");
  refuses("dense<[1, 2]> : tensor<2x1xi64>", 7, "does not match type");
  refuses("dense<[[1], [2, 3]]> : tensor<2x1xi64>", 18, "at the same level");
  refuses("dense<[[1], 2]> : tensor<2x1xi64>", 13, "ranks are not consistent");
  refuses("dense<[1, [2]]> : tensor<2x1xi64>", 11, "ranks are not consistent");
  refuses("dense<300> : tensor<i8>", 7, "does not fit in type 'i8'");
  refuses("dense<true> : tensor<i8>", 7, "expected i1 type");
  refuses("dense<1.0> : tensor<i8>", 7, "expected integer elements");
  refuses("dense<1> : tensor<f32>", 7, "unexpected decimal integer literal");
  refuses("dense<> : tensor<2xf32>", 7, "the type has 2");
  refuses("dense<1> : tensor<?xi32>", 12, "static shape");
  refuses("dense<1> : i32", 12, "shaped type");
  refuses("dense<x> : tensor<i32>", 7, "expected an element");
  refuses("dense<1, 2> : tensor<2xi32>", 8, "expected '>'");
  refuses("dense<\"0x01\"> : tensor<2xi32>", 7, "the data has 1 bytes");
  refuses("dense<\"0x012\"> : tensor<2xi32>", 7, "hexadecimal bytes");
  refuses("dense<\"0xG0\"> : tensor<i8>", 10, "hexadecimal digit");
  refuses("array<f: 1>", 7, "expected a type");
  refuses("array<tensor<2xi32>: 1>", 7, "integer or float");
}

Test(mlir_attributes, lists_read_alike) {
  static const char *const SPELLINGS[] = {"[3, 4]", "array<i64: 3, 4>",
                                          "dense<[3, 4]> : tensor<2xi64>",
                                          "dense<\"0x0304\"> : tensor<2xi8>"};
  for (unsigned i = 0; i < sizeof SPELLINGS / sizeof *SPELLINGS; i++) {
    reading r;
    attr_id attr = read_attr(&r, SPELLINGS[i]);
    const int64_t *values;
    uint32_t count = 0;
    cr_assert(graph_attr_ints(&r.graph, attr, &values, &count), "%s", SPELLINGS[i]);
    cr_assert_eq(count, 2u);
    cr_expect(values[0] == 3 && values[1] == 4);
    reading_destroy(&r);
  }
}

// Elements beyond DENSE_TRACKED are checked and not kept.
Test(mlir_attributes, long_dense) {
  enum { COUNT = 6000 };
  static char list[COUNT * 3 + 100];
  char *at = list;
  at += sprintf(at, "dense<[");
  for (int i = 0; i < COUNT; i++) at += sprintf(at, i ? ", 1" : "1");
  sprintf(at, "]> : tensor<6000xi32>");
  reading r;
  const graph_attr *attr = graph_attr_get(&r.graph, read_attr(&r, list));
  cr_expect_not(attr_has_numbers(attr));
  reading_destroy(&r);
  strcpy(strchr(list, 't'), "tensor<5999xi32>");
  refuses(list, 7, "does not match type");
  at = strchr(list, ']');
  memcpy(at - 1, "x", 1);
  refuses(list, (uint32_t)(at - list), "expected an element");
}

Test(mlir_attributes, floats_are_exact) {
  static const struct {
    const char *text;
    double value;
  } ROWS[] = {{"0.1", 0.1},
              {"1.0e-05", 1e-05},
              {"123456789012345678.0", 123456789012345678.0},
              {"4.9e-324", 4.9e-324},
              {"1.0e400", INFINITY},
              {"0.3333333333333333333333333333333333333333", 1.0 / 3}};
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    reading r;
    const graph_attr *attr = graph_attr_get(&r.graph, read_attr(&r, ROWS[i].text));
    cr_expect(attr_one_float(attr) == ROWS[i].value, "%s", ROWS[i].text);
    reading_destroy(&r);
  }
}
