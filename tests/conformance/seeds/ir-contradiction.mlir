// SPDX-License-Identifier: Apache-2.0
// A symbol that no number fulfils is an error.
// run: check FILE
// status: 1
"disc_shape.SymbolicDim"() {sym_name = "S0", ranges = [[5, 7]], divisible_by = 4 : i64} : () -> ()
func.func @main(%a: tensor<?xf32, [@S0]>) { return }
