// SPDX-License-Identifier: Apache-2.0
// Regions and blocks.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_region, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("\"x.y\"() ({\n  \"x.z\"() : () -> ()"), 2, 12,
       "expected '}' to end the region before the end of the operation"},
      {FN("\"x.y\"() ({\n^bb0(%z: i32):\n^bb0:\n}) : () -> ()"), 4, 1,
       "redefinition of block '^bb0'"},
      {FN("\"x.y\"() ({\n^bb0(%z):\n}) : () -> ()"), 3, 8, "expected ':', found ')'"},
      {FN("\"x.y\"() ({}, ) : () -> ()"), 2, 16, "expected '{' to begin a region, found ')'"},
      {FN("\"x.y\"() ({\n^bb0 :\n \"x.z\"() : () -> ()\n}) : () -> ()"), 0, 0, NULL},
  };
  EXPECT_ROWS(ROWS);
}
