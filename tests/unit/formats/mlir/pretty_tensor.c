// SPDX-License-Identifier: Apache-2.0
// Lists of numbers and operands in the tensor dialect: what does not read as one is passed over, without a rule.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_pretty_tensor, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("%r = tensor.extract_slice %a[0, %i] [2, 2] [1, 1] : tensor<?x4xf32> to tensor<2x2xf32>"),
       0, 0, NULL},
      {FN("%r = tensor.extract_slice %a[0 0] [2, 2] [1, 1] : tensor<?x4xf32> to tensor<2x2xf32>"),
       0, 0, NULL},
      {FN("%r = tensor.expand_shape %a [[0, 1], [2]] output_shape [%i, 2, 4] : tensor<?x4xf32> "
          "into tensor<?x2x4xf32>"),
       0, 0, NULL},
      {FN("%r = tensor.concat dim(x) %a : (tensor<?x4xf32>) -> tensor<?x4xf32>"), 0, 0, NULL},
  };
  EXPECT_ROWS(ROWS);
}
