// SPDX-License-Identifier: Apache-2.0
// A value that is used in a block in front of its own, which comes first when the program runs.
func.func @main(%a: tensor<?x4xf32>, %c: i1) -> tensor<?x4xf32> {
  cf.br ^bb2
^bb1:
  %y = stablehlo.add %x, %a : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
^bb2:
  %x = stablehlo.abs %a : tensor<?x4xf32>
  cf.br ^bb1
}
