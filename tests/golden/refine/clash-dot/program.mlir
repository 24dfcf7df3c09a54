// SPDX-License-Identifier: Apache-2.0
func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
