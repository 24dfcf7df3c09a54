"disc_shape.SymbolicDim"() {knownNegativeOne = false, knownNonNegative = false, knownNonSizeOne = false, knownNonSizeZero = false, is_value = true, sym_name = "S0", value = -9223372036854775808 : i64} : () -> ()
func.func @main(%n: index) -> index {
  "disc_shape.bind_dim"(%n) {name = @S0} : (index) -> ()
  %0 = util.assume.int %n<udiv = 24> : index
  return %0 : index
}
func.func @shape_constraint_graph() {
  %0 = "disc_shape.dim"() {name = @S0} : () -> index
  %1 = arith.constant 24 : index
  "disc_shape.tie_predicate_divisible"(%0, %1) {guard} : (index, index) -> ()
  %2 = arith.constant 9223372036854775800 : index
  "disc_shape.tie_predicate_le"(%0, %2) : (index, index) -> ()
  %3 = arith.constant -9223372036854775800 : index
  "disc_shape.tie_predicate_le"(%3, %0) : (index, index) -> ()
  return
}
