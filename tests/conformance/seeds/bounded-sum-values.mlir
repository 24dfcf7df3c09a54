// SPDX-License-Identifier: Apache-2.0
// Of [1, 2, 3, 4] the sum is 3 for a size of 2, and 6 for a size of 3.
// run: check --bind arg0[0]=1 --bind arg0[1]=2 --bind arg0[2]=3 --bind arg0[3]=4 --bind arg1=2 FILE
// has: out result 0 [] i32 = 3
// run: check --bind arg0[0]=1 --bind arg0[1]=2 --bind arg0[2]=3 --bind arg0[3]=4 --bind arg1=3 FILE
// has: out result 0 [] i32 = 6
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
