// SPDX-License-Identifier: Apache-2.0
// What gather and scatter share: which axes of an operand the indices choose, and which axes windows of it become.
#ifndef SHAPE_OPS_RULES_STABLEHLO_INDEXING_H
#define SHAPE_OPS_RULES_STABLEHLO_INDEXING_H

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

// Gather's names in front of scatter's.
typedef struct indexing {
  axis_list window;            // offset_dims, update_window_dims: axes of the result or the updates
  axis_list dropped;           // collapsed_slice_dims, inserted_window_dims: axes of the operand
  axis_list batching;          // operand_batching_dims, input_batching_dims
  axis_list indices_batching;  // start_indices_batching_dims, scatter_indices_batching_dims
  axis_list map;               // start_index_map, scatter_dims_to_operand_dims: axes of the operand
  int64_t vector;              // index_vector_dim: axis of the indices
} indexing;

typedef struct indexing_names {
  const char *dict, *window, *dropped, *batching, *indices_batching, *map;
} indexing_names;

// Reads and checks the numbers. `operand` and `indices` are indices of operands; both get ranks where they follow.
// False after an error, or when a rank is not known.
bool indexing_read(rule_context *c, const indexing_names *names, uint32_t operand, uint32_t indices,
                   indexing *out);
// The axes of the indices without the vector of each index, in order, into dims (room for the rank); their number.
uint32_t indexing_batch_sizes(rule_context *c, const indexing *x, uint32_t indices, term_id *dims);
// Whether an axis of the operand is one of a window's.
static inline bool indexing_keeps(const indexing *x, int64_t axis) {
  return !axis_in(x->dropped, axis) && !axis_in(x->batching, axis);
}

#endif
