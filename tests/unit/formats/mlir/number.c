// SPDX-License-Identifier: Apache-2.0
// Literals of numbers.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_number, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("\"x.y\"() {v = 0x} : () -> ()"), 2, 17, "expected ',' or '}', found 'x'"},
      {FN("\"x.y\"() {v = 1.e} : () -> ()"), 2, 18, "expected ',' or '}', found 'e'"},
      {FN("\"x.y\"() {v = 99999999999999999999 : i64} : () -> ()"), 2, 16,
       "the integer does not fit in type 'i64'"},
      {FN("\"x.y\"() {v = -} : () -> ()"), 2, 16, "expected an attribute value, found '-'"},
      {FN("\"x.y\"() {v = 256 : i8} : () -> ()"), 2, 16, "the integer does not fit in type 'i8'"},
      {FN("\"x.y\"() {v = 0x1F : i32, w = -1.5e-3 : f32} : () -> ()"), 0, 0, NULL},
  };
  EXPECT_ROWS(ROWS);
}
