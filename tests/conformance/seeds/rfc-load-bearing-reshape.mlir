// SPDX-License-Identifier: Apache-2.0
// A dynamic result of reshape does not say what the operation makes.
// run: check FILE
// status: 1
// has: error
func.func @main(%a: tensor<1xf32>) -> tensor<1x?xf32> {
  %0 = stablehlo.reshape %a : (tensor<1xf32>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}
