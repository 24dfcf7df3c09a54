// SPDX-License-Identifier: Apache-2.0
// add(?x10, 10x?) is 10x10.
// run: refine FILE
// has: tensor<10x10xf32>
// not: ?
func.func @main(%a: tensor<?x10xf32>, %b: tensor<10x?xf32>) -> tensor<?x?xf32> {
  %0 = "mhlo.add"(%a, %b) : (tensor<?x10xf32>, tensor<10x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
