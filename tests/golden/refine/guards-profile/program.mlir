// SPDX-License-Identifier: Apache-2.0
// Splits the width of a batch of token sequences into 12 heads of 64; the length is taken from the mask.
func.func @main(%tokens: tensor<?x?x768xf32>, %mask: tensor<?x?xf32>) -> tensor<?x?x12x64xf32> {
  %b = stablehlo.get_dimension_size %tokens, dim = 0 : (tensor<?x?x768xf32>) -> tensor<i32>
  %s = stablehlo.get_dimension_size %mask, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s1 = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %h = stablehlo.constant dense<[12, 64]> : tensor<2xi32>
  %shape = stablehlo.concatenate %b1, %s1, %h, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<4xi32>
  %0 = stablehlo.dynamic_reshape %tokens, %shape : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
  return %0 : tensor<?x?x12x64xf32>
}
