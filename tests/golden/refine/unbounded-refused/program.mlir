// SPDX-License-Identifier: Apache-2.0
func.func @main(%data: tensor<?xi32, #stablehlo.bounds<4>>, %count: tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>> {
  %0 = stablehlo.set_dimension_size %data, %count, dim = 0 : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  return %0 : tensor<?xi32, #stablehlo.bounds<4>>
}
