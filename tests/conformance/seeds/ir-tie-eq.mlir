// SPDX-License-Identifier: Apache-2.0
// tie_predicate_eq says d0 == d1.
// run: explain FILE --that "S0 == S1"
// has: always holds
func.func @main(%a: tensor<?x?xf32, [@S0, @S1]>) -> tensor<?x?xf32, [@S0, @S1]> { return %a : tensor<?x?xf32, [@S0, @S1]> }
"disc_shape.SymbolicDim"() {sym_name = "S0"} : () -> ()
"disc_shape.SymbolicDim"() {sym_name = "S1"} : () -> ()
func @shape_constraint_graph() {
  %d0 = disc_shape.dim() {ref: @S0} : index
  %d1 = disc_shape.dim() {ref: @S1} : index
  disc_shape.tie_predicate_eq(d0, d1)
  return
}
