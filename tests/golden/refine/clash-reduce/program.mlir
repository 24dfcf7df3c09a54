// SPDX-License-Identifier: Apache-2.0
func.func @main(%x: tensor<?x2xf32>, %i: tensor<?x2xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [0] : (tensor<?x2xf32>, tensor<?x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {
    %more = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %more, %a, %b : tensor<i1>, tensor<f32>
    %n = stablehlo.select %more, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %v, %n : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
}
