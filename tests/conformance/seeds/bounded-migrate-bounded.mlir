// SPDX-License-Identifier: Apache-2.0
// real_dynamic_slice of a static operand becomes set_dimension_size.
// run: refine --dynamism bounded FILE
// has: stablehlo.set_dimension_size
// not: = stablehlo.real_dynamic_slice
func.func @main(%data: tensor<4xi32>, %n: tensor<i32>) -> tensor<i32> {
  %start = stablehlo.constant dense<0> : tensor<1xi32>
  %limit = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %part = stablehlo.real_dynamic_slice %data, %start, %limit, %one : (tensor<4xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = "stablehlo.reduce"(%part, %zero) ({
   ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  return %sum : tensor<i32>
}
