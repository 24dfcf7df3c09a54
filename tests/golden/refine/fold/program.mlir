// SPDX-License-Identifier: Apache-2.0
// What --cleanup computes: each result is a constant.
func.func @main(%x: tensor<3x?xf32>) -> (tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi64>, tensor<2x2xi32>, tensor<2xi32>, tensor<i1>, tensor<0xi32>) {
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<3x?xf32>) -> tensor<i32>
  %a = stablehlo.constant dense<[7, -9]> : tensor<2xi32>
  %b = stablehlo.constant dense<[-2, 4]> : tensor<2xi32>
  %sum = stablehlo.add %a, %b : tensor<2xi32>
  %difference = stablehlo.subtract %a, %b : tensor<2xi32>
  %quotient = stablehlo.divide %a, %b : tensor<2xi32>
  %rest = stablehlo.remainder %a, %b : tensor<2xi32>
  %largest = stablehlo.maximum %a, %b : tensor<2xi32>
  %sign = stablehlo.sign %a : tensor<2xi32>
  %most = stablehlo.abs %a : tensor<2xi32>
  %less = stablehlo.compare LT, %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %chosen = stablehlo.select %less, %a, %b : tensor<2xi1>, tensor<2xi32>
  %low = stablehlo.constant dense<-3> : tensor<i32>
  %high = stablehlo.constant dense<5> : tensor<i32>
  %held = stablehlo.clamp %low, %a, %high : (tensor<i32>, tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  %both = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  %wide = stablehlo.convert %a : (tensor<2xi32>) -> tensor<2xi64>
  %square = stablehlo.reshape %both : (tensor<4xi32>) -> tensor<2x2xi32>
  %every = stablehlo.slice %both [1:4:2] : (tensor<4xi32>) -> tensor<2xi32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %same = stablehlo.compare EQ, %size, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %none = stablehlo.slice %both [2:2] : (tensor<4xi32>) -> tensor<0xi32>
  return %size, %sum, %difference, %quotient, %rest, %largest, %sign, %most, %less, %chosen, %held, %both, %wide, %square, %every, %same, %none : tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi64>, tensor<2x2xi32>, tensor<2xi32>, tensor<i1>, tensor<0xi32>
}
