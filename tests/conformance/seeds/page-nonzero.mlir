// SPDX-License-Identifier: Apache-2.0
// Data-dependent dynamism: how many elements are not zero depends on the data, as do the dims of what lists them.
// run: check --refinable FILE
// status: 1
// has: the arguments do not determine the dims of result 0 of stablehlo.dynamic_iota: it depends on the data
// run: refine --require-static --arg-types tensor<6xi32> FILE
// status: 1
// has: stays tensor<?xi32>
func.func @main(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %zeros = stablehlo.dynamic_broadcast_in_dim %zero, %n1, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %is = stablehlo.compare NE, %x, %zeros : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
  %ones = stablehlo.convert %is : (tensor<?xi1>) -> tensor<?xi32>
  %count = stablehlo.reduce(%ones init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  %count1 = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_iota %count1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
