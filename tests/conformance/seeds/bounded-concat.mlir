// SPDX-License-Identifier: Apache-2.0
// A concatenation with itself has twice the bound.
// run: check FILE
// has: 2*S0
func.func @main(%x: tensor<?xi32, #stablehlo.bounds<16>>) -> tensor<i32> {
  %0 = "stablehlo.concatenate"(%x, %x) {dimension = 0 : i64} : (tensor<?xi32, #stablehlo.bounds<16>>, tensor<?xi32, #stablehlo.bounds<16>>) -> tensor<?xi32, #stablehlo.bounds<32>>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?xi32, #stablehlo.bounds<32>>) -> tensor<i32>
  return %1 : tensor<i32>
}
