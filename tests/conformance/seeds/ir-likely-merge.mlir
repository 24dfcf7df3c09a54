// SPDX-License-Identifier: Apache-2.0
// Likely values of dims that become equal are those of all that the dim may have, and dims that are made of them have their own.
// run: check FILE
// has: A 2..64 dim 0 of a, declared 1..100, likely 4, 8, 2
// has: 200 is no value that symbol "B" may have: it is not likely
// has: 2*A 8, 16, 4
// run: refine --emit disc-shape FILE
// has: likely_values = array<i64: 8, 16, 4>
func.func @main(%a: tensor<?xf32, [@A]>, %b: tensor<?xf32, [@B]>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %b : (tensor<?xf32, [@A]>, tensor<?xf32, [@B]>) -> tensor<?xf32>
  %1 = stablehlo.concatenate %0, %0, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
disc_shape.SymbolDim @A { likely_values : [4, 8] range list : [[1, 100]] }
disc_shape.SymbolDim @B { likely_values : [8, 2, 200] range list : [[2, 64]] }
