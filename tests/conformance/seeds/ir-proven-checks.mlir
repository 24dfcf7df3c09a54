// SPDX-License-Identifier: Apache-2.0
// Broadcasts that change nothing and constraints that are proven are simplified.
// run: refine --cleanup FILE
// has: stablehlo.tanh %x
// has: shape.const_witness true
// not: dynamic_broadcast_in_dim
// not: cf.assert
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
  %b = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %t = stablehlo.tanh %b : tensor<?x4xf32>
  %st = shape.shape_of %t : tensor<?x4xf32> -> tensor<2xindex>
  %w = shape.cstr_broadcastable %s, %st : tensor<2xindex>, tensor<2xindex>
  %r = shape.assuming %w -> (tensor<?x4xf32>) {
    shape.assuming_yield %t : tensor<?x4xf32>
  }
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?x4xf32>
  %e = tensor.dim %x, %c0 : tensor<?x4xf32>
  %p = arith.cmpi eq, %d, %e : index
  cf.assert %p, "same"
  return %r : tensor<?x4xf32>
}
