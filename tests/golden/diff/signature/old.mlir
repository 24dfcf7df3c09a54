// SPDX-License-Identifier: Apache-2.0
// The number of rows is given, and a table of as many.
func.func @main(%rows: tensor<i32>, %table: tensor<?x4xf32>, %gone: tensor<2xf32>) -> tensor<?x4xf32> {
  %c = stablehlo.constant dense<4> : tensor<1xi32>
  %n = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %n, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.dynamic_broadcast_in_dim %zero, %s, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %sum = stablehlo.add %table, %z : tensor<?x4xf32>
  return %sum : tensor<?x4xf32>
}
