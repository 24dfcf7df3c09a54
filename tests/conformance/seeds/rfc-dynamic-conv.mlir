// SPDX-License-Identifier: Apache-2.0
// dynamic_conv becomes its static operation where its operands are known.
// run: refine --require-static --cleanup --arg-types tensor<1x8x3xf32> FILE
// has: "stablehlo.convolution"
// not: dynamic_
func.func @main(%a: tensor<1x8x3xf32>) -> tensor<?x?x?xf32> {
  %k = stablehlo.constant dense<1.0> : tensor<3x3x5xf32>
  %c = stablehlo.constant dense<1> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%a, %k, %c) {batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64} : (tensor<1x8x3xf32>, tensor<3x3x5xf32>, tensor<1x2xi64>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
