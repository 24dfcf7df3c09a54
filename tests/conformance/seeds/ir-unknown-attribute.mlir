// SPDX-License-Identifier: Apache-2.0
// An attribute that is not known gives a note.
// run: check FILE
// has: note: the attribute 'colour'
disc_shape.SymbolDim @S0 {colour = 3}
func.func @main(%a: tensor<?xf32, [@S0]>) { return }
