// SPDX-License-Identifier: Apache-2.0
// The types after a pretty form.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_pretty_types, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("%r = stablehlo.select %c, %a, %a : i1"), 2, 29,
       "use of value '%a' expects different type than prior uses: 'i1' vs 'tensor<?x4xf32>'"},
      {FN("%r = stablehlo.convert %a : (tensor<?x4xf32>) tensor<?x4xi32>"), 2, 49,
       "expected '->', found 'tensor'"},
      {FN("%r = stablehlo.convert %a : tensor<?x4xf32>, tensor<?x4xi32>, i32"), 2, 31,
       "expected one type or '(types) -> types'"},
      {FN("%r = stablehlo.abs %a : (tensor<?x4xf32>, i32) -> tensor<?x4xf32>"), 2, 27,
       "expected 1 operand types but had 2"},
  };
  EXPECT_ROWS(ROWS);
}
