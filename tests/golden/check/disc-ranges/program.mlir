// SPDX-License-Identifier: Apache-2.0
// Nested ranges, one that is inverted, an attribute that is not known, and flags that contradict a value.
"disc_shape.SymbolicDim"() {sym_name = "S0", ranges = [[[1, 4]], [[8, 8]]]} : () -> ()
"disc_shape.SymbolicDim"() {sym_name = "S1", ranges = array<i64: 5, 4>, likely_values = [3]} : () -> ()
"disc_shape.SymbolicDim"() {sym_name = "S2", foo = 3, range_list = [[1, 4], [3, 8], [16, 16]]} : () -> ()
"disc_shape.SymbolDim"() {sym_name = "S3", value = 1 : i64, knownNonSizeOne} : () -> ()
"disc_shape.SymbolDim"() {sym_name = "S4", divisible_by = 0 : i64, likely_values = "x"} : () -> ()
func.func @main(%a: tensor<?x?xf32, [@S0, @S1]>) { return }
