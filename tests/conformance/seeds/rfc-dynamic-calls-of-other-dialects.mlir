// SPDX-License-Identifier: Apache-2.0
// The custom calls have the same names in CHLO and MHLO, and are read there, too.
// run: refine --require-static --cleanup --arg-types tensor<5xf32>,tensor<2xui64> FILE
// has: {k = 2 : i64} : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi32>)
// has: -> (tensor<2xui64>, tensor<2x0xui32>)
// not: custom_call
func.func @main(%x: tensor<?xf32>, %s: tensor<2xui64>) -> (tensor<?xf32>, tensor<?xi32>, tensor<?x?xui32>) {
  %k = stablehlo.constant dense<2> : tensor<i32>
  %d = stablehlo.constant dense<[2, 0]> : tensor<2xi64>
  %0:2 = stablehlo.custom_call @mhlo.dynamic_top_k(%x, %k) : (tensor<?xf32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
  %1:2 = stablehlo.custom_call @chlo.dynamic_rng_bit_generator(%s, %d) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, tensor<2xi64>) -> (tensor<2xui64>, tensor<?x?xui32>)
  return %0#0, %0#1, %1#1 : tensor<?xf32>, tensor<?xi32>, tensor<?x?xui32>
}
