// SPDX-License-Identifier: Apache-2.0
// A broadcast that changes nothing, a constraint and an assertion that are proven go; what is not proven stays.
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %s = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
  %b = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %t = stablehlo.tanh %b : tensor<?x4xf32>
  %st = shape.shape_of %t : tensor<?x4xf32> -> tensor<2xindex>
  %w = shape.cstr_broadcastable %s, %st : tensor<2xindex>, tensor<2xindex>
  %r = shape.assuming %w -> (tensor<?x4xf32>) {
    %a = stablehlo.add %t, %x : tensor<?x4xf32>
    shape.assuming_yield %a : tensor<?x4xf32>
  }
  %sy = shape.shape_of %y : tensor<?xf32> -> tensor<1xindex>
  %w2 = shape.cstr_broadcastable %s, %sy : tensor<2xindex>, tensor<1xindex>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?x4xf32>
  %e = tensor.dim %x, %c0 : tensor<?x4xf32>
  %p = arith.cmpi eq, %d, %e : index
  cf.assert %p, "same"
  return %r, %y : tensor<?x4xf32>, tensor<?xf32>
}
