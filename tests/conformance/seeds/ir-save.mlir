// SPDX-License-Identifier: Apache-2.0
// What was found is saved in the IR, and read again it says the same.
// run: refine --emit disc-shape FILE
// has: [@S0, @C4]
// has: tie_product_equal
func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?xf32> {
  %0 = mhlo.add %a, %b : tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %0, %c0 : tensor<?x4xf32>
  %n = arith.muli %d, %c4 : index
  %s = tensor.from_elements %n : tensor<1xindex>
  %r = "mhlo.dynamic_reshape"(%0, %s) : (tensor<?x4xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
