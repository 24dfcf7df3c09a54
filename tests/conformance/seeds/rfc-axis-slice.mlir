// SPDX-License-Identifier: Apache-2.0
// slice has its limits as attributes: a dynamic operand is at least as long.
// run: check FILE
// has: S0 >= 2
func.func @main(%x: tensor<?x4xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.slice %x [0:2, 1:3] : (tensor<?x4xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
