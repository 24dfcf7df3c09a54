// SPDX-License-Identifier: Apache-2.0
// Two parts of a sequence: an expression as a size, a value as a size, and a product that has to fit.
module {
  func.func @main(%x: tensor<?x?xf32, [@S0, @S1]>, %y: tensor<?x?xf32, [@S2, @S1]>, %n: tensor<i32>) -> tensor<?x4xf32, [@S3, @C4]> {
    "disc_shape.bind_dim"(%n) {name = @S3} : (tensor<i32>) -> ()
    %both = stablehlo.concatenate %x, %y, dim = 0 : (tensor<?x?xf32, [@S0, @S1]>, tensor<?x?xf32, [@S2, @S1]>) -> tensor<?x?xf32, [@S4, @S1]>
    %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %four = stablehlo.constant dense<4> : tensor<1xi32>
    %to = stablehlo.concatenate %n1, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %0 = stablehlo.dynamic_reshape %both, %to : (tensor<?x?xf32, [@S4, @S1]>, tensor<2xi32>) -> tensor<?x4xf32, [@S3, @C4]>
    return %0 : tensor<?x4xf32, [@S3, @C4]>
  }
  "disc_shape.SymbolicDim"() {knownNegativeOne = false, knownNonNegative = true, knownNonSizeOne = false, knownNonSizeZero = false, sym_name = "S0", value = -9223372036854775808 : i64} : () -> ()
  "disc_shape.SymbolicDim"() {knownNegativeOne = false, knownNonNegative = true, knownNonSizeOne = false, knownNonSizeZero = false, sym_name = "S1", value = -9223372036854775808 : i64} : () -> ()
  "disc_shape.SymbolicDim"() {knownNegativeOne = false, knownNonNegative = true, knownNonSizeOne = false, knownNonSizeZero = false, sym_name = "S2", value = -9223372036854775808 : i64} : () -> ()
  "disc_shape.SymbolicDim"() {knownNegativeOne = false, knownNonNegative = false, knownNonSizeOne = false, knownNonSizeZero = false, is_value = true, ranges = array<i64: -2147483648, 2147483647>, sym_name = "S3", value = -9223372036854775808 : i64} : () -> ()
  "disc_shape.SymbolicDim"() {knownNegativeOne = false, knownNonNegative = true, knownNonSizeOne = false, knownNonSizeZero = false, definition = "S0 + S2", sym_name = "S4", value = -9223372036854775808 : i64} : () -> ()
  "disc_shape.SymbolicDim"() {knownNegativeOne = false, knownNonNegative = true, knownNonSizeOne = true, knownNonSizeZero = true, definition = "4", sym_name = "C4", value = 4 : i64} : () -> ()
  func.func @shape_constraint_graph() {
    %0 = "disc_shape.dim"() {name = @S0} : () -> index
    %1 = "disc_shape.dim"() {name = @S1} : () -> index
    %2 = arith.muli %0, %1 : index
    %3 = "disc_shape.dim"() {name = @S2} : () -> index
    %4 = arith.muli %1, %3 : index
    %5 = arith.addi %2, %4 : index
    %6 = arith.constant 4 : index
    %7 = "disc_shape.dim"() {name = @S3} : () -> index
    %8 = arith.muli %6, %7 : index
    "disc_shape.tie_predicate_eq"(%5, %8) {guard} : (index, index) -> ()
    %9 = arith.constant 0 : index
    "disc_shape.tie_predicate_le"(%9, %7) : (index, index) -> ()
    return
  }
}
