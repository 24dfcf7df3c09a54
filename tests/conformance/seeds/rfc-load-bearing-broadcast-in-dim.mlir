// SPDX-License-Identifier: Apache-2.0
// A dynamic result of broadcast_in_dim does not say what the operation makes.
// run: check FILE
// status: 1
// has: error
func.func @main(%a: tensor<1xf32>) -> tensor<1x?xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<1xf32>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}
