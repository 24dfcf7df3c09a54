// SPDX-License-Identifier: Apache-2.0
func.func @main(%x: tensor<?x3x4xf32>, %w: tensor<?x4x3xf32>) -> tensor<?x3x3xf32> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x3x4xf32>, tensor<?x4x3xf32>) -> tensor<?x3x3xf32>
  return %0 : tensor<?x3x3xf32>
}
