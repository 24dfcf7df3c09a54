// SPDX-License-Identifier: Apache-2.0
// A bound of 3 is not compatible with the static dim 4.
// run: check FILE
// status: 1
// has: error
func.func @main(%a: tensor<?xf32, #stablehlo.bounds<3>>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.add"(%a, %b) : (tensor<?xf32, #stablehlo.bounds<3>>, tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
