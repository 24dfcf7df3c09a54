// SPDX-License-Identifier: Apache-2.0
// set_dimension_size needs a size of at most the static size, and the result has that bound.
// run: check FILE
// has: 4
// run: check FILE --bind arg1=5
// status: 1
// run: check FILE --bind arg1=3 -v
// has: [3] i32
func.func @main(%data: tensor<4xi32>, %n: tensor<i32>) -> tensor<i32> {
  %part = stablehlo.set_dimension_size %data, %n, dim = 0 : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = "stablehlo.reduce"(%part, %zero) ({
   ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<i32>
  return %sum : tensor<i32>
}
