// SPDX-License-Identifier: Apache-2.0
// @Below is below 0, @Between lies between two multiples of 4. @Value may be below 0; @Above may be 8 and no other.
module {
  func.func @main(%x: tensor<?x?x?xf32, [@Below, @Between, @Above]>) -> tensor<?x?x?xf32> {
    %0 = stablehlo.negate %x : (tensor<?x?x?xf32, [@Below, @Between, @Above]>) -> tensor<?x?x?xf32>
    return %0 : tensor<?x?x?xf32>
  }
  "disc_shape.SymbolicDim"() {sym_name = "Below", value = -5 : i64} : () -> ()
  "disc_shape.SymbolicDim"() {sym_name = "Between", ranges = [5, 7], divisible_by = 4 : i64} : () -> ()
  "disc_shape.SymbolicDim"() {sym_name = "Value", value = -5 : i64, is_value = true} : () -> ()
  "disc_shape.SymbolicDim"() {sym_name = "Above", ranges = [-9, 7, 8, 11], divisible_by = 8 : i64} : () -> ()
}
