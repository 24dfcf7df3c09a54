// SPDX-License-Identifier: Apache-2.0
// dynamic_pad becomes its static operation where its operands are known.
// run: refine --require-static --cleanup --arg-types tensor<6x1xf32> FILE
// has: stablehlo.pad
// not: dynamic_
func.func @main(%a: tensor<6x1xf32>) -> tensor<?x?xf32> {
  %c = stablehlo.constant dense<1> : tensor<2xi64>
  %v = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dynamic_pad %a, %v, %c, %c, %c : (tensor<6x1xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
