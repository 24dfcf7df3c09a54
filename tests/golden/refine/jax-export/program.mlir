// SPDX-License-Identifier: Apache-2.0
// A leading token and a dimension argument, as JAX exports them.
module @jit_f {
  func.func public @main(%t: !stablehlo.token, %b: tensor<i32> {jax.global_constant = "b"}, %x: tensor<?x4xf32>) -> (!stablehlo.token, tensor<?x4xf32>, tensor<?xi32>) {
    %0:3 = call @_wrapped_jax_export_main(%t, %b, %x) : (!stablehlo.token, tensor<i32>, tensor<?x4xf32>) -> (!stablehlo.token, tensor<?x4xf32>, tensor<?xi32>)
    return %0#0, %0#1, %0#2 : !stablehlo.token, tensor<?x4xf32>, tensor<?xi32>
  }
  func.func private @_wrapped_jax_export_main(%t: !stablehlo.token {jax.token = true}, %b: tensor<i32> {jax.global_constant = "b"}, %x: tensor<?x4xf32>) -> (!stablehlo.token {jax.token = true}, tensor<?x4xf32>, tensor<?xi32>) {
    %s = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
    %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    %y = stablehlo.add %x, %x : tensor<?x4xf32>
    return %t, %y, %i : !stablehlo.token, tensor<?x4xf32>, tensor<?xi32>
  }
}
