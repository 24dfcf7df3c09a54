// SPDX-License-Identifier: Apache-2.0
// The branch that never runs asks for another size: what it uses keeps its type, for a verifier does not ask what runs.
func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %never = stablehlo.constant dense<false> : tensor<i1>
  %c = stablehlo.add %b, %b : tensor<?x4xf32>
  %r = "stablehlo.if"(%never) ({
    %d = stablehlo.constant dense<1.0> : tensor<7x4xf32>
    %e = stablehlo.add %a, %d : (tensor<?x4xf32>, tensor<7x4xf32>) -> tensor<?x4xf32>
    stablehlo.return %z : tensor<f32>
  }, {
    stablehlo.return %z : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}
