// SPDX-License-Identifier: Apache-2.0
// dynamic_broadcast becomes its static operation where its operands are known.
// run: refine --require-static --cleanup --arg-types tensor<1xf32> FILE
// has: stablehlo.broadcast_in_dim
// not: dynamic_
func.func @main(%a: tensor<1xf32>) -> tensor<?x?xf32> {
  %c = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %c, dims = [0] : (tensor<1xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
