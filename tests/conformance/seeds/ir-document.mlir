// SPDX-License-Identifier: Apache-2.0
// The document's own program: named types, symbols with ranges and likely values, and operands without their sign.
// run: check -v FILE
// has: in 0 [S0, S1] f32
// has: S0 4..16 dim 0 of 0, likely 4, 16
// has: mod(S0, S1) == 0
// not: note
func @main(%0 : tensor<?x?xf32, [@S0, @S1]>, %1 : tensor<?x?xf32, [@S0, @S1]>) -> tensor<?x?xf32, [@S0, @S1]> {
  %2 = mhlo.add(%0, %1) : (tensor<?x?xf32, [@S0, @S1]>, tensor<?x?xf32, [@S0, @S1]>) -> tensor<?x?xf32, [@S0, @S1]>
  return %2 : tensor<?x?xf32, [@S0, @S1]>
}

disc_shape.SymbolDim @S0 {
  range list : [[4, 8], [12, 16]]
  likely_values : [4, 16]
  symbolic_shape_graph: @shape_constraint_graph
}

disc_shape.SymbolDim @S1 {
  range list : [[2, 4]]
  likely_values : [2]
  symbolic_shape_graph: @shape_constraint_graph
}

func @shape_constraint_graph(%unused: index) {
  %0 = disc_shape.dim() {ref: @S0} : index
  %1 = disc_shape.dim() {ref: @S1} : index
  disc_shape.tie_predicate_divisible(d0, d1) // d0 % d1 == 0
}
