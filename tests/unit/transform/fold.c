// SPDX-License-Identifier: Apache-2.0
// What one operation computes of constants.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/transform/fold.h"
#include "tests/unit/transform/refine.h"

enum { TEXT_MAX = 4096 };

static void expect_fold(const char *operation, const char *type, const char *items) {
  char program[TEXT_MAX];
  reading r;
  snprintf(program, sizeof program,
           "func.func @main() -> %s {\n"
           "  %%a = stablehlo.constant dense<[7, -7]> : tensor<2xi32>\n"
           "  %%b = stablehlo.constant dense<[2, 2]> : tensor<2xi32>\n"
           "  %%z = stablehlo.constant dense<[1, 0]> : tensor<2xi32>\n"
           "  %%most = stablehlo.constant dense<2147483647> : tensor<2xi32>\n"
           "  %%p = stablehlo.constant dense<[true, false]> : tensor<2xi1>\n"
           "  %%t = stablehlo.constant dense<0.0> : tensor<3x5xf32>\n"
           "  %%r = %s\n  return %%r : %s\n}\n",
           type, operation, type);
  cr_expect_str_eq(refine_returned(&r, program, 0), items, "%s", operation);
  reading_destroy(&r);
}

#define TWO "tensor<2xi32>"

Test(fold, operations_on_integers) {
  expect_fold("stablehlo.add %a, %b : " TWO, TWO, "9 -5");
  expect_fold("stablehlo.subtract %a, %b : " TWO, TWO, "5 -9");
  expect_fold("stablehlo.multiply %a, %b : " TWO, TWO, "14 -14");
  expect_fold("stablehlo.divide %a, %b : " TWO, TWO, "3 -3");
  expect_fold("stablehlo.remainder %a, %b : " TWO, TWO, "1 -1");
  expect_fold("stablehlo.maximum %a, %b : " TWO, TWO, "7 2");
  expect_fold("stablehlo.minimum %a, %b : " TWO, TWO, "2 -7");
  expect_fold("stablehlo.and %a, %b : " TWO, TWO, "2 0");
  expect_fold("stablehlo.or %a, %b : " TWO, TWO, "7 -5");
  expect_fold("stablehlo.xor %a, %b : " TWO, TWO, "5 -5");
  expect_fold("stablehlo.abs %a : " TWO, TWO, "7 7");
  expect_fold("stablehlo.negate %a : " TWO, TWO, "-7 7");
  expect_fold("stablehlo.sign %a : " TWO, TWO, "1 -1");
  expect_fold("stablehlo.not %p : tensor<2xi1>", "tensor<2xi1>", "0 1");
  expect_fold("stablehlo.not %a : " TWO, TWO, "varies");
}

Test(fold, what_leaves_its_type_varies) {
  expect_fold("stablehlo.divide %a, %z : " TWO, TWO, "varies");
  expect_fold("stablehlo.remainder %a, %z : " TWO, TWO, "varies");
  expect_fold("stablehlo.add %most, %b : " TWO, TWO, "varies");
  expect_fold("stablehlo.multiply %most, %b : " TWO, TWO, "varies");
  expect_fold("stablehlo.convert %a : (" TWO ") -> tensor<2xi8>", "tensor<2xi8>", "7 -7");
  expect_fold("stablehlo.convert %most : (" TWO ") -> tensor<2xi8>", "tensor<2xi8>", "varies");
  expect_fold("stablehlo.convert %a : (" TWO ") -> tensor<2xui8>", "tensor<2xui8>", "varies");
}

Test(fold, choices_and_moves) {
  expect_fold("stablehlo.compare LT, %a, %b : (" TWO ", " TWO ") -> tensor<2xi1>", "tensor<2xi1>",
              "0 1");
  expect_fold("stablehlo.select %p, %a, %b : tensor<2xi1>, " TWO, TWO, "7 2");
  expect_fold("stablehlo.clamp %z, %a, %b : " TWO, TWO, "2 0");
  expect_fold("stablehlo.concatenate %a, %b, dim = 0 : (" TWO ", " TWO ") -> tensor<4xi32>",
              "tensor<4xi32>", "7 -7 2 2");
  expect_fold("stablehlo.slice %a [1:2] : (" TWO ") -> tensor<1xi32>", "tensor<1xi32>", "-7");
  expect_fold("stablehlo.reshape %a : (" TWO ") -> tensor<1x2xi32>", "tensor<1x2xi32>", "7 -7");
  expect_fold("stablehlo.get_dimension_size %t, dim = 1 : (tensor<3x5xf32>) -> tensor<i32>",
              "tensor<i32>", "5");
}

Test(fold, counts_elements_of_static_integers_alone) {
  reading r;
  reading_of(&r, "func.func @main() { return }\n");
  shape_graph *g = &r.graph;
  uint32_t count = 0;
  int64_t dims[] = {3, 4}, dynamic[] = {3, DIM_DYNAMIC}, large[] = {CONSTANT_MAX, 2};
  cr_expect(fold_count(g, type_tensor(&g->types, DTYPE_I32, dims, 2), &count) && count == 12);
  cr_expect(fold_count(g, type_scalar(&g->types, DTYPE_INDEX), &count) && count == 1);
  cr_expect_not(fold_count(g, type_tensor(&g->types, DTYPE_I32, dynamic, 2), &count));
  cr_expect_not(fold_count(g, type_tensor(&g->types, DTYPE_I32, large, 2), &count));
  cr_expect_not(fold_count(g, type_tensor(&g->types, DTYPE_F32, dims, 2), &count));
  cr_expect_not(fold_count(g, TYPE_NONE, &count));
  reading_destroy(&r);
}
