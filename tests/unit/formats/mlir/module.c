// SPDX-License-Identifier: Apache-2.0
// Modules, aliases and the ends of files.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_module, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {"module {\n", 1, 8, "expected '}' to end the module before the end of the file"},
      {"module @m {\n  func.func @f() { return }\n", 2, 27,
       "expected '}' to end the module before the end of the file"},
      {"}\n", 1, 1, "unexpected '}'"},
      {"#a = \n", 1, 4, "expected an attribute value before the end of the file"},
      {"!t = i32\nfunc.func @f(%x: !u) { return }\n", 2, 18, "undefined type alias '!u'"},
      {"module attributes 3 {}\n", 1, 19, "expected '{', found '3'"},
  };
  EXPECT_ROWS(ROWS);
}
