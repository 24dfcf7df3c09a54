// SPDX-License-Identifier: Apache-2.0
// A shape mismatch of numbers is a compile-time error.
// run: check FILE
// status: 1
func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.add"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
