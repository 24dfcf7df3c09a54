// SPDX-License-Identifier: Apache-2.0
// Two dims are equal: of two tensors, or of one.
// run: check FILE
// has: in a [S0, S0] f32
// has: in b [S0, S0] f32
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = mhlo.add %a, %b : tensor<?x?xf32>
  %1 = "mhlo.cholesky"(%0) {lower = true} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
