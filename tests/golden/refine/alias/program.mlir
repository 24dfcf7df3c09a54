// SPDX-License-Identifier: Apache-2.0
// The alias stays where its type still fits.
!any = tensor<?xf32>
func.func @main(%a: !any, %b: !any, %p: tensor<?xi1>) -> !any {
  %n = stablehlo.constant dense<4> : tensor<1xi32>
  %r = stablehlo.dynamic_reshape %a, %n : (!any, tensor<1xi32>) -> tensor<4xf32>
  %i = stablehlo.optimization_barrier %b : !any
  %s = stablehlo.negate %a : !any  // both are 4
  %c = stablehlo.complex %s, %s : tensor<?xcomplex<f32>>
  %u = "stablehlo.unknown"(%s) : (!any) -> !any
  return %i : !any
}
