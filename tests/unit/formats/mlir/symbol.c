// SPDX-License-Identifier: Apache-2.0
// Symbols of BladeDISC's shape constraint IR.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_symbol, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {"\"disc_shape.SymbolicDim\"() {knownNegativeOne = false} : () -> ()\nfunc.func @f() { "
       "return }\n",
       1, 1, "a symbol needs a name"},
      {"\"disc_shape.SymbolicDim\"() {sym_name = \"S0\", value = -9223372036854775808 : i64} : () "
       "-> ()\n\"disc_shape.SymbolicDim\"() {sym_name = \"S0\", value = 3 : i64} : () -> ()\n",
       0, 0, NULL},
      {"func.func @f(%a: tensor<?xf32, [@S0, @S1]>) { return }\n", 1, 32,
       "the encoding has 2 symbols, but the type has 1 dims"},
      {"func.func @f(%a: tensor<?xf32, [@S9]>) { return }\n", 0, 0, NULL},
  };
  EXPECT_ROWS(ROWS);
}
