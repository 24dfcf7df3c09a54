// SPDX-License-Identifier: Apache-2.0
// Pretty forms go by their rows.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_pretty, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("stablehlo.add %a, %a"), 2, 22,
       "expected ':' and the types before the end of the operation"},
      {FN("stablehlo.nothing %a : tensor<?x4xf32>"), 0, 0, NULL},
      {FN("%r = stablehlo.transpose %a, dims = [1] : (tensor<?x4xf32>) -> tensor<4x?xf32> junk"), 2,
       82, "expected the end of the operation, found 'junk'"},
      // A comma is between two items, in dialects whose every syntax is listed.
      {FN("%r = stablehlo.abs %a, : tensor<?x4xf32>"), 2, 26,
       "expected an operand such as %0, found ':'"},
      {FN("%r = stablehlo.abs , %a : tensor<?x4xf32>"), 2, 22,
       "expected an operand such as %0, found ','"},
      {FN("%r = stablehlo.add %a,, %a : tensor<?x4xf32>"), 2, 25,
       "expected an operand such as %0, found ','"},
      {FN("%r = stablehlo.abs %a, {x = 1} : tensor<?x4xf32>"), 2, 26,
       "expected an operand such as %0, found '{'"},
      {FN("%r = stablehlo.custom_call @f(%a,) : (tensor<?x4xf32>) -> f32"), 2, 36,
       "expected an operand such as %0, found ')'"},
  };
  EXPECT_ROWS(ROWS);
}
