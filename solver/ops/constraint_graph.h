// SPDX-License-Identifier: Apache-2.0
// The functions in which BladeDISC's shape constraint IR keeps a program's facts: @shape_constraint_graph, and each that
// the `symbolic_shape_graph` of a symbol names (docs/design/shape_constraint_ir.md). They are never called; what they say
// holds for the whole program.
#ifndef SHAPE_OPS_CONSTRAINT_GRAPH_H
#define SHAPE_OPS_CONSTRAINT_GRAPH_H

#include "solver/graph/graph.h"

// For each function whether it is one. In `arena`; O(functions + operations).
const bool *constraint_graphs(const shape_graph *g, shape_arena *arena);

#endif
