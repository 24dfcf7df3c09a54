// SPDX-License-Identifier: Apache-2.0
// A bound of 3 is compatible with the static dim 2.
// run: check FILE
// has: out result 0 [2] f32
func.func @main(%a: tensor<?xf32, #stablehlo.bounds<3>>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.add"(%a, %b) : (tensor<?xf32, #stablehlo.bounds<3>>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
