// SPDX-License-Identifier: Apache-2.0
// Dims, element types and encodings of tensors.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_type_tensor, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {"func.func @f(%a: tensor<4x-1xf32>) { return }\n", 1, 27, "expected a type, found '-'"},
      {"func.func @f(%a: tensor<4x>) { return }\n", 1, 27, "expected a type, found '>'"},
      {"func.func @f(%a: tensor<99999999999999999999xf32>) { return }\n", 1, 25,
       "the dim does not fit in 64 bits"},
      {"func.func @f(%a: tensor<?xf32, #stablehlo.bounds<2, 3>>) { return }\n", 1, 32,
       "the encoding has 2 bounds, but the type has 1 dims"},
      {"func.func @f(%a: tensor<*x4xf32>) { return }\n", 1, 27, "expected a type, found '4xf32'"},
      {"func.func @f(%a: tensor<4xtensor<2xf32>>) { return }\n", 0, 0, NULL},
  };
  EXPECT_ROWS(ROWS);
}
