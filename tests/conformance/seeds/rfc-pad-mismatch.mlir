// SPDX-License-Identifier: Apache-2.0
// A result of pad that its paddings do not give is a shape mismatch at compile time.
// run: check FILE
// status: 1
// has: error
func.func @main(%a: tensor<16x16xf32>, %v: tensor<f32>) -> tensor<20x20xf32> {
  %0 = stablehlo.pad %a, %v, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<16x16xf32>, tensor<f32>) -> tensor<20x20xf32>
  return %0 : tensor<20x20xf32>
}
