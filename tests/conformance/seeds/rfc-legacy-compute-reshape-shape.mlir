// SPDX-License-Identifier: Apache-2.0
// stablehlo.compute_reshape_shape is read.
// run: check FILE
// not: no rule
// not: not known
func.func @main(%n: index, %s: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.compute_reshape_shape"(%n, %s) : (index, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
