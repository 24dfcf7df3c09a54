// SPDX-License-Identifier: Apache-2.0
// A size that is given makes set_dimension_size a slice.
// run: refine --bind arg1=2 --cleanup --require-static FILE
// has: stablehlo.slice %data [0:2]
// not: set_dimension_size
func.func @main(%data: tensor<4xi32>, %n: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.set_dimension_size %data, %n, dim = 0 : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = "stablehlo.reduce"(%0, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %add = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %add : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<i32>
  return %sum : tensor<i32>
}
