// SPDX-License-Identifier: Apache-2.0
// Values by what people write:
//
//   %17  %x  x     the value of that name, with or without its %
//   #17            by its identifier
//   12:7           the first result of the innermost operation around line 12, column 7
//   scores         what has this tag: the attribute `shaped.tag` of an operation, where no value has the name
//   @f:%x          the same in function f
//   %{12:7}        any of these, where a predicate needs a name
//
// Then `#2` is the third result from there on, as MLIR writes it, and `.0` its dim of axis 0.
#ifndef SHAPE_GRAPH_ADDRESS_H
#define SHAPE_GRAPH_ADDRESS_H

#include "solver/graph/graph.h"

// Which values there are: sessions keep rows of what was removed. NULL: all.
typedef bool graph_has_value(const void *data, value_id value);

typedef struct graph_address {
  value_id value;
  uint32_t axis;  // ID_NONE: none was given
} graph_address;

// Reads an address. NULL: *out is set; else half a static sentence that says why not. A name that several functions have is
// that of `entry` (ID_NONE: of none). O(values), for locations O(operations), and no memory.
const char *graph_address_read(const shape_graph *g, const char *text, size_t length, func_id entry,
                               graph_has_value *has, const void *data, graph_address *out);
// The operation that makes a value, or that is at a location; ID_NONE: there is none.
op_id graph_address_op(const shape_graph *g, const char *text, size_t length, func_id entry,
                       graph_has_value *has, const void *data);
// The function that a value is in.
func_id graph_value_func(const shape_graph *g, value_id value);
// The innermost operation around a byte; ID_NONE: none begins before it. O(log of operations).
op_id graph_op_at(const shape_graph *g, uint32_t offset);
// The operation that, or whose name, begins where the span does; ID_NONE: none. Also where operations are not in the order
// of the bytes, as nodes of a model. O(operations).
op_id graph_op_of_span(const shape_graph *g, source_span span);

#endif
