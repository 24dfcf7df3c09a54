// SPDX-License-Identifier: Apache-2.0
// What operations of the shape dialect become.
#include "solver/emit/legalize_forms.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/unit/transform/refine.h"

#define T  "tensor<?xf32>"
#define V  "tensor<1xindex>"
#define W  "tensor<?xindex>"
#define SV V ", " V
#define S  "!shape.shape"

// `body` computes %r of a type; %s and %t are shapes of one extent, %i an index.
static const char *with(const char *body, const char *type) {
  static char program[4096];
  snprintf(program, sizeof program,
           "func.func @main(%%x: " T ", %%y: " T
           ", %%i: index, %%u: tensor<*xf32>, %%v: tensor<?xi64>) -> %s {\n"
           "  %%s = shape.shape_of %%x : " T " -> " V "\n"
           "  %%t = shape.shape_of %%y : " T " -> " S "\n%s  return %%r : %s\n}\n",
           type, body, type);
  return program;
}

static void expect_form(const char *body, const char *type, const char *part) {
  const refine_case c = {.program = with(body, type),
                         .options = {.passes = "shape-legalize-to-stablehlo"}};
  expect_refined(&c, part, "shape.");
}

static void expect_none(const char *body, const char *type, const char *why) {
  const refine_case c = {.program = with(body, type),
                         .options = {.passes = "shape-legalize-to-stablehlo"}};
  expect_refined(&c, why, "func.func");
}

Test(legalize_forms, shapes) {
  expect_form("  %r = shape.to_extent_tensor %t : " S " -> " V "\n", V, "return %t : ");
  expect_form("  %r = shape.to_extent_tensor %t : " S " -> " W "\n", W,
              "%r = tensor.cast %t : tensor<1xindex> to tensor<?xindex>");
  expect_form("  %a = shape.concat %s, %t : " V ", " S " -> " S "\n"
              "  %r = shape.rank %a : " S " -> index\n",
              "index", "%r = arith.constant 2 : index");
  expect_form("  %a = shape.const_shape [4, 5] : " S "\n"
              "  %r = shape.get_extent %a, %i : " S ", index -> index\n",
              "index", "%r = tensor.extract %a[%i] : tensor<2xindex>");
  expect_form("  %k = shape.const_size -1\n  %a = shape.from_extents %i, %i, %k : index, index, "
              "!shape.size\n"
              "  %h, %r = \"shape.split_at\"(%a, %k) : (" S ", !shape.size) -> (" S ", " V ")\n",
              V, "tensor.from_elements %dims_");
  expect_form("  %a = shape.any %s, %t : " V ", " S " -> " S "\n"
              "  %r = shape.num_elements %a : " S " -> index\n",
              "index", "tensor.extract %s[");
  expect_form("  %r = shape.shape_of %u : tensor<*xf32> -> " W "\n", W,
              "%r = tensor.generate %dims_");
  expect_form("  %a = shape.shape_of %u : tensor<*xf32> -> " W "\n"
              "  %r = shape.num_elements %a : " W " -> index\n",
              "index", "stablehlo.reduce(");
  expect_form("  %a = shape.value_as_shape %v : tensor<?xi64> -> " W "\n"
              "  %r = shape.rank %a : " W " -> index\n",
              "index", "%r = tensor.dim %a, ");
}

Test(legalize_forms, sizes) {
  expect_form("  %a = shape.index_to_size %i\n  %k = shape.const_size 3\n"
              "  %d = shape.div %a, %k : !shape.size, !shape.size -> !shape.size\n"
              "  %r = shape.size_to_index %d : !shape.size\n",
              "index", "%d = arith.floordivsi %i, %k : index\n  return %d");
  expect_form("  %r = shape.max %i, %i : index, index -> index\n", "index",
              "%r = arith.maxsi %i, %i");
  expect_form("  %r = shape.dim %x, %i : " T ", index -> index\n", "index",
              "%r = tensor.dim %x, %i");
}

Test(legalize_forms, tests) {
  expect_form("  %r = shape.shape_eq %s, %t : " V ", " S "\n", "i1", "arith.cmpi eq, %dims_");
  expect_form("  %r = shape.is_broadcastable %s, %t : " V ", " S "\n", "i1", "arith.ori ");
  expect_form("  %a = shape.concat %s, %t : " V ", " S " -> " S "\n"
              "  %r = shape.shape_eq %s, %a : " V ", " S "\n",
              "i1", "arith.constant false");
}

Test(legalize_forms, values_with_shapes) {
  static const char W1[] = "  %w = shape.with_shape %x, %t : " T ", " S "\n";
  static char body[512];
  static const struct {
    const char *operation, *type, *part;
  } CASES[] = {
      {"%r = shape.shape_of %w : !shape.value_shape -> " W, W,
       "%r = tensor.cast %t : tensor<1xindex> to tensor<?xindex>"},
      {"%r = shape.value_of %w : " T, T, "return %x : " T},
      {"%r = shape.value_of %w : tensor<4xf32>", "tensor<4xf32>",
       "%r = tensor.cast %x : " T " to tensor<4xf32>"},
      {"%r = shape.dim %w, %i : !shape.value_shape, index -> index", "index",
       "%r = tensor.extract %t[%i] : tensor<1xindex>"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    snprintf(body, sizeof body, "%s  %s\n", W1, CASES[i].operation);
    expect_form(body, CASES[i].type, CASES[i].part);
  }
  expect_none("  %r = shape.with_shape %x, %t : " T ", " S "\n", "!shape.value_shape",
              "it has a type of the shape dialect");
}

// What a constraint requires is asserted where it is, also where nothing takes its witness.
Test(legalize_forms, constraints) {
  static const char R[] = "  %r = arith.addi %i, %i : index\n";
  static char body[512];
  static const struct {
    const char *operation, *part;
  } CASES[] = {
      {"%w = shape.cstr_eq %s, %t : " V ", " S, "error_message = \"the shapes are not equal\""},
      {"shape.cstr_broadcastable %s, %t : " V ", " S,
       "error_message = \"the shapes do not broadcast\""},
      {"%b = arith.cmpi eq, %i, %i : index\n  %w = shape.cstr_require %b, \"a \\22b\\22\"",
       "error_message = \"a \\22b\\22\""},
      {"%m = shape.meet %s, %t : " V ", " S " -> " S, "@shape_assertion"},
      {"%w = shape.const_witness false\n  %a = shape.assuming_all %w", "the witness is false"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    snprintf(body, sizeof body, "  %s\n%s", CASES[i].operation, R);
    expect_form(body, "index", CASES[i].part);
  }
}

Test(legalize_forms, none) {
  expect_none(
      "  %a = shape.shape_of %u : tensor<*xf32> -> " W "\n"
      "  %w = shape.cstr_eq %a, %s : " W ", " V "\n  %r = arith.addi %i, %i : index\n",
      "index",
      "shape.cstr_eq has no form in StableHLO, arith or tensor: the rank of a shape is not known");
  expect_none("  %h, %r = \"shape.split_at\"(%s, %i) : (" V ", index) -> (" W ", " W ")\n", W,
              "where it splits is no constant");
}
