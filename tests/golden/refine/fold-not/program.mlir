// SPDX-License-Identifier: Apache-2.0
// What --cleanup must not compute: a division by zero, sizes and values that a guard only claims,
// what a loop or a branch hands around, and calls that do not agree. What has an effect stays.
func.func @main(%x: tensor<?xf32>, %y: tensor<4xf32>, %n: tensor<i32>) -> (tensor<i32>, tensor<i8>, tensor<i32>, tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %quotient = stablehlo.divide %one, %zero : tensor<i32>
  %large = stablehlo.constant dense<127> : tensor<i8>
  %small = stablehlo.constant dense<1> : tensor<i8>
  %beyond = stablehlo.add %large, %small : tensor<i8>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %same = stablehlo.compare EQ, %n, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%same, %n) {api_version = 2 : i32, error_message = "n is {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %twice = stablehlo.add %n, %n : tensor<i32>
  %end = stablehlo.while(%i = %zero) : tensor<i32> cond {
    %more = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  %c = call @next(%one) : (tensor<i32>) -> tensor<i32>
  %d = call @next(%four) : (tensor<i32>) -> tensor<i32>
  %unused = stablehlo.custom_call @effect(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %dead = stablehlo.add %y, %y : tensor<4xf32>
  %sum = stablehlo.add %x, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %quotient, %beyond, %twice, %same, %end, %c, %d, %sum : tensor<i32>, tensor<i8>, tensor<i32>, tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4xf32>
}
func.func private @next(%i: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %next = stablehlo.add %i, %one : tensor<i32>
  return %next : tensor<i32>
}
func.func private @unused(%i: tensor<i32>) -> tensor<i32> {
  return %i : tensor<i32>
}
