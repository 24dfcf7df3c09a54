// SPDX-License-Identifier: Apache-2.0
// chlo_legacy.dynamic_reshape is chlo.dynamic_reshape under its later name.
// run: check FILE
// not: no rule
// has: [S0, S1] f32
func.func @main(%x: tensor<?xf32>, %s: tensor<2xindex>) -> tensor<?x?xf32> {
  %0 = "chlo_legacy.dynamic_reshape"(%x, %s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
