// SPDX-License-Identifier: Apache-2.0
// What operations require of shapes and operands whose rank is not known is left unchecked.
func.func @main(%y: tensor<*xf32>, %z: tensor<*xf32>, %a: !shape.shape, %b: !shape.shape) -> tensor<*xf32> {
  %w = shape.cstr_broadcastable %a, %b : !shape.shape, !shape.shape
  %v = shape.cstr_eq %a, %b : !shape.shape, !shape.shape
  %1 = stablehlo.abs %y : tensor<*xf32>
  %2 = stablehlo.add %1, %z : tensor<*xf32>
  %3 = stablehlo.slice %z [0:2, 1:3] : (tensor<*xf32>) -> tensor<2x2xf32>
  return %2 : tensor<*xf32>
}
