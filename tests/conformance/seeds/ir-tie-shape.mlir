// SPDX-License-Identifier: Apache-2.0
// tie_shape binds dims of a value to numbers.
// run: check FILE
// has: [S0, S0]
func.func @main(%a: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %r = disc_shape.tie_shape(%a, %n, %n) : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
