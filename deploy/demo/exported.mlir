// SPDX-License-Identifier: Apache-2.0
// What jax.export writes for a function of x[b, 3*n] with symbolic b and n: the dims come in as "?", n is recomputed
// from them, and custom calls carry the checks. Strides and padding mix into the length of the result.
module @jit_pool attributes {jax.uses_shape_polymorphism = true} {
  func.func public @main(%arg0: tensor<?x?xf32>, %arg1: tensor<?x8xf32>) -> (tensor<?x?xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
    %n = stablehlo.divide %0, %c : tensor<i32>
    %b = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
    %again = stablehlo.multiply %n, %c : tensor<i32>
    %ok = stablehlo.compare EQ, %0, %again, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%ok) {api_version = 2 : i32, error_message = "the length must be a multiple of 3", has_side_effect = true} : (tensor<i1>) -> ()
    %1 = call @pool(%n, %b, %arg0) : (tensor<i32>, tensor<i32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %2 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    %3 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
    %four = stablehlo.constant dense<4> : tensor<1xi32>
    %two = stablehlo.constant dense<2> : tensor<1xi32>
    %4 = stablehlo.multiply %3, %four : tensor<1xi32>
    %5 = stablehlo.concatenate %4, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.dynamic_reshape %2, %5 : (tensor<?x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    return %6 : tensor<?x?xf32>
  }
  func.func private @pool(%n: tensor<i32>, %b: tensor<i32>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%x, %init) <{padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 3>}> ({
    ^bb0(%a: tensor<f32>, %c: tensor<f32>):
      %m = stablehlo.maximum %a, %c : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
}
