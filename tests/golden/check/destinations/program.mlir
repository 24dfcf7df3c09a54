// SPDX-License-Identifier: Apache-2.0
// Operations without a rule: results are as the destinations where the syntax says which these are.
func.func @main(%update: tensor<?x?xf32>, %at: tensor<?x1xi32>, %into: tensor<?x?xf32>, %m: memref<?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = some.scatter dimension_map = [0] unique(true)
    ins(%update, %at : tensor<?x?xf32>, tensor<?x1xi32>) outs(%into : tensor<?x?xf32>) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      some.yield %z : f32
    } -> tensor<?x?xf32>
  %1:2 = some.sort dimension(1) outs(%update, %m : tensor<?x?xf32>, memref<?xf32>) {stable} -> tensor<?x?xf32>, index
  %2 = some.sort ins(%update : tensor<?x?xf32>) outs(%into : tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = "some.sort"(%update, %into) {operandSegmentSizes = array<i32: 1, 1>} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1#0, %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
