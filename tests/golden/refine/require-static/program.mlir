// SPDX-License-Identifier: Apache-2.0
func.func @main(%x: tensor<?x?xf32> {jax.arg_info = "x"}, %y: tensor<?xf32>) -> (tensor<?x?xf32>) {
  // The callee takes what its two callers agree on.
  %0 = call @twice(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = call @twice(%2) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}
func.func private @twice(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.add %a, %a : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
