// SPDX-License-Identifier: Apache-2.0
// An attribute of a predicate that is not known gives a note.
// run: check FILE
// has: the attribute 'remainder' is not known: what it says is not used
func.func @main(%a: tensor<?x?xf32, [@S0, @S1]>) { return }
disc_shape.SymbolDim @S0 {symbolic_shape_graph: @g}
disc_shape.SymbolDim @S1 {symbolic_shape_graph: @g}
func @g() {
  %d0 = disc_shape.dim() {ref: @S0} : index
  %d1 = disc_shape.dim() {ref: @S1} : index
  disc_shape.tie_predicate_divisible(d0, d1) {remainder = 1 : i64}
}
