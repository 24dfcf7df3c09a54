// SPDX-License-Identifier: Apache-2.0
// dynamic_top_k, a custom call, becomes its static operation where its operands are known; k is at most the last dim.
// run: refine --cleanup --require-static --arg-types tensor<3x9xf32> FILE
// has: "chlo.top_k"(%x) {k = 3 : i64} : (tensor<3x9xf32>) -> (tensor<3x3xf32>, tensor<3x3xi32>)
// not: custom_call
// run: refine --require-static --arg-types tensor<9x3xf32> FILE
// status: 1
// has: the last axis must have at least k elements
// run: check FILE
// has: S0 <= S1
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %k = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %r:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<?x?xf32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<?x?xi32>
}
