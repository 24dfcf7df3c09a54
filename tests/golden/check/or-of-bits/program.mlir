// SPDX-License-Identifier: Apache-2.0
// Is the length one of forty? The `or` of forty bits that depend on it would have 2^40 parts, written out as a sum.
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %all = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<40xi32>
  %each = stablehlo.iota dim = 0 : tensor<40xi32>
  %same = stablehlo.compare EQ, %all, %each : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %any = stablehlo.reduce(%same init: %no) applies stablehlo.or across dimensions = [0] : (tensor<40xi1>, tensor<i1>) -> tensor<i1>
  return %x : tensor<?xf32>
}
