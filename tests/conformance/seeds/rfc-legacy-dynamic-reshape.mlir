// SPDX-License-Identifier: Apache-2.0
// chlo.dynamic_reshape has the shape that its operand says.
// run: check FILE
// has: ok
// not: no rule
func.func @main(%a: tensor<?xf32>, %s: tensor<2xindex>) -> tensor<?x?xf32> {
  %0 = "chlo.dynamic_reshape"(%a, %s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
