// SPDX-License-Identifier: Apache-2.0
// The operations that a cell may owe its size to: backward from the one that makes it, through cells that hold the same
// term or parts of it, and through what the store says where it took the term for another.
//
// A guess that is nearly always enough, and small: a caller that needs to be sure analyses the program with these operations
// alone, and falls back on slice_widen. Terminators of regions belong to every slice.
#ifndef SHAPE_EMIT_SLICE_H
#define SHAPE_EMIT_SLICE_H

#include "solver/report/cell.h"

typedef struct slice_fact {
  op_id op;
  predicate p;
  reason why;
} slice_fact;

typedef struct op_slice {
  const infer_result *infer;
  uint8_t *in;  // by op_id
  op_id *ops;   // those that are in, in the order in which they came
  uint32_t op_count, op_capacity;
  shape_cell *cells;  // that were followed, the first one first
  uint32_t cell_count, cell_capacity;
  slice_fact *facts;  // of operations: what made two terms equal
  uint32_t fact_count, fact_capacity;
  shape_imap seen;
  const uint8_t *only;  // by op_id: others are not followed; NULL: all are
} op_slice;

// Of the claim that the cell is `size`. Reads the store; everything is in the arena of the graph.
void slice_make(const infer_result *infer, shape_cell cell, term_id size, const uint8_t *only,
                op_slice *out);
// All operations that these depend on in any way, or (all) every operation of the program.
void slice_widen(op_slice *slice, bool all);

#endif
