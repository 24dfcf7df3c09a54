// SPDX-License-Identifier: Apache-2.0
// The shape constraint IR as its design document spells it.
func @main(%a: tensor<?x?xf32, [@S0, @S1]>, %b: tensor<?x?xf32, [@S0, @S1]>) -> tensor<?x?xf32, [@S0, @S1]> {
  %0 = mhlo.add(%a, %b) : (tensor<?x?xf32, [@S0, @S1]>, tensor<?x?xf32, [@S0, @S1]>) -> tensor<?x?xf32, [@S0, @S1]>
  return %0 : tensor<?x?xf32, [@S0, @S1]>
}
disc_shape.SymbolDim @S0 {
  range list : [[1, 8], [16, 64]]
  likely_values : [4, 32]
  symbolic_shape_graph: @shape_constraint_graph
}
disc_shape.SymbolDim @S1 {
  range list : [[2, 4]]
  likely_values : [2]
  symbolic_shape_graph: @shape_constraint_graph
}
func @shape_constraint_graph() {
  %d0 = disc_shape.dim() {ref: @S0} : index
  %d1 = disc_shape.dim() {ref: @S1} : index
  disc_shape.tie_predicate_divisible(d0, d1) // d0 % d1 == 0
  disc_shape.tie_predicate_group_mul_eq([d0, d1], [d1, d0])
  disc_shape.tie_predicate_lt(d1, d0)
  return
}
