// SPDX-License-Identifier: Apache-2.0
// Each element of output_dimensions has a bound of its own.
// run: refine --bound arg1[0]=4 --bound arg1[1]=8 FILE
// has: bounds<4, 8>
func.func @main(%x: tensor<f32>, %n: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
