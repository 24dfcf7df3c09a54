// SPDX-License-Identifier: Apache-2.0
// The pretty forms of reduce and while.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_pretty_region, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("%r = stablehlo.reduce(%a init: %i) across dimensions = [0] : (tensor<?x4xf32>, index) "
          "-> tensor<4xf32>"),
       2, 104, "expected 'reducer' before the end of the operation"},
      {FN("%r = stablehlo.reduce(%a %i) applies stablehlo.add across dimensions = [0] : "
          "(tensor<?x4xf32>, index) -> tensor<4xf32>"),
       2, 28, "expected 'init', found '%i'"},
      {FN("%r = stablehlo.while(%x = %a) : tensor<?x4xf32>\n  do {\n  }"), 3, 3,
       "expected 'cond', found 'do'"},
      {FN("%r = stablehlo.while(%x %a) : tensor<?x4xf32>"), 2, 27, "expected '=', found '%a'"},
  };
  EXPECT_ROWS(ROWS);
}
