// SPDX-License-Identifier: Apache-2.0
// Passes on dims of the entry function, each by itself.
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?xf32>, %z: tensor<?x1xf32>) -> (tensor<?x4xf32>, index, tensor<2xindex>, index) {
  %c0 = arith.constant 0 : index
  %t = stablehlo.tanh %x : tensor<?x4xf32>
  %d = tensor.dim %t, %c0 : tensor<?x4xf32>
  %e = tensor.dim %x, %c0 : tensor<?x4xf32>
  %k = stablehlo.concatenate %t, %x, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %s = shape.shape_of %k : tensor<?x4xf32> -> tensor<2xindex>
  %sy = shape.shape_of %y : tensor<?xf32> -> tensor<1xindex>
  %c4 = shape.const_shape [4] : tensor<1xindex>
  %sb = shape.broadcast %s, %c4 : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
  %n = shape.num_elements %s : tensor<2xindex> -> index
  %sum = arith.addi %d, %e : index
  %b = stablehlo.dynamic_broadcast_in_dim %z, %s, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  return %b, %sum, %sb, %n : tensor<?x4xf32>, index, tensor<2xindex>, index
}
