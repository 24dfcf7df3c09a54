// SPDX-License-Identifier: Apache-2.0
// Which values of a program are constants whatever its input: integers computed from constants, from dims that the
// types fix, and from arguments that the caller fixes. Unlike the solver's facts these hold without any guard, so an
// operation may be replaced by what it computes without losing a check. tracked.h finds them.
#ifndef SHAPE_TRANSFORM_CONSTANTS_H
#define SHAPE_TRANSFORM_CONSTANTS_H

#include "solver/graph/graph.h"

enum { CONSTANT_MAX = 1024 };  // elements of a value that is followed

typedef struct constant_value {
  const int64_t *items;  // row-major; unsigned types as they count; NULL: varies, or not seen
  uint32_t count;
  bool varies;
} constant_value;

typedef struct fixed_argument {
  value_id value;
  const int64_t *items;  // all its elements
  uint32_t count;
} fixed_argument;

// Number of elements of a static tensor (or scalar) of integers; false where it is none or has too many.
bool constant_count(const shape_graph *graph, type_id type, uint32_t *count);

#endif
