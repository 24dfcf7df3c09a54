// SPDX-License-Identifier: Apache-2.0
// A shape mismatch that cannot be decided is left to a check at run time.
// run: check FILE
// has: [S0]
// run: refine --guards python FILE
// has: dim 0 of argument 1 (b) must be a.0
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}
