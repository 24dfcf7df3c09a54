// SPDX-License-Identifier: Apache-2.0
// A range that ends before it begins is an error.
// run: check FILE
// status: 1
// has: a range ends before it begins
disc_shape.SymbolDim @S0 {range list : [[8, 1]]}
func.func @main(%a: tensor<?xf32, [@S0]>) { return }
