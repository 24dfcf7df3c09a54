// SPDX-License-Identifier: Apache-2.0
// What one operation computes from constants: the integer operations of which shape computations are made.
#ifndef SHAPE_TRANSFORM_FOLD_H
#define SHAPE_TRANSFORM_FOLD_H

#include "solver/transform/constants.h"

typedef enum fold_outcome {
  FOLD_VARIES,  // no constant, or an operation that is not followed
  FOLD_WAITS,   // an operand was not seen yet
  FOLD_DONE
} fold_outcome;

// Of the first result; operations of which something is known have one.
fold_outcome fold_op(shape_graph *graph, op_id op, const type_id *types,
                     const constant_value *values, constant_value *out);
// Whether a value of the type can be that number.
bool fold_fits(shape_dtype dtype, int64_t value);
// Number of elements of a static tensor (or scalar) of integers; false where it is none or has too many.
bool fold_count(const shape_graph *graph, type_id type, uint32_t *count);

#endif
