// SPDX-License-Identifier: Apache-2.0
// A size that comes through a call, a loop and an equality.
func.func private @rows(%x: tensor<?x?xf32>) -> tensor<i32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  return %n : tensor<i32>
}
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %k: tensor<i32>) -> tensor<?xf32> {
  %unused = stablehlo.tanh %a : tensor<?x?xf32>
  %sum = stablehlo.add %a, %b : tensor<?x?xf32>
  %n = call @rows(%b) : (tensor<?x?xf32>) -> tensor<i32>
  %0:2 = stablehlo.while(%i = %k, %m = %n) : tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.add %i, %i : tensor<i32>
      stablehlo.return %j, %m : tensor<i32>, tensor<i32>
    }
  %two = stablehlo.constant dense<2> : tensor<i32>
  %s = stablehlo.multiply %0#1, %two : tensor<i32>
  %v = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.dynamic_broadcast_in_dim %z, %v, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
