// SPDX-License-Identifier: Apache-2.0
// The computation of a reshape's target says what its dims are.
// run: check FILE
// has: [S0, S1*S2]
func.func @main(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %c = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %m = arith.muli %b, %c : index
  %s = tensor.from_elements %a, %m : tensor<2xindex>
  %0 = "mhlo.dynamic_reshape"(%x, %s) : (tensor<?x?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
