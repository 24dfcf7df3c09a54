// SPDX-License-Identifier: Apache-2.0
// Each function may have a graph of its own.
// run: check -v FILE
// has: in a [S0, S0] f32
// has: T0 < T1
func.func @f(%a: tensor<?x?xf32, [@S0, @S1]>) { return }
func.func @h(%a: tensor<?x?xf32, [@T0, @T1]>) { return }
disc_shape.SymbolDim @S0 {symbolic_shape_graph: @gf}
disc_shape.SymbolDim @S1 {symbolic_shape_graph: @gf}
disc_shape.SymbolDim @T0 {symbolic_shape_graph: @gh}
disc_shape.SymbolDim @T1 {symbolic_shape_graph: @gh}
func @gf() {
  %d0 = disc_shape.dim() {ref: @S0} : index
  %d1 = disc_shape.dim() {ref: @S1} : index
  disc_shape.tie_predicate_eq(d0, d1)
}
func @gh() {
  %d0 = disc_shape.dim() {ref: @T0} : index
  %d1 = disc_shape.dim() {ref: @T1} : index
  disc_shape.tie_predicate_lt(d0, d1)
}
