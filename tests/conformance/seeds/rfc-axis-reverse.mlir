// SPDX-License-Identifier: Apache-2.0
// reverse takes its axes statically and its dims dynamically.
// run: check FILE
// has: [S0, 4]
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
