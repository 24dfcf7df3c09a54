// SPDX-License-Identifier: Apache-2.0
// After shape-legalize-to-stablehlo no operation of the shape dialect is left, and the program says what it said.
// run: refine --passes shape-legalize-to-stablehlo FILE
// has: stablehlo.get_dimension_size %x, dim = 0
// has: stablehlo.custom_call @shape_assertion
// not: shape.shape_of
// not: shape.broadcast
// run: refine --passes stablehlo-refine-arguments,stablehlo-shape-legalize-to-stablehlo,refine-shapes,canonicalize-dynamism,cleanup --arg-types tensor<3x4xf32>,tensor<1x4xf32> FILE
// has: -> tensor<3x4xf32>
// not: dynamic_broadcast_in_dim
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %a = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
  %b = shape.shape_of %y : tensor<?x4xf32> -> tensor<2xindex>
  %c = shape.broadcast %a, %b : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
  %l = stablehlo.dynamic_broadcast_in_dim %x, %c, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %r = stablehlo.dynamic_broadcast_in_dim %y, %c, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %0 = stablehlo.add %l, %r : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
