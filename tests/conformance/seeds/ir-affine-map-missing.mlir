// SPDX-License-Identifier: Apache-2.0
// A tie_predicate_affine_eq without a map says nothing, which is an error.
// run: check FILE
// status: 1
// has: tie_predicate_affine_eq has no affine_attr
func.func @main(%a: tensor<?x?xf32, [@S0, @S1]>) { return }
disc_shape.SymbolDim @S0 {symbolic_shape_graph: @g}
disc_shape.SymbolDim @S1 {symbolic_shape_graph: @g}
func @g() {
  %d0 = disc_shape.dim() {ref: @S0} : index
  %d1 = disc_shape.dim() {ref: @S1} : index
  disc_shape.tie_predicate_affine_eq(d0, d1)
}
