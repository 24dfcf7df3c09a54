// SPDX-License-Identifier: Apache-2.0
// Inputs of a concatenation have the same dims but along its axis.
// run: check FILE
// has: [S0 + S2, S1]
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "mhlo.concatenate"(%x, %y) {dimension = 0 : i64} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
