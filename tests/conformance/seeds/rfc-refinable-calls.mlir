// SPDX-License-Identifier: Apache-2.0
// A function that is called with several shapes is refinable; one that nothing calls does not count.
// run: check --refinable FILE
// has: ok
// run: refine --require-static --arg-types tensor<2xf32>,tensor<0xf32> FILE
// has: -> (tensor<2xi32>, tensor<0xi32>)
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %0 = call @f(%x) : (tensor<?xf32>) -> tensor<?xi32>
  %1 = call @f(%y) : (tensor<?xf32>) -> tensor<?xi32>
  return %0, %1 : tensor<?xi32>, tensor<?xi32>
}
func.func private @f(%x: tensor<?xf32>) -> tensor<?xi32> {
  %d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %s = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func private @unused(%s: tensor<1xi32>) -> tensor<?xi32> {
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
