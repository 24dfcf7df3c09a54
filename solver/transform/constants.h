// SPDX-License-Identifier: Apache-2.0
// Which values of a program are constants whatever its input: integers computed from constants, from dims that the
// types fix, and from arguments that the caller fixes. Unlike the solver's facts these hold without any guard, so an
// operation may be replaced by what it computes without losing a check.
//
// Sparse propagation over all functions at once (Wegman and Zadeck 1991, without branches): every value starts as "not
// seen", takes the constants that reach it, and ends as "varies" where two differ. An argument of a function takes what
// all its calls hand over; what a region is handed varies. Arithmetic that leaves its type, or a division by zero, varies.
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
  int64_t item;  // all its elements
} fixed_argument;

// What a loop hands on unchanged is what it was given. tracked: what is known already, by value_id (tracked.h), or NULL.
// types: by value_id, refined. roots: functions that others may call, too, by func_id. In the arena of the graph.
// O(operations) times the depth of calls.
constant_value *constants_of(shape_graph *graph, const type_id *types, const bool *roots,
                             const fixed_argument *fixed, uint32_t fixed_count,
                             const constant_value *tracked);

#endif
