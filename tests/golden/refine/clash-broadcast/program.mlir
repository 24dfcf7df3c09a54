// SPDX-License-Identifier: Apache-2.0
// The rows of the matrix are as many as the vector is long.
func.func @main(%v: tensor<?xf32>, %m: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %shape = shape.shape_of %m : tensor<?x?xf32> -> tensor<2xindex>
  %0 = stablehlo.dynamic_broadcast_in_dim %v, %shape, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
