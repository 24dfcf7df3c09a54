// SPDX-License-Identifier: Apache-2.0
// A padding of some axes keeps the dims of the others.
// run: check FILE
// has: [S0, S1 + 3]
func.func @main(%x: tensor<?x?xf32>, %v: tensor<f32>) -> tensor<?x?xf32> {
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %in = stablehlo.constant dense<0> : tensor<2xi64>
  %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %in : (tensor<?x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
