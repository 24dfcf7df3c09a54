// SPDX-License-Identifier: Apache-2.0
// Functions, and what is wrong with their heads.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_func, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {"func.func @f(%a) { return }\n", 1, 16, "expected ':', found ')'"},
      {"func.func @f(%a: i32) -> i32 {\n  return %a : f32\n}\n", 2, 10,
       "use of value '%a' expects different type than prior uses: 'f32' vs 'i32'"},
      {"func.func f() { return }\n", 1, 11, "expected a function name such as @main, found 'f'"},
      {"func.func @f(%a: i32, %a: i32) { return }\n", 1, 23, "redefinition of value '%a'"},
      {"func.func @f() -> (i32 { return }\n", 1, 33, "expected ')' before the end of the file"},
      {"func.func nested @f()\n", 0, 0, NULL},
  };
  EXPECT_ROWS(ROWS);
}
