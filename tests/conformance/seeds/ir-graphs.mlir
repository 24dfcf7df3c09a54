// SPDX-License-Identifier: Apache-2.0
// Each symbol says which function holds its constraints.
// run: explain FILE --that "arg0.0 == arg0.1"
// has: always holds
disc_shape.SymbolicDim @S0 {symbolic_shape_graph: @facts}
disc_shape.SymbolicDim @S1 {symbolic_shape_graph: @facts}
func.func @main(%a: tensor<?x?xf32, [@S0, @S1]>) -> tensor<?x?xf32, [@S0, @S1]> { return %a : tensor<?x?xf32, [@S0, @S1]> }
func @facts() {
  %d0 = disc_shape.dim() {ref: @S0} : index
  %d1 = disc_shape.dim() {ref: @S1} : index
  disc_shape.tie_predicate_eq(d0, d1)
  return
}
