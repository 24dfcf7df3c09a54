// SPDX-License-Identifier: Apache-2.0
// Exponential and sum of a matrix, and the absolute value of the sum as a vector.
func.func @main(%x: tensor<?x?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %columns = arith.muli %n, %c8 : index
  %e = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %exp = linalg.exp ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %sum = linalg.add ins(%exp, %x : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %flat = tensor.collapse_shape %sum [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %count = arith.muli %rows, %columns : index
  %f = tensor.empty(%count) : tensor<?xf32>
  %last = linalg.abs ins(%flat : tensor<?xf32>) outs(%f : tensor<?xf32>) -> tensor<?xf32>
  return %last : tensor<?xf32>
}
