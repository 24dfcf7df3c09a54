// SPDX-License-Identifier: Apache-2.0
// @swap is called with two shapes, @twice with three, one of them unknown: each gets what it needs.
module @m attributes {jax.uses = true} {
  func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
    %0 = call @twice(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %1 = call @twice(%y) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %2 = call @twice(%z) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    return %0, %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
  }
  func.func private @twice(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = call @swap(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %1 = stablehlo.composite "lib.swap" %0 {decomposition = @swap} : (tensor<?x?xf32>) -> tensor<?x?xf32>
    return %1 : tensor<?x?xf32>
  }

  func.func private @swap(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>  // rows to columns
    return %0 : tensor<?x?xf32>
  }
}
