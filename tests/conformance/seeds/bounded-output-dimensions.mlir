// SPDX-License-Identifier: Apache-2.0
// The bound of an element of output_dimensions is the bound of the result.
// run: refine --bound arg1=8 FILE
// has: bounds<8>
func.func @main(%x: tensor<f32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
