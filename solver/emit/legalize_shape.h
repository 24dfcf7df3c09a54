// SPDX-License-Identifier: Apache-2.0
// The shape dialect in StableHLO, arith and tensor: !shape.size becomes index, !shape.shape a tensor of indices, a witness
// an assertion where it is made, and what runs under one is written instead of its region. shape.reduce is a loop of scf.
//
// How many extents a shape has is taken from types and from how it is made, never from facts: what was required of it is
// still required. A broadcast that the rules prove makes no assertion.
#ifndef SHAPE_EMIT_LEGALIZE_SHAPE_H
#define SHAPE_EMIT_LEGALIZE_SHAPE_H

#include "solver/emit/legalize_forms.h"

void legalize_shape_init(legalize_shape *l, dims *d);
// Edits of one function; of one with operations of unknown syntax, where every value keeps its name and type. O(operations + what is written).
void legalize_shape_function(legalize_shape *l, func_id func, bool understood);
// After all functions: the first operation that keeps something of the shape dialect, and why; ID_NONE: none does.
op_id legalize_shape_end(legalize_shape *l, const char **why);

#endif
