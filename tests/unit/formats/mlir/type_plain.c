// SPDX-License-Identifier: Apache-2.0
// Types that are no tensors.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_type_plain, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {"func.func @f(%a: i) { return }\n", 1, 18, "expected a type, found 'i'"},
      {"func.func @f(%a: i99999999) { return }\n", 0, 0, NULL},
      {"func.func @f(%a: vector<4x?>) { return }\n", 0, 0, NULL},
      {"func.func @f(%a: memref<4xf32) { return }\n", 1, 30, "expected '>', found ')'"},
      {"func.func @f(%a: (i32) -> ) { return }\n", 1, 27, "expected a type, found ')'"},
      {"func.func @f(%a: complex<i1>) { return }\n", 0, 0, NULL},
  };
  EXPECT_ROWS(ROWS);
}
