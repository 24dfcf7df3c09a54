// SPDX-License-Identifier: Apache-2.0
// dynamic_gather becomes its static operation where its operands are known.
// run: refine --require-static --cleanup --arg-types tensor<6x4xf32> FILE
// has: "stablehlo.gather"
// not: dynamic_
func.func @main(%a: tensor<6x4xf32>) -> tensor<?x?xf32> {
  %i = stablehlo.constant dense<0> : tensor<3x1xi64>
  %c = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  %0 = "stablehlo.dynamic_gather"(%a, %i, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<6x4xf32>, tensor<3x1xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
