// SPDX-License-Identifier: Apache-2.0
// dynamic_reduce_window, a custom call, becomes its static operation where its operands are known.
// run: refine --cleanup --require-static --arg-types tensor<6x8xf32> FILE
// has: "stablehlo.reduce_window"(%x, %zero)
// has: window_dimensions = array<i64: 6, 2>, window_strides = array<i64: 1, 2>
// has: -> tensor<1x4xf32>
// not: custom_call
// run: check -v FILE
// has: [1, floordiv(S1, 2)] f32
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %rows1 = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %window = stablehlo.concatenate %rows1, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %strides = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %none = stablehlo.constant dense<0> : tensor<2x2xi32>
  %sums = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %window, %strides, %ones, %ones, %none) {called_computations = [@plus]} : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  return %sums : tensor<?x?xf32>
}
func.func private @plus(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.add %a, %b : tensor<f32>
  return %c : tensor<f32>
}
