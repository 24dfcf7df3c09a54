// SPDX-License-Identifier: Apache-2.0
// Characters, words and strings that are none.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_lex, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("\"x.y() : () -> ()"), 2, 3, "expected '\"' to end the string"},
      {FN("\"x\\q.y\"() : () -> ()"), 0, 0, NULL},
      {FN("%% = \"x.y\"() : () -> i32"), 2, 4, "expected a value name after '%', found '%'"},
      {FN("@"), 2, 3, "expected an operation, found '@'"},
      {"func.func @\"a\\0g\"() { return }\n", 0, 0, NULL},
      {FN("`"), 2, 3, "expected an operation, found '`'"},
  };
  EXPECT_ROWS(ROWS);
}
