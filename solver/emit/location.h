// SPDX-License-Identifier: Apache-2.0
// What is at a location of a program: a value, or one size of its type.
#ifndef SHAPE_EMIT_LOCATION_H
#define SHAPE_EMIT_LOCATION_H

#include "solver/formats/mlir/uses.h"

typedef struct source_location {
  value_id value;
  uint32_t axis;     // ID_NONE: the location is none of its dims
  source_span span;  // the name, the size in the type, or the operation
} source_location;

// At a name: that value; in a type: the value of that type, and its size there; elsewhere in an operation: its first
// result, or its first operand where it has none. uses: of mlir_read_uses; empty for other formats. O(program).
bool location_find(const shape_graph *graph, const mlir_uses *uses, uint32_t offset,
                   source_location *out);
// The byte at a line and column, which count from 1; a column counts bytes. False where there is none.
bool location_offset(const shape_graph *graph, uint32_t line, uint32_t column, uint32_t *out);

#endif
