// SPDX-License-Identifier: Apache-2.0
// Constraints that involve an unknown size are deferred: all eight additions are valid.
// run: check FILE
// has: ok
// has: in a [1] f32
// run: check FILE --arg-types tensor<2xf32>,tensor<1xf32>
// status: 1
func.func @main(%a: tensor<?xf32>, %b: tensor<1xf32>) {
  %0 = "stablehlo.add"(%a, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = "stablehlo.add"(%a, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<1xf32>
  %2 = "stablehlo.add"(%a, %b) : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %3 = "stablehlo.add"(%a, %b) : (tensor<?xf32>, tensor<1xf32>) -> tensor<1xf32>
  %4 = "stablehlo.add"(%b, %a) : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  %5 = "stablehlo.add"(%b, %a) : (tensor<1xf32>, tensor<?xf32>) -> tensor<1xf32>
  %6 = "stablehlo.add"(%b, %b) : (tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
  %7 = "stablehlo.add"(%b, %b) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}
