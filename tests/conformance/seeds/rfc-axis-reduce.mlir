// SPDX-License-Identifier: Apache-2.0
// reduce takes its axes statically.
// run: check FILE
// has: [S0] f32
func.func @main(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
