// SPDX-License-Identifier: Apache-2.0
// The map of tie_predicate_affine_eq is any map with one result: its names are its own, and it may divide.
// run: check -v FILE
// has: in a [mod(S2, 3) + ceildiv(S1, 4), S1, S2] f32
func.func @main(%a: tensor<?x?x?xf32, [@S0, @S1, @S2]>) { return }
disc_shape.SymbolDim @S0 {symbolic_shape_graph: @g}
disc_shape.SymbolDim @S1 {symbolic_shape_graph: @g}
disc_shape.SymbolDim @S2 {symbolic_shape_graph: @g}
func @g() {
  %d0 = disc_shape.dim() {ref: @S0} : index
  %d1 = disc_shape.dim() {ref: @S1} : index
  %d2 = disc_shape.dim() {ref: @S2} : index
  disc_shape.tie_predicate_affine_eq(d0, d1, d2) {affine_attr = affine_map<(a)[b] -> (a ceildiv 4 + b mod 3)>}
}
