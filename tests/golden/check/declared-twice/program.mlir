// A name that two rows declare is what the last one says: the range of the first does not stay beside it.
module {
  func.func @main(%x: tensor<?xf32, [@S0]>, %y: tensor<?xf32, [@S1]>) -> tensor<?xf32, [@S1]> {
    %z = stablehlo.add %x, %y : (tensor<?xf32, [@S0]>, tensor<?xf32, [@S1]>) -> tensor<?xf32, [@S1]>
    return %z : tensor<?xf32, [@S1]>
  }
  "disc_shape.SymbolicDim"() {knownNegativeOne = false, knownNonNegative = true, knownNonSizeOne = false, knownNonSizeZero = true, sym_name = "S1", value = 1 : i64} : () -> ()
  "disc_shape.SymbolicDim"() {knownNegativeOne = false, knownNonNegative = true, knownNonSizeOne = true, knownNonSizeZero = true, sym_name = "S1", value = -9223372036854775808 : i64} : () -> ()
}
