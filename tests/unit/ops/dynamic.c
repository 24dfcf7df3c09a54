// SPDX-License-Identifier: Apache-2.0
// Operations that read dims from operands: which operand is the first.
#include "solver/ops/dynamic.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/unit/formats/mlir/reading.h"

// Of the first operation; -1: it is static.
static void expect_first(const char *body, int64_t first) {
  reading r;
  char text[600];
  uint32_t at = 99;
  snprintf(text, sizeof text,
           "func.func @f(%%x: tensor<?xf32>, %%z: tensor<f32>, %%s: tensor<1xi32>, %%k: "
           "tensor<i32>) {\n  %s\n  return\n}\n",
           body);
  reading_of(&r, text);
  cr_assert_eq(r.status, SHAPE_OK, "%s: %s", body, reading_errors(&r));
  cr_expect_eq(op_is_dynamic(&r.graph, 0, &at), first >= 0, "%s", body);
  cr_expect_eq(at, first >= 0 ? (uint32_t)first : 99, "%s", body);
  reading_destroy(&r);
}

Test(ops_dynamic, the_first_operand_that_says_dims) {
  expect_first("%0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<1xi32>) -> "
               "tensor<?xf32>",
               1);
  expect_first("%0 = mhlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>", 0);
  expect_first("%0 = stablehlo.dynamic_pad %x, %z, %s, %s, %s : (tensor<?xf32>, tensor<f32>, "
               "tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>",
               2);
  expect_first("%0 = stablehlo.real_dynamic_slice %x, %s, %s, %s : (tensor<?xf32>, tensor<1xi32>, "
               "tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>",
               1);
  expect_first("%0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<?xf32>, "
               "tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)",
               1);
}

Test(ops_dynamic, others_are_not) {
  expect_first("%0 = stablehlo.abs %x : tensor<?xf32>", -1);
  expect_first("%0 = stablehlo.dynamic_slice %x, %k, sizes = [1] : (tensor<?xf32>, tensor<i32>) -> "
               "tensor<1xf32>",
               -1);
  expect_first("%0:2 = stablehlo.custom_call @top_k(%x, %k) : (tensor<?xf32>, tensor<i32>) -> "
               "(tensor<?xf32>, tensor<?xi32>)",
               -1);
  expect_first("%0 = \"my.dynamic_reshape\"(%x, %s) : (tensor<?xf32>, tensor<1xi32>) -> "
               "tensor<?xf32>",
               -1);
}
