// SPDX-License-Identifier: Apache-2.0
// How many there are is decided by what stands in the argument.
func.func @main(%a: tensor<8xi1>) -> tensor<?xf32> {
  %n = "test.where"(%a) : (tensor<8xi1>) -> tensor<?xf32>
  %0 = stablehlo.negate %n : tensor<?xf32>
  return %0 : tensor<?xf32>
}
