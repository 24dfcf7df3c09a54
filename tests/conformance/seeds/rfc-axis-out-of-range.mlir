// SPDX-License-Identifier: Apache-2.0
// An axis that the rank does not have is an error, whatever the dims.
// run: check FILE
// status: 1
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.concatenate %x, %x, dim = 2 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
