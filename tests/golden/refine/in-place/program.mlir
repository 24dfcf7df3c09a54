// SPDX-License-Identifier: Apache-2.0
// comment
func.func @main(%a: tensor<?x4xf32>,   %p: tensor<?xi1>, %n: tensor<i32>) -> (tensor<?x?xf32>, tensor<?xf32> {jax.result_info = ""}) {
  %c = stablehlo.constant dense<[2, 8]> : tensor<2xi32>
  %r = stablehlo.dynamic_reshape %a, %c : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>  // keep me
  %s = stablehlo.add %r, %r : tensor<?x?xf32>
  %x = stablehlo.abs %a : tensor<?x4xf32>
  %q, %w = call @f(%s, %p) : (tensor<?x?xf32>, tensor<?xi1>) -> (tensor<?x?xf32>, tensor<?xf32>)
  return %q, %w : tensor<?x?xf32>, tensor<?xf32>
}
func.func private @f(%a: tensor<?x?xf32>, %b: tensor<?xi1>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %z = stablehlo.constant dense<1.0> : tensor<4xf32>
  %y = stablehlo.convert %b : (tensor<?xi1>) -> tensor<?xf32>
  %d = stablehlo.add %z, %y : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  %e = stablehlo.select %b, %y, %d : tensor<?xi1>, tensor<?xf32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %k:2 = stablehlo.while(%ia = %i, %xa = %e) : tensor<i32>, tensor<?xf32> cond {
    %l = stablehlo.compare LT, %ia, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  } do {
    stablehlo.return %ia, %xa : tensor<i32>, tensor<?xf32>
  }
  return %a, %k#1 : tensor<?x?xf32>, tensor<?xf32>
}
