// SPDX-License-Identifier: Apache-2.0
// transpose takes its axes statically and its dims dynamically.
// run: check FILE
// has: [4, S0]
func.func @main(%x: tensor<?x4xf32>) -> tensor<4x?xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
