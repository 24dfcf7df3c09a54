// SPDX-License-Identifier: Apache-2.0
// The program as BladeDISC's shape constraint IR: types with the names of their dims, a SymbolicDim for each name, and
// what is known of them in @shape_constraint_graph. Read again it gives the same answer, also after operations that
// implied a fact were rewritten: facts and guards are on their own there.
//
// What the IR has no word for is written in the same spirit: bind_dim ties a symbol to a dim or an element of a value
// whose type does not name it, tie_predicate holds a predicate as text, the attribute `guard` marks what is to be checked
// at run time, and `unit` is in an encoding where a size has no name. proto/PROTOCOL.md describes them.
//
// Emitting what was emitted gives the same text: names are declared by age and facts are in the order of their texts,
// a symbol that nothing binds has no facts, and types of other modules have no names.
#ifndef SHAPE_EMIT_DISC_SHAPE_H
#define SHAPE_EMIT_DISC_SHAPE_H

#include "solver/transform/types.h"

// Of a program that was read from MLIR and has no errors. Adds symbols to the graph and changes `types`.
void write_disc_shape(shape_report *report, refined_types *types, const mlir_uses *uses,
                      shape_strbuf *out);

#endif
