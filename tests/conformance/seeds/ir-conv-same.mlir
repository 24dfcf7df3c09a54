// SPDX-License-Identifier: Apache-2.0
// With stride 1 and padding as wide as the kernel a convolution keeps its spatial dims.
// run: check FILE
// has: [S0, S1, S2, 8]
func.func @main(%x: tensor<?x?x?x4xf32>, %k: tensor<3x3x4x8xf32>) -> tensor<?x?x?x8xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x?x4xf32>, tensor<3x3x4x8xf32>) -> tensor<?x?x?x8xf32>
  return %0 : tensor<?x?x?x8xf32>
}
