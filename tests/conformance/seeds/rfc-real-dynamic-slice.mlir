// SPDX-License-Identifier: Apache-2.0
// real_dynamic_slice becomes its static operation where its operands are known.
// run: refine --require-static --cleanup --arg-types tensor<6x4xf32> FILE
// has: stablehlo.slice
// not: dynamic_
func.func @main(%a: tensor<6x4xf32>) -> tensor<?x?xf32> {
  %z = stablehlo.constant dense<0> : tensor<2xi64>
  %c = stablehlo.constant dense<2> : tensor<2xi64>
  %o = stablehlo.constant dense<1> : tensor<2xi64>
  %0 = stablehlo.real_dynamic_slice %a, %z, %c, %o : (tensor<6x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
