// SPDX-License-Identifier: Apache-2.0
// Tokens and a mask, a length that comes as a value, and a branch that needs it to be even.
func.func @main(%tokens: tensor<?x?x768xf32>, %mask: tensor<?x?xf32>, %n: tensor<i32>) -> tensor<?x?x12x64xf32> {
  %b = stablehlo.get_dimension_size %tokens, dim = 0 : (tensor<?x?x768xf32>) -> tensor<i32>
  %s = stablehlo.get_dimension_size %mask, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s1 = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %h = stablehlo.constant dense<[12, 64]> : tensor<2xi32>
  %shape = stablehlo.concatenate %b1, %s1, %h, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<4xi32>
  %0 = stablehlo.dynamic_reshape %tokens, %shape : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %i = stablehlo.dynamic_iota %n1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %positive = stablehlo.compare GT, %n, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %p = "stablehlo.if"(%positive) ({
    %half = stablehlo.divide %n, %two : tensor<i32>
    %half1 = stablehlo.reshape %half : (tensor<i32>) -> tensor<1xi32>
    %two1 = stablehlo.reshape %two : (tensor<i32>) -> tensor<1xi32>
    %to = stablehlo.concatenate %half1, %two1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %pairs = stablehlo.dynamic_reshape %i, %to : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x2xi32>
    stablehlo.return %pairs : tensor<?x2xi32>
  }, {
    %none = stablehlo.constant dense<0> : tensor<4x2xi32>
    %some = stablehlo.slice %none [0:0, 0:2] : (tensor<4x2xi32>) -> tensor<0x2xi32>
    %cast = stablehlo.convert %some : (tensor<0x2xi32>) -> tensor<?x2xi32>
    stablehlo.return %cast : tensor<?x2xi32>
  }) : (tensor<i1>) -> tensor<?x2xi32>
  return %0 : tensor<?x?x12x64xf32>
}
