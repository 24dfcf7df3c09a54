// SPDX-License-Identifier: Apache-2.0
// A static result of broadcast_in_dim says what the operation makes.
// run: check FILE
// has: ok
func.func @main(%a: tensor<1xf32>) -> tensor<1x2xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<1xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
