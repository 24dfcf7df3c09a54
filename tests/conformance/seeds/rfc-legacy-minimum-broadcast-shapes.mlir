// SPDX-License-Identifier: Apache-2.0
// chlo.minimum_broadcast_shapes makes shapes of at most as many axes.
// run: explain --that "%1#0.0 <= 3" FILE
// has: always holds
// run: check FILE
// not: no rule
func.func @main(%s: tensor<3xindex>, %t: tensor<2xindex>) -> (tensor<?xindex>, tensor<?xindex>) {
  %1:2 = "chlo.minimum_broadcast_shapes"(%s, %t) : (tensor<3xindex>, tensor<2xindex>) -> (tensor<?xindex>, tensor<?xindex>)
  return %1#0, %1#1 : tensor<?xindex>, tensor<?xindex>
}
