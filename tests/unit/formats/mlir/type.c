// SPDX-License-Identifier: Apache-2.0
// Types as text, one by one and as lists.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/mlir/type_plain.h"
#include "tests/unit/formats/mlir/reading.h"

static void init(reading *r) {
  arena_init(&r->arena, 0);
  graph_init(&r->graph, &r->arena, GRAPH_MLIR, "", 0);
}

static const char *print(reading *r, type_id type) {
  shape_strbuf buf;
  strbuf_init(&buf, &r->arena);
  type_print(&r->graph.types, &buf, type);
  return strbuf_text(&buf);
}

// What it prints as; the same text where `printed` is NULL.
static void accepts(const char *text, const char *printed) {
  reading r;
  init(&r);
  type_id type, again;
  const char *error = NULL;
  size_t at;
  cr_assert(mlir_parse_type(&r.graph, text, strlen(text), &type, &error, &at), "%s: %s", text,
            error);
  const char *out = print(&r, type);
  cr_expect_str_eq(out, printed ? printed : text);
  cr_assert(mlir_parse_type(&r.graph, out, strlen(out), &again, &error, &at), "%s: %s", out, error);
  cr_expect_eq(type, again, "%s", text);
  reading_destroy(&r);
}

static void refuses(const char *text, size_t where, const char *part) {
  reading r;
  init(&r);
  type_id type;
  const char *error = "";
  size_t at = 0;
  cr_assert_not(mlir_parse_type(&r.graph, text, strlen(text), &type, &error, &at), "%s", text);
  cr_expect(strstr(error, part), "%s: %s", text, error);
  cr_expect_eq(at, where, "%s: %zu: %s", text, at, error);
  cr_expect_eq(r.graph.diags.count, 0u);
  reading_destroy(&r);
}

Test(mlir_types, accepted) {
  static const char *const SAME[] = {
      "tensor<f32>",
      "tensor<2x3xf32>",
      "tensor<?x0xi1>",
      "tensor<*xbf16>",
      "tensor<?xcomplex<f32>>",
      "tensor<?x4xf32, #stablehlo.bounds<5, ?>>",
      "tensor<4xf8E4M3FN>",
      "tensor<9223372036854775807xi8>",
      "tensor<2x!quant.uniform<i8:f32, 0.5:3>>",
      "tensor<2x!quant.uniform<i8<-128:127>:f32:0, {0.1:1, 0.2}>>",
      "tensor<2xf32, #sparse.encoding<{map = (d0) -> (d0 : compressed)}>>",
      "tensor<3xi17>",
      "tensor<3xsi32>",
      "index",
      "i64",
      "none",
      "complex<f64>",
      "tuple<tensor<2xf32>, tuple<>, i32>",
      "!stablehlo.token",
      "!shape.shape",
      "!shape.size",
      "!shape.witness",
      "!stablehlo.future<tensor<2xf32>, i32>",
      "!any.dialect<\"a > b\", [1], {x}>",
      "memref<2x?xf32, strided<[1, 2]>>",
      "vector<4xf32>",
      "(f32, i32) -> index",
      "() -> ()",
      "(f32) -> (f32, i32)",
      "() -> (() -> ())",
  };
  for (unsigned i = 0; i < sizeof SAME / sizeof *SAME; i++) accepts(SAME[i], NULL);
  accepts("tensor< ? x 4 x f32 >", "tensor<?x4xf32>");
  accepts("tensor<0x10xf32>", NULL);
  accepts("tensor<?xf32, #stablehlo.type_extensions<bounds = [7]>>",
          "tensor<?xf32, #stablehlo.bounds<7>>");
  accepts("tensor<?xf32, #mhlo.type_extensions<bounds = [7]>>",
          "tensor<?xf32, #stablehlo.bounds<7>>");
  accepts("!mhlo.token", "!stablehlo.token");
  accepts("  f32 // a comment\n", "f32");
  accepts("!x.y< 1,2 >", "!x.y<1, 2>");
  accepts("!x.y<=4>", NULL);  // the bracket opens, whatever follows it
  accepts("!x.y<=>", NULL);
  accepts("!x.y<(a) -> b, 2>= 1>", NULL);
}

Test(mlir_types, refused) {
  refuses("", 0, "expected a type before the end");
  refuses("flo32", 0, "expected a type");
  refuses("tensor", 6, "expected '<'");
  refuses("tensor<2x", 9, "expected a type before the end");
  refuses("tensor<2xf32", 12, "expected '>'");
  refuses("tensor<-1xf32>", 7, "expected a type");
  refuses("tensor<2,3xf32>", 8, "expected 'x'");
  refuses("tensor<2xf32> x", 14, "expected the end of the type");
  refuses("tensor<9223372036854775808xf32>", 7, "does not fit");
  refuses("tensor<?xf32, #stablehlo.bounds<5, 6>>", 14, "2 bounds");
  refuses("tensor<2xf32, #stablehlo.bounds<5>>", 14, "static dimension 0 cannot have a bound");
  refuses("!stablehlo.nothing", 0, "unknown stablehlo type");
  refuses("!alias", 0, "undefined type alias");
  refuses("(f32)", 5, "expected '->'");
  refuses("f32, i32", 3, "expected the end");
  refuses("tuple<f32", 9, "expected '>'");
  refuses("!x<(]>", 4, "expected ')'");
  refuses("!x<=", 4, "expected '>' to close");
  refuses("!x<=>>", 5, "expected the end");
}

