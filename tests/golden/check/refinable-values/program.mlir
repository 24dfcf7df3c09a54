// SPDX-License-Identifier: Apache-2.0
// Dims that the value of an argument says are data: concrete types do not refine them. Unranked arguments are refined.
func.func @main(%data: tensor<4xi32>, %batch_size: tensor<i32>) -> tensor<i32> {
  %dynamic_data = stablehlo.set_dimension_size %data, %batch_size, dim = 0
    : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = "stablehlo.reduce"(%dynamic_data, %zero) ({
   ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
    %add = stablehlo.add %arg1, %arg2 : tensor<i32>
    stablehlo.return %add : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<i32>
  func.return %sum : tensor<i32>
}
func.func @shape_operand(%x: tensor<1xf32>, %s: tensor<2xi64>) -> tensor<1x?xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<1xf32>, tensor<2xi64>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}
func.func @unranked(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {
  %3 = stablehlo.add %a, %b : tensor<*xf32>
  return %3 : tensor<*xf32>
}
