// SPDX-License-Identifier: Apache-2.0
// What is passed over, and where reading goes on.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_skip, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("foo.bar [ (a } ]"), 2, 10, "expected ')' or ']' to close a bracket of the operation"},
      {FN("foo.bar { [ ( \"unclosed"), 2, 17, "expected '\"' to end the string"},
      {FN("stablehlo.add ] , %a\n  %z = \"x.y\"(%nope) : (i32) -> ()"), 2, 17,
       "expected the end of the operation, found ']'"},
  };
  EXPECT_ROWS(ROWS);
}
