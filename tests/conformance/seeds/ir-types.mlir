// SPDX-License-Identifier: Apache-2.0
// Symbols in types say which dims are one.
// run: explain FILE --that "arg0.0 == arg1.0"
// has: always holds
"disc_shape.SymbolicDim"() {sym_name = "S0"} : () -> ()
func.func @main(%a: tensor<?xf32, [@S0]>, %b: tensor<?xf32, [@S0]>) { return }
