// SPDX-License-Identifier: Apache-2.0
func.func @main(%x: tensor<?xf32>, %i: tensor<?xi32>, %n: tensor<i32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %s = stablehlo.constant dense<0> : tensor<i32>
  %m = stablehlo.reduce(%i init: %s) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %a = stablehlo.dynamic_iota %m1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %b = stablehlo.negate %a : tensor<?xf32>
  %u = "my.op"(%b) : (tensor<?xf32>) -> tensor<?xf32>
  return %b, %u : tensor<?xf32>, tensor<?xf32>
}
