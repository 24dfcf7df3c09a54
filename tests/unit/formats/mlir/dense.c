// SPDX-License-Identifier: Apache-2.0
// Elements of dense and array attributes.
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_dense, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("%d = \"x.y\"() {v = dense<[1, 2]> : tensor<3xi32>} : () -> i32"), 2, 27,
       "inferred shape of elements literal ([2]) does not match type ([3])"},
      {FN("%d = \"x.y\"() {v = dense<[[1], [2, 3]]> : tensor<2x1xi32>} : () -> i32"), 2, 38,
       "lists of 1 and of 2 elements at the same level"},
      {FN("%d = \"x.y\"() {v = dense<1.5> : tensor<2xi32>} : () -> i32"), 2, 27,
       "expected integer elements, but found a floating point literal"},
      {FN("%d = \"x.y\"() {v = dense<[1, 2> : tensor<2xi32>} : () -> i32"), 2, 49,
       "expected ']', found '}'"},
      {FN("%d = \"x.y\"() {v = dense<300> : tensor<2xi8>} : () -> i32"), 2, 27,
       "the integer does not fit in type 'i8'"},
      {FN("%d = \"x.y\"() {v = array<i8: 300>} : () -> i32"), 2, 31,
       "the integer does not fit in type 'i8'"},
  };
  EXPECT_ROWS(ROWS);
}
