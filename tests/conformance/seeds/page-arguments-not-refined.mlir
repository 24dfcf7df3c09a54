// SPDX-License-Identifier: Apache-2.0
// Without refine-arguments no argument gets the type that is given: a note says so.
// run: refine --passes refine-shapes,canonicalize-dynamism --arg-types tensor<16xf32> FILE
// has: note: argument 0 stays tensor<?xf32>: only the pass refine-arguments refines it
func.func public @main(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.abs %arg0 : tensor<?xf32>
  return %0 : tensor<?xf32>
}
