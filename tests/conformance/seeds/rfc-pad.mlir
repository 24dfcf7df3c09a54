// SPDX-License-Identifier: Apache-2.0
// pad has its paddings as attributes, dynamic_pad as operands.
// run: check FILE
// has: ok
func.func @main(%a: tensor<16x16xf32>, %v: tensor<f32>, %x: tensor<?x?xf32>, %low: tensor<2xindex>, %high: tensor<2xindex>, %in: tensor<2xindex>) -> (tensor<18x18xf32>, tensor<?x?xf32>) {
  %0 = stablehlo.pad %a, %v, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<16x16xf32>, tensor<f32>) -> tensor<18x18xf32>
  %1 = stablehlo.dynamic_pad %x, %v, %low, %high, %in : (tensor<?x?xf32>, tensor<f32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0, %1 : tensor<18x18xf32>, tensor<?x?xf32>
}
