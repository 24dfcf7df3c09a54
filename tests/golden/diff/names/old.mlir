// SPDX-License-Identifier: Apache-2.0
// A name that regions beside one another share, and a function that others define.
func.func private @other(tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
func.func @main(%a: tensor<?xf32>, %c: tensor<i1>) -> tensor<?xf32> {
  %r = "stablehlo.if"(%c) ({
    %y = stablehlo.abs %a : tensor<?xf32>
    stablehlo.return %a : tensor<?xf32>
  }, {
    %y = stablehlo.abs %a : tensor<?xf32>
    stablehlo.return %a : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
