// SPDX-License-Identifier: Apache-2.0
// BladeDISC's own operation in the generic form, with its attributes in properties.
// run: check FILE
// has: in a [S0, 1] f32
// has: S0 2..
func.func @main(%a: tensor<?x?xf32, [@S0, @S1]>) { return }
"disc_shape.SymbolicDim"() <{knownNegativeOne = false, knownNonNegative = true, knownNonSizeOne = true, knownNonSizeZero = true, sym_name = "S0", value = -9223372036854775808 : i64}> : () -> ()
"disc_shape.SymbolicDim"() {knownNegativeOne = false, knownNonNegative = true, knownNonSizeOne = false, knownNonSizeZero = true, sym_name = "S1", value = -9223372036854775808 : i64} : () -> ()
func.func @shape_constraint_graph() {
  %0 = "disc_shape.dim"() {name = @S0} : () -> index
  %1 = "disc_shape.dim"() {name = @S1} : () -> index
  "disc_shape.tie_product_equal"(%0, %1, %0) {operand_segment_sizes = array<i32: 2, 1>} : (index, index, index) -> ()
  return
}
