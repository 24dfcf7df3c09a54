// SPDX-License-Identifier: Apache-2.0
// Ranges may be lists of pairs, nested lists, or one list; several of them meet.
// run: check FILE --json
// has: [[1, 2], [4, 8]]
// has: [[1, 2], [4, 8], [16, 32]]
// has: [[2, 2], [4, 5]]
func.func @main(%a: tensor<?x?x?xf32, [@A, @B, @D]>) { return }
disc_shape.SymbolDim @A { ranges = [[1, 2], [4, 8]] }
disc_shape.SymbolDim @B { range_list = [[[1, 2], [4, 8]], [[16, 32]]] }
disc_shape.SymbolDim @D { ranges = array<i64: 1, 2, 4, 8>, range list : [[2, 5]] }
