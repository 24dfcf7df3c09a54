// SPDX-License-Identifier: Apache-2.0
// The declared rank is not that of the operands: an error, and nothing is said of elements.
func.func @main(%a: tensor<1xi32>) -> tensor<i32> {
  %0 = "stablehlo.concatenate"(%a, %a) {dimension = 0 : i64} : (tensor<1xi32>, tensor<1xi32>) -> tensor<i32>
  return %0 : tensor<i32>
}
