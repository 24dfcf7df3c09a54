// SPDX-License-Identifier: Apache-2.0
// Declarations of symbols and the function with their facts are no entry, wherever they are: @f is.
"disc_shape.SymbolicDim"() {sym_name = "N", value = -9223372036854775808 : i64} : () -> ()
func.func @shape_constraint_graph() {
  %n = "disc_shape.dim"() {name = @N} : () -> index
  %two = arith.constant 2 : index
  "disc_shape.tie_predicate_divisible"(%n, %two) {guard} : (index, index) -> ()
  return
}
func.func private @f(%x: tensor<?xf32, [@N]>) -> tensor<?xf32, [@N]> {
  %y = stablehlo.abs %x : tensor<?xf32, [@N]>
  return %y : tensor<?xf32, [@N]>
}
