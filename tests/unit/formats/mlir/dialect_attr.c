// SPDX-License-Identifier: Apache-2.0
// Attributes of dialects.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_dialect_attr, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("\"x.y\"() {v = #stablehlo.nothing<} : () -> ()"), 2, 35, "expected '>', found '}'"},
      {FN("\"x.y\"() {v = #undefined} : () -> ()"), 2, 16,
       "undefined attribute alias '#undefined'"},
      {FN("\"x.y\"() {v = #stablehlo<comparison_direction XX>} : () -> ()"), 0, 0, NULL},
      {FN("\"x.y\"() {v = #chlo.ragged_dot<a = >} : () -> ()"), 0, 0, NULL},
  };
  EXPECT_ROWS(ROWS);
}
