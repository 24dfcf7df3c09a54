// SPDX-License-Identifier: Apache-2.0
// Constraints go from outputs to inputs, too.
// run: check FILE
// has: in x [4] f32
func.func @main(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.add"(%x, %y) : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
