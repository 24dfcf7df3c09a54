// SPDX-License-Identifier: Apache-2.0
// What value names mean.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_scope, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("\"x.y\"(%q) : (i32) -> ()"), 2, 9, "use of undeclared value '%q'"},
      {FN("\"x.y\"(%a#1) : (tensor<?x4xf32>) -> ()"), 2, 9, "value '%a' has no result number 1"},
      {FN("%r:2 = \"x.y\"() : () -> (i32, f32)\n  \"x.z\"(%r#2) : (i32) -> ()"), 3, 9,
       "value '%r' has no result number 2"},
      {FN("%1 = \"x.y\"() : () -> i32\n  %1 = \"x.y\"() : () -> i32"), 3, 3,
       "redefinition of value '%1'"},
  };
  EXPECT_ROWS(ROWS);
}
