// SPDX-License-Identifier: Apache-2.0
// Where a program's text writes types, and what each of them is the type of: for those that change types in place.
// What has no row is not to be changed: types of attributes and constants, and operations of unknown syntax.
#ifndef PROTO_MLIR_USES_H
#define PROTO_MLIR_USES_H

#include "solver/graph/graph.h"

typedef enum mlir_use_kind {
  MLIR_USE_VALUE,     // the type of value `subject`
  MLIR_USE_RESULT,    // of result `index` of op `subject`
  MLIR_USE_SAME,      // one type for all operands and results of op `subject`
  MLIR_USE_SELECT,    // `predicate, others` of op `subject`, or the others alone
  MLIR_USE_COMPLEX,   // of the result of op `subject`; its operands are the real parts
  MLIR_USE_FUNCTION,  // the whole type of function `subject`
  MLIR_USE_PINNED     // op `subject` keeps the types of all its operands and results
} mlir_use_kind;

typedef struct mlir_type_use {
  source_span span;
  uint32_t kind;  // mlir_use_kind
  uint32_t subject, index;
} mlir_type_use;

typedef struct mlir_uses {
  mlir_type_use *items;  // in the arena of the graph
  uint32_t count, capacity;
} mlir_uses;

// mlir_read, and *uses is filled; it was all zero. Result types of functions have no rows: graph_func.result_spans.
shape_status mlir_read_uses(shape_graph *graph, mlir_uses *uses);

#endif
