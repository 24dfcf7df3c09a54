// SPDX-License-Identifier: Apache-2.0
// Labels of blocks and the branches to them.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_branch, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("cf.br ^b1\n^b1:"), 0, 0, NULL},
      {FN("cf.br ^missing"), 2, 9, "reference to an undefined block '^missing'"},
      {FN("cf.cond_br %c, ^x, ^y\n^x:\n  cf.br ^y\n^y:"), 0, 0, NULL},
      {FN("cf.br ^b1(%a)\n^b1(%z: tensor<?x4xf32>):"), 2, 15, "expected ':', found ')'"},
      {FN("cf.br ^b1(%a : tensor<?x4xf32>)\n^b1:"), 0, 0, NULL},
      {FN("cf.cond_br %c ^x, ^x\n^x:"), 2, 17, "expected ',', found '^x'"},
  };
  EXPECT_ROWS(ROWS);
}
