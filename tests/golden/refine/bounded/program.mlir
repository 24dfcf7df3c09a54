// SPDX-License-Identifier: Apache-2.0
func.func @main(%data: tensor<4xi32>, %count: tensor<i32>) -> tensor<i32> {
  %start = stablehlo.constant dense<0> : tensor<1xi32>
  %limit = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>
  %strides = stablehlo.constant dense<1> : tensor<1xi32>
  %first = stablehlo.real_dynamic_slice %data, %start, %limit, %strides : (tensor<4xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = stablehlo.reduce(%first init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  return %sum : tensor<i32>
}