Test(mlir_types, quantized_parts) {
  reading r;
  init(&r);
  const char *text = "tensor<?x!quant.uniform<u8:f32, 2.0:128>>", *error;
  size_t at;
  type_id id;
  cr_assert(mlir_parse_type(&r.graph, text, strlen(text), &id, &error, &at));
  const graph_type *type = type_get(&r.graph.types, id);
  cr_assert_eq(type->dtype, DTYPE_QUANTIZED);
  cr_assert_eq(type->param_count, 2u);
  cr_expect_eq(type_get(&r.graph.types, type->params[0])->dtype, DTYPE_UI8);
  cr_expect_eq(type_get(&r.graph.types, type->params[1])->dtype, DTYPE_F32);
  reading_destroy(&r);
}

Test(mlir_types, lists) {
  reading r;
  init(&r);
  const char *text = "tensor<3x4xf32>, (i32, f32) -> i1,tensor<?xi64, #stablehlo.bounds<4>>",
             *error;
  size_t at = 0;
  const type_id *types;
  uint32_t count;
  cr_assert(mlir_parse_type_list(&r.graph, text, strlen(text), &types, &count, &error, &at));
  cr_assert_eq(count, 3u);
  cr_expect_str_eq(print(&r, types[1]), "(i32, f32) -> i1");
  cr_assert(mlir_parse_type_list(&r.graph, " \n", 2, &types, &count, &error, &at));
  cr_expect_eq(count, 0u);
  cr_assert_not(mlir_parse_type_list(&r.graph, "i32,", 4, &types, &count, &error, &at));
  cr_expect_eq(at, 4u);
  cr_assert_not(mlir_parse_type_list(&r.graph, "i32 f32", 7, &types, &count, &error, &at));
  cr_assert_not(mlir_parse_type_list(&r.graph, "i32\0, f32", 9, &types, &count, &error, &at));
  reading_destroy(&r);
}

// Each element type is read as it is printed, strings of ONNX too.
Test(mlir_types, elements) {
  for (unsigned i = 0; i < DTYPE_QUANTIZED; i++) {
    char text[64];
    reading r;
    type_id type;
    const char *error = "";
    size_t at;
    snprintf(text, sizeof text, "tensor<?x%s>", dtype_name((shape_dtype)i));
    init(&r);
    cr_expect(mlir_parse_type(&r.graph, text, strlen(text), &type, &error, &at), "%s: %s", text,
              error);
    cr_expect_eq(type_get(&r.graph.types, type)->dtype, i, "%s", text);
    reading_destroy(&r);
  }
}

Test(mlir_types, symbols) {
  expect_dump(
      "func.func private @f(tensor<?x?xf32, [@S0, @B]>, tensor<4x?xi32, [@C4, @S0]>)\n"
      "disc_shape.SymbolicDim @S0 {value = -9223372036854775808 : i64, knownNonSizeZero = "
      "true}\n\"disc_shape.SymbolicDim\"() {sym_name = \"B\", value = 8 : i64} : () -> ()\n",
      "symbol @S0 in 1..9223372036854775807\nsymbol @B in 8..8\n");
  expect_dump("func.func private @f(tensor<?x?xf32, [@S0, @B]>, tensor<4x?xi32, [@C4, @S0]>)",
              "(tensor<?x?xf32, [@S0, @B]>, tensor<4x?xi32, [@C4, @S0]>) -> ()");
  expect_mlir_error("func.func private @f(tensor<?x?xf32, [@S0]>)", 1, 38, "1 symbols");
}

// A blank after the type leaves it to the parser, which has to read the same.
static void plainly(const char *text, bool plain) {
  reading r;
  init(&r);
  char spaced[128];
  type_id quick = TYPE_NONE, slow = TYPE_NONE;
  const char *error = NULL;
  size_t at;
  size_t length = (size_t)snprintf(spaced, sizeof spaced, "%s ", text);
  cr_assert_eq(mlir_plain_tensor(&r.graph.types, text, length - 1, &quick), plain, "%s", text);
  cr_assert_not(mlir_plain_tensor(&r.graph.types, spaced, length, &slow), "%s", text);
  bool read = mlir_parse_type(&r.graph, spaced, length, &slow, &error, &at);
  if (plain) cr_assert(read && slow == quick, "%s: %s", text, error ? error : "another type");
  reading_destroy(&r);
}

Test(mlir_types, plain) {
  static const char *const PLAIN[] = {"tensor<f32>",
                                      "tensor<?xindex>",
                                      "tensor<0x4xi8>",
                                      "tensor<0x4x0x?xf8E4M3FN>",
                                      "tensor<007x1xui64>",
                                      "tensor<999999999999999999x?xbf16>",
                                      "tensor<1x2x3x4x5x6x7x8x9x10x11x12x13x14x15x16xi1>",
                                      "tensor<2xnone>"};
  static const char *const OTHERS[] = {"tensor<1x2x3x4x5x6x7x8x9x10x11x12x13x14x15x16x17xi1>",
                                       "tensor<9223372036854775807xi8>",
                                       "tensor<99999999999999999999xi8>",
                                       "tensor<*xf32>",
                                       "tensor< 4xf32>",
                                       "tensor<4xf32, #stablehlo.bounds<5>>",
                                       "tensor<4xcomplex<f32>>",
                                       "tensor<4x!shaped.string>",
                                       "tensor<4x!stablehlo.token>",
                                       "tensor<4xi17>",
                                       "tensor<4>",
                                       "tensor<4x>",
                                       "tensor<x4xf32>",
                                       "tensor<-4xf32>",
                                       "tensor<??xf32>",
                                       "tensor<4?xf32>",
                                       "tensor<>",
                                       "tensor<",
                                       "tensor",
                                       "tensor<4xf32",
                                       "f32",
                                       ""};
  for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++) plainly(PLAIN[i], true);
  for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) plainly(OTHERS[i], false);
}
