// SPDX-License-Identifier: Apache-2.0
// concatenate takes its axes statically and its dims dynamically.
// run: check FILE
// has: [2*S0, 4]
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
