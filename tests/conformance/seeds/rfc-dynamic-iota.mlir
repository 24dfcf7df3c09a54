// SPDX-License-Identifier: Apache-2.0
// dynamic_iota becomes its static operation where its operands are known.
// run: refine --require-static --cleanup --arg-types tensor<6xf32> FILE
// has: stablehlo.iota
// not: dynamic_
func.func @main(%a: tensor<6xf32>) -> tensor<?x?xf32> {
  %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_iota %c, dim = 0 : (tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
