// SPDX-License-Identifier: Apache-2.0
// A dim lies in one of several ranges, and has likely values.
// run: check FILE --json
// has: [[1, 8], [16, 32]]
// has: "likely": [4, 32]
// run: check FILE
// has: likely 4, 32
func.func @main(%a: tensor<?x?xf32, [@S0, @S1]>) -> tensor<?x?xf32, [@S0, @S1]> { return %a : tensor<?x?xf32, [@S0, @S1]> }
disc_shape.SymbolDim @S0 {
  range list : [[1, 8], [16, 32]]
  likely_values : [4, 32]
  symbolic_shape_graph: @shape_constraint_graph
}
disc_shape.SymbolDim @S1 {
  range list : [[2, 4]]
  symbolic_shape_graph: @shape_constraint_graph
}
func @shape_constraint_graph() {
  %d0 = disc_shape.dim() {ref: @S0} : index
  %d1 = disc_shape.dim() {ref: @S1} : index
  
  return
}
