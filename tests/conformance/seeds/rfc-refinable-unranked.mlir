// SPDX-License-Identifier: Apache-2.0
// Unranked arguments are refined by concrete types, and so is what is computed from their rank.
// run: check --refinable FILE
// has: ok
// run: refine --require-static --arg-types tensor<2x3xf32>,tensor<2x3xf32> FILE
// has: tensor<2x3xf32>, tensor<2xindex>
// not: ?
func.func @main(%x: tensor<*xf32>, %y: tensor<*xf32>) -> (tensor<*xf32>, tensor<?xindex>) {
  %0 = stablehlo.add %x, %y : tensor<*xf32>
  %s = shape.shape_of %0 : tensor<*xf32> -> tensor<?xindex>
  return %0, %s : tensor<*xf32>, tensor<?xindex>
}
