// SPDX-License-Identifier: Apache-2.0
// Refined types where the text has the old ones: short forms as long as one type says all, signatures where it does not.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/unit/transform/refine.h"

// %a stays as it is, as a declaration takes it; %b, %x and %y have 4 elements.
#define PARTS(op)                                                                                  \
  "func.func private @ext(tensor<?xf32>)\n"                                                        \
  "func.func @main(%p: tensor<i1>, %a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<4xf32>) {\n"   \
  "  call @ext(%a) : (tensor<?xf32>) -> ()\n"                                                      \
  "  %x = stablehlo.add %b, %b : tensor<?xf32>\n"                                                  \
  "  %y = stablehlo.add %c, %a : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>\n"                \
  "  %z = stablehlo.add %b, %c : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>\n"                \
  "  %r = " op "\n  return\n}\n"

Test(transform_text, one_type_for_all_or_a_signature) {
  static const char *const CASES[][2] = {
      {PARTS("stablehlo.add %b, %x : tensor<?xf32>"), "%b, %x : tensor<4xf32>\n"},
      {PARTS("stablehlo.add %a, %b : tensor<?xf32>"),
       "%a, %b : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>\n"},
      {PARTS("stablehlo.select %p, %x, %y : tensor<i1>, tensor<?xf32>"),
       "%p, %x, %y : tensor<i1>, tensor<4xf32>\n"},
      {PARTS("stablehlo.select %p, %a, %y : tensor<i1>, tensor<?xf32>"),
       "%p, %a, %y : (tensor<i1>, tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>\n"},
      {PARTS("stablehlo.complex %b, %y : tensor<?xcomplex<f32>>"),
       "%b, %y : tensor<4xcomplex<f32>>\n"},
      {PARTS("stablehlo.complex %a, %b : tensor<?xcomplex<f32>>"),
       "%a, %b : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>\n"},
      {PARTS("\"my.two\"(%b) : (tensor<?xf32>) -> tensor<?xf32>"),
       "\"my.two\"(%b) : (tensor<4xf32>) -> tensor<?xf32>\n"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const refine_case c = {.program = CASES[i][0]};
    expect_refined(&c, CASES[i][1], NULL);
    expect_refined(&c, "%a: tensor<?xf32>, %b: tensor<4xf32>", NULL);
    expect_refined(&c, "@ext(tensor<?xf32>)", NULL);
  }
}

// What is already so is not touched, byte for byte, odd spaces included.
Test(transform_text, what_is_not_refined_keeps_its_bytes) {
  static const char TEXT[] =
      "func.func   @main( %a :tensor< ?xf32>)->tensor<? xf32>{  // a comment\n"
      "  %x=stablehlo.abs %a:tensor<?xf32>\n  return %x:tensor<?xf32>}\n";
  const refine_case c = {.program = TEXT};
  char *text = refine_text(&c);
  cr_expect_str_eq(text, TEXT);
  free(text);
}

// Names of dims stay beside the number that a dim became.
Test(transform_text, an_encoding_keeps_the_names_of_dims) {
  const refine_case c = {
      .program = "\"disc_shape.SymbolicDim\"() {sym_name = \"B\"} : () -> ()\n"
                 "func.func @main(%a: tensor<?x?xf32, [@B, @B]>, %b: tensor<4x?xf32>) -> "
                 "tensor<?x?xf32> {\n"
                 "  %x = stablehlo.add %a, %b : (tensor<?x?xf32, [@B, @B]>, tensor<4x?xf32>) -> "
                 "tensor<?x?xf32>\n  return %x : tensor<?x?xf32>\n}\n"};
  expect_refined(&c, "(%a: tensor<4x4xf32, [@B, @B]>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {",
                 "?");
}

// The graph gets the types that the text gets: of values, and of functions.
Test(transform_text, the_graph_is_refined_as_the_text_is) {
  refined_program c;
  refined_open(&c, PARTS("stablehlo.add %a, %b : tensor<?xf32>"), NULL);
  shape_graph *g = c.types->graph;
  refine_graph(c.types);
  shape_strbuf out;
  strbuf_init(&out, g->arena);
  type_print(&g->types, &out, g->funcs[1].type);
  for (value_id v = 0; v < g->value_count; v++) {
    strbuf_putc(&out, ' ');
    type_print(&g->types, &out, g->values[v].type);
  }
  cr_expect_str_eq(strbuf_text(&out),
                   "(tensor<i1>, tensor<?xf32>, tensor<4xf32>, tensor<4xf32>) -> () tensor<i1> "
                   "tensor<?xf32> tensor<4xf32> tensor<4xf32> tensor<4xf32> tensor<4xf32> "
                   "tensor<4xf32> tensor<4xf32>");
  refined_close(&c);
}
