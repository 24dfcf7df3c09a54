// SPDX-License-Identifier: Apache-2.0
// One operation: results, operands, types, attributes.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_op, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("%r:2 = \"x.y\"() : () -> i32"), 2, 3,
       "the operation defines 1 results but was provided 2 to bind"},
      {FN("\"x.y\"(%a) : () -> ()"), 2, 15, "expected 1 operand types but had 0"},
      {FN("\"x.y\"(%a) : (i32) -> ()"), 2, 9,
       "use of value '%a' expects different type than prior uses: 'i32' vs 'tensor<?x4xf32>'"},
      {FN("%r = \"x.y\"() : () -> ()"), 2, 3,
       "the operation defines 0 results but was provided 1 to bind"},
      {FN("\"x.y\"() : ()"), 2, 14, "expected '->' before the end of the operation"},
      {FN("%r, %r = \"x.y\"() : () -> (i32, i32)"), 2, 7, "redefinition of value '%r'"},
      {FN("\"x.y\"() {a = 1 : i32, a = 2 : i32} : () -> ()"), 2, 25, "duplicate attribute 'a'"},
  };
  EXPECT_ROWS(ROWS);
}
