// SPDX-License-Identifier: Apache-2.0
// dynamic_rng_bit_generator, a custom call, becomes its static operation where its operands are known.
// run: refine --cleanup --require-static --arg-types tensor<5xf32>,tensor<2xui64> FILE
// has: "stablehlo.rng_bit_generator"(%state) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x5xui32>)
// not: custom_call
// run: check --refinable FILE
func.func @main(%x: tensor<?xf32>, %state: tensor<2xui64>) -> tensor<?x?xui32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %shape) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui32>)
  return %r#1 : tensor<?x?xui32>
}
