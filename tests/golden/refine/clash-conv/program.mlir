// SPDX-License-Identifier: Apache-2.0
func.func @main(%x: tensor<?x8x8x?xf32>, %k: tensor<3x3x?x?xf32>) -> tensor<?x6x6x?xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x8x8x?xf32>, tensor<3x3x?x?xf32>) -> tensor<?x6x6x?xf32>
  return %0 : tensor<?x6x6x?xf32>
}
