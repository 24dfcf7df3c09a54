// SPDX-License-Identifier: Apache-2.0
// dot_general takes its axes statically and its dims dynamically.
// run: check FILE
// has: [S0, S0]
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
