// SPDX-License-Identifier: Apache-2.0
// A shape operand that is an argument is data: concrete types do not refine it.
// run: check --refinable FILE
// status: 1
// has: not-refinable
// run: refine --require-static --arg-types tensor<1xf32>,tensor<2xi64> FILE
// status: 1
// has: stays
func.func @main(%a: tensor<1xf32>, %s: tensor<2xi64>) -> tensor<1x?xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<1xf32>, tensor<2xi64>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}
