// SPDX-License-Identifier: Apache-2.0
// Elements of paddings, which are pairs, are counted row by row.
// run: check FILE
// has: out result 0 [S0, max(S1 + S2 + 6, 0), max(S3 + S4 + 6, 0), 4] f32
// has: element 3 of p
// run: refine --require-static --cleanup --arg-types tensor<2x8x8x3xf32>,tensor<3x3x3x4xf32>,tensor<2x2xi32> --bind p[0]=1 --bind p[1]=1 --bind p[2]=-1 --bind arg2[3]=0 FILE
// has: padding = dense<[[1, 1], [-1, 0]]>
// has: -> tensor<2x8x5x4xf32>
// run: check --refinable FILE
// status: 1
// has: p[1] of @main is not given
func.func @main(%x: tensor<?x8x8x3xf32>, %k: tensor<3x3x3x4xf32>, %p: tensor<2x2xi32>) -> tensor<?x?x?x4xf32> {
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<?x8x8x3xf32>, tensor<3x3x3x4xf32>, tensor<2x2xi32>) -> tensor<?x?x?x4xf32>
  return %0 : tensor<?x?x?x4xf32>
}
