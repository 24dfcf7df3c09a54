// SPDX-License-Identifier: Apache-2.0
// What stands at a place of a program: a value, or one size of its type.
#ifndef SHAPE_EMIT_PLACE_H
#define SHAPE_EMIT_PLACE_H

#include "solver/formats/mlir/uses.h"

typedef struct source_place {
  value_id value;
  uint32_t axis;     // ID_NONE: the place is none of its sizes
  source_span span;  // the name, the size in the type, or the operation
} source_place;

// At a name: that value; in a type: the value of that type, and its size there; elsewhere in an operation: its first
// result, or its first operand where it has none. uses: of mlir_read_uses; empty for other formats. O(program).
bool place_find(const shape_graph *graph, const mlir_uses *uses, uint32_t offset,
                source_place *out);
// The byte at a line and column, which count from 1; a column counts bytes. False where there is none.
bool place_offset(const shape_graph *graph, uint32_t line, uint32_t column, uint32_t *out);

#endif
