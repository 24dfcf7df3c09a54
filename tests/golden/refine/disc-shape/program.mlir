// SPDX-License-Identifier: Apache-2.0
// Two parts of a sequence: an expression as a size, a value as a size, and a product that has to fit.
module {
  func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %n: tensor<i32>) -> tensor<?x?xf32> {
    %both = stablehlo.concatenate %x, %y, dim = 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %four = stablehlo.constant dense<4> : tensor<1xi32>
    %to = stablehlo.concatenate %n1, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %0 = stablehlo.dynamic_reshape %both, %to : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
}
