// SPDX-License-Identifier: Apache-2.0
// The sum of the first rows of a table.
func.func @main(%data: tensor<4x?xi32, #stablehlo.bounds<?, 8>>, %count: tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<8>> {
  %rows = stablehlo.set_dimension_size %data, %count, dim = 0 : (tensor<4x?xi32, #stablehlo.bounds<?, 8>>, tensor<i32>) -> tensor<?x?xi32, #stablehlo.bounds<4, 8>>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = stablehlo.reduce(%rows init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x?xi32, #stablehlo.bounds<4, 8>>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<8>>
  return %sum : tensor<?xi32, #stablehlo.bounds<8>>
}
