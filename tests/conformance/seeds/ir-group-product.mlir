// SPDX-License-Identifier: Apache-2.0
// reshape([a, b, c, d]) -> [ab, cd] keeps the groups.
// run: check FILE
// has: [S0*S1, S2*S3]
// run: refine --emit disc-shape FILE
// has: tie_product_equal
// not: definition = "S
func.func @main(%a: tensor<?x?x?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = tensor.dim %a, %c0 : tensor<?x?x?x?xf32>
  %1 = tensor.dim %a, %c1 : tensor<?x?x?x?xf32>
  %2 = tensor.dim %a, %c2 : tensor<?x?x?x?xf32>
  %3 = tensor.dim %a, %c3 : tensor<?x?x?x?xf32>
  %4 = arith.muli %0, %1 : index
  %5 = arith.muli %2, %3 : index
  %s = tensor.from_elements %4, %5 : tensor<2xindex>
  %r = "mhlo.dynamic_reshape"(%a, %s) : (tensor<?x?x?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
