// SPDX-License-Identifier: Apache-2.0
// A graph of constraints for each function; likely values of dims that are equal are merged.
"disc_shape.SymbolicDim"() {sym_name = "S0", likely_values = [4], symbolic_shape_graph = @of_main} : () -> ()
"disc_shape.SymbolicDim"() {sym_name = "S1", likely_values = [8, 4], symbolic_shape_graph = @of_main} : () -> ()
"disc_shape.SymbolicDim"() {sym_name = "S2", symbolic_shape_graph = @of_other} : () -> ()
func.func @main(%a: tensor<?x?xf32, [@S0, @S1]>) { return }
func.func @other(%a: tensor<?xf32, [@S2]>) { return }
func.func @of_main() {
  %0 = "disc_shape.dim"() {name = @S0} : () -> index
  %1 = "disc_shape.dim"() {name = @S1} : () -> index
  "disc_shape.tie_predicate_eq"(%0, %1) : (index, index) -> ()
  return
}
func.func @of_other() {
  %0 = "disc_shape.dim"() {name = @S0} : () -> index
  %2 = "disc_shape.dim"() {name = @S2} : () -> index
  "disc_shape.tie_predicate_affine_eq"(%0, %2) {affine_attr = affine_map<(d0) -> (d0 ceildiv 2)>} : (index, index) -> ()
  return
}
