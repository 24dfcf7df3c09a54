// SPDX-License-Identifier: Apache-2.0
// A reshape has as many elements as its operand.
// run: check FILE
// has: [4*S0]
func.func @main(%a: tensor<?x4xf32>, %s: tensor<1xi32>) -> tensor<?xf32> {
  %0 = "mhlo.dynamic_reshape"(%a, %s) : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
