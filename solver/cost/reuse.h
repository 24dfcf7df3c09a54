// SPDX-License-Identifier: Apache-2.0
// Which values can share a buffer, whatever the dims are: buffers of one size class, for values that are never live at the
// same time. Two values are of one class where their bytes are equal at all legal points (one term in answer form).
//
// Intervals are numbers of operations: from the operation that makes a value to the end of the last one that uses it, its
// regions included. Assignment is a scan in program order that takes a free buffer of the class, if there is one; in
// each class it needs as many buffers as are ever live at once. Arguments, constants and results of called functions' own
// operations are not assigned. Cost: O(operations + values).
#ifndef SHAPE_COST_REUSE_H
#define SHAPE_COST_REUSE_H

#include "solver/cost/cost.h"

typedef struct reuse_buffer {
  term_id bytes;
  value_id *values;
  uint32_t count, capacity;
} reuse_buffer;

typedef struct reuse_answer {
  reuse_buffer *buffers;
  uint32_t count, capacity;
  term_id bytes;     // of all buffers
  uint32_t unknown;  // values whose bytes are not known: they have none
} reuse_answer;

reuse_answer *reuse_make(const cost_answer *answer, const cost_function *function);

// An operation that could write its result over an operand: element by element, as many bytes, and nothing uses the operand
// later.
typedef struct overwrite {
  op_id op;
  value_id operand;
  term_id bytes;
} overwrite;

// Those of the operations at the peak. Returns how many; in the arena of the report.
uint32_t reuse_overwrites(const cost_answer *answer, const cost_function *function,
                          overwrite **out);

#endif
