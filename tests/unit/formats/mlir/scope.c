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
      // A type that is not written is at fault, not one of its uses; one that is has the error where it is used.
      {FN("%1 = arith.constant 1\n  %2 = arith.addi %1, %i : index\n  %3 = arith.addi %1, %i : "
          "index"),
       2, 23,
       "the type of this constant is not written, so it is 'i64', and it is used as 'index'"},
      {FN("%1 = arith.constant true\n  %2 = arith.addi %1, %i : index"), 3, 19, "'index' vs 'i1'"},
      {FN("%1 = arith.constant 1 : i64\n  %2 = arith.addi %1, %i : index"), 3, 19,
       "'index' vs 'i64'"},
      // What defines it does not say of which type it is: its uses agree.
      {FN("%1 = x.y %a\n  stablehlo.abs %1 : tensor<3xf32>\n  stablehlo.abs %1 : tensor<4xf32>"), 4,
       17,
       "use of value '%1' expects different type than prior uses: 'tensor<4xf32>' vs "
       "'tensor<3xf32>'"},
      {FN("%1 = x.y %a : i32\n  stablehlo.abs %1 : tensor<3xf32>\n  stablehlo.abs %1 : "
          "tensor<3xf32>"),
       0, 0, NULL},
  };
  EXPECT_ROWS(ROWS);
}
