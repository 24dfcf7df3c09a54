// SPDX-License-Identifier: Apache-2.0
// Arguments of a function by name, as callers say them: "arg2.1" is dim 1 of argument 2 and "arg2[1]" its element 1,
// "arg2" the element of a scalar; with the names of the source as well, "mask.1", "%mask.1" and "n".
#ifndef SHAPE_GRAPH_ARGUMENT_NAME_H
#define SHAPE_GRAPH_ARGUMENT_NAME_H

#include "solver/graph/graph.h"

typedef struct argument_name {
  uint32_t argument, index;  // of the dim or the element
  bool element;
  bool whole;  // the name alone: element 0
} argument_name;

// The values that the names are of: those of `values`, or where that is NULL the ones from `first` on.
typedef struct argument_list {
  const value_id *values;
  value_id first;
  uint32_t count;
} argument_list;

// argK counts also where the source has such a name for another argument. The longest name of the source counts; one
// that two arguments have is none. O(arguments).
bool argument_name_find(const shape_graph *graph, argument_list arguments, const char *name,
                        size_t length, argument_name *out);
// The name that the source gives an argument; NULL: none, one that is taken for another's position, or
// that an expression cannot hold without quotes.
const char *argument_name_of(const shape_graph *graph, argument_list arguments, uint32_t argument,
                             uint32_t *length);

#endif
