// SPDX-License-Identifier: Apache-2.0
// Heads of 8 are split off and joined with a mask whose sizes nothing else names; each reason of each line is needed.
func.func @main(%x: tensor<?x?xf32>, %mask: tensor<?x?xf32>, %other: tensor<?x?xf32>) -> tensor<?x8x?xf32> {
  %sum = stablehlo.add %x, %mask : tensor<?x?xf32>
  %all = stablehlo.add %sum, %other : tensor<?x?xf32>
  %b = stablehlo.get_dimension_size %mask, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %w = stablehlo.get_dimension_size %other, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %h = stablehlo.divide %w, %eight : tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %e1 = stablehlo.reshape %eight : (tensor<i32>) -> tensor<1xi32>
  %h1 = stablehlo.reshape %h : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %b1, %e1, %h1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %0 = stablehlo.dynamic_reshape %all, %shape : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x8x?xf32>
  return %0 : tensor<?x8x?xf32>
}
