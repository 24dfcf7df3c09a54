// SPDX-License-Identifier: Apache-2.0
// The upper and lower bound of a value, and whether it is constant, are known.
// run: explain FILE --that "arg0.0 <= 8"
// has: always holds
// run: check FILE
// has: = 3*S0
// has: = 3
func.func @main(%a: tensor<?xf32, #stablehlo.bounds<8>>) -> (tensor<i32>, tensor<i32>) {
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<i32>
  %c = stablehlo.constant dense<3> : tensor<i32>
  %m = stablehlo.multiply %n, %c : tensor<i32>
  return %m, %c : tensor<i32>, tensor<i32>
}
