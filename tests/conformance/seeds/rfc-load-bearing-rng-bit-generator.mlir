// SPDX-License-Identifier: Apache-2.0
// A dynamic result of rng_bit_generator does not say what the operation makes.
// run: check FILE
// status: 1
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<?xui32>) {
  %0:2 = "stablehlo.rng_bit_generator"(%s) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<?xui32>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<?xui32>
}
