// SPDX-License-Identifier: Apache-2.0
// An operand of 7 does not respect a bound of 3.
// run: check FILE
// status: 1
func.func @main(%x: tensor<?xf32, #stablehlo.bounds<3>>, %y: tensor<7xf32>) -> tensor<*xf32> {
  %0 = "stablehlo.add"(%x, %y) : (tensor<?xf32, #stablehlo.bounds<3>>, tensor<7xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
