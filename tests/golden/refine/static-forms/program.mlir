// SPDX-License-Identifier: Apache-2.0
// A size is taken from one argument, multiplied, and given to every kind of dynamic operation.
func.func @main(%x: tensor<?x4xf32>, %n: tensor<i32>, %k: tensor<3x3x1x1xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xi32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?x?x?xf32>, tensor<?xf32>) {
  %token = stablehlo.create_token : !stablehlo.token
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %c4 = stablehlo.constant dense<4> : tensor<i32>
  %all = stablehlo.multiply %size, %c4 : tensor<i32>
  %size1 = stablehlo.reshape %size : (tensor<i32>) -> tensor<1xi32>
  %all1 = stablehlo.reshape %all : (tensor<i32>) -> tensor<1xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %shape = stablehlo.concatenate %one, %all1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %flat = stablehlo.dynamic_reshape %x, %shape : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>  // flat
  %big = stablehlo.concatenate %n1, %all1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %wide = stablehlo.dynamic_broadcast_in_dim %flat, %big, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>} : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %count = stablehlo.dynamic_iota %n1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %zero = stablehlo.constant dense<0> : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %padded = stablehlo.dynamic_pad %wide, %f, %zero, %ones, %zero : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %part = stablehlo.real_dynamic_slice %padded, %zero, %big, %ones : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %i4 = stablehlo.concatenate %n1, %all1, %one, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %image = stablehlo.dynamic_reshape %part, %i4 : (tensor<?x?xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  %pads = stablehlo.constant dense<1> : tensor<2x2xi32>
  %conv = "stablehlo.dynamic_conv"(%image, %k, %pads) {batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64} : (tensor<?x?x?x?xf32>, tensor<3x3x1x1xf32>, tensor<2x2xi32>) -> tensor<?x?x?x?xf32>
  %other = stablehlo.custom_call @elsewhere(%flat, %n1) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %flat, %wide, %count, %padded, %part, %conv, %other : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xi32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?x?x?xf32>, tensor<?xf32>
}
