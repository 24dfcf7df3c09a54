// SPDX-License-Identifier: Apache-2.0
// Values after the words of pretty forms.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_pretty_value, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("%r = stablehlo.iota dim = x : tensor<4xi32>"), 2, 29, "expected an integer, found 'x'"},
      {FN("%r = stablehlo.slice %a [0:2:1, 0:] : (tensor<?x4xf32>) -> tensor<2x4xf32>"), 2, 37,
       "expected an integer, found ']'"},
      {FN("%r = stablehlo.transpose %a, dims = [1, a] : (tensor<?x4xf32>) -> tensor<4x?xf32>"), 2,
       43, "expected an integer, found 'a'"},
  };
  EXPECT_ROWS(ROWS);
}
