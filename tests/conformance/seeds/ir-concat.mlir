// SPDX-License-Identifier: Apache-2.0
// concat([?x10, ?x10], axis 1) is ?x20.
// run: check FILE
// has: out result 0 [S0, 20] f32
func.func @main(%a: tensor<?x10xf32>, %b: tensor<?x10xf32>) -> tensor<?x?xf32> {
  %0 = "mhlo.concatenate"(%a, %b) {dimension = 1 : i64} : (tensor<?x10xf32>, tensor<?x10xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
