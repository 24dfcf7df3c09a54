// SPDX-License-Identifier: Apache-2.0
// The static program has no dims to refine.
// run: refine --require-static FILE
// has: tensor<4xf32>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0 = stablehlo.add %a, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}
