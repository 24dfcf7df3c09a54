// SPDX-License-Identifier: Apache-2.0
// Two products, a bound, a value that is a size, and a fact of a branch.
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %n: tensor<1xi32>, %p: tensor<i1>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %flat = stablehlo.dynamic_reshape %x, %n : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %a = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %b = stablehlo.get_dimension_size %y, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %a1 = stablehlo.reshape %a : (tensor<i32>) -> tensor<1xi32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %a1, %b1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.slice %y [0:1, 0:4] : (tensor<?x?xf32>) -> tensor<1x4xf32>
  %2 = "stablehlo.if"(%p) ({
    %3 = stablehlo.slice %x [0:3, 0:1] : (tensor<?x?xf32>) -> tensor<3x1xf32>
    stablehlo.return %0 : tensor<?x?xf32>
  }, {
    stablehlo.return %0 : tensor<?x?xf32>
  }) : (tensor<i1>) -> tensor<?x?xf32>
  return %flat, %2 : tensor<?xf32>, tensor<?x?xf32>
}
