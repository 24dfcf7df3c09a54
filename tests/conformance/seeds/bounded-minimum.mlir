// SPDX-License-Identifier: Apache-2.0
// A bound flows through minimum.
// run: check FILE
// has: 0..8
func.func @main(%x: tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<i32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<i32>
  return %0 : tensor<i32>
}
