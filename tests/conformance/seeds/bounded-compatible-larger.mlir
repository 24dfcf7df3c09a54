// SPDX-License-Identifier: Apache-2.0
// A bound of 3 is compatible with one of 4.
// run: check FILE
// has: 0..3
func.func @main(%a: tensor<?xf32, #stablehlo.bounds<3>>, %b: tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<3>> {
  %0 = "stablehlo.add"(%a, %b) : (tensor<?xf32, #stablehlo.bounds<3>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<3>>
  return %0 : tensor<?xf32, #stablehlo.bounds<3>>
}
