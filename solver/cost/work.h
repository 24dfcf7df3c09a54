// SPDX-License-Identifier: Apache-2.0
// What one operation computes and moves, as expressions over the dims of the entry's arguments: rows of work.def.
//
// An operation counts in `flops` if an operand or a result is floating-point or complex, else in `int_ops`.
// Transcendental functions are counted apart, whatever the type. `moved` is the bytes of its operands, one that is used twice
// twice, and of its results. Sources: XLA's HloCostAnalysis (elementwise 1, transcendentals apart, reads of slices), with
// the differences that PROTOCOL.md lists under `cost`.
//
// Control flow and calls have no row: cost.c adds up what they run, by op_row.structure.
#ifndef SHAPE_COST_WORK_H
#define SHAPE_COST_WORK_H

#include "solver/ops/registry.h"
#include "solver/cost/sizes.h"

// n is the count of the row.
typedef enum work_kind {
  WORK_NOTHING,         // moves no bytes: shape queries, assertions, what ends a region
  WORK_CONSTANT,        // the same; its results are live throughout
  WORK_MOVE,            // reads its operands and writes its results
  WORK_SLICE,           // reads as much of its first operand as it writes
  WORK_ELEMENT,         // n per element of the result
  WORK_VARIADIC,        // operands + n per element of the result
  WORK_TRANSCENDENTAL,  // n per element of the result, of that kind
  WORK_PER_ELEMENT,     // n per element of the first operand
  WORK_SOFTMAX,         // the same, and one transcendental
  WORK_DOT,             // 2 * result * the last dim of the left operand (vectors and matrices)
  WORK_DOT_GENERAL,     // 2 * result * the contracting dims
  WORK_MATMUL,          // of ONNX: 2 * result * the last dim of the left operand
  WORK_GEMM,            // 2*M*N*K, and one per element with C
  WORK_CONVOLUTION,     // 2 * result * elements of the kernel / its output features
  WORK_CONV,            // of ONNX: the same, and one per element with a bias
  WORK_CONV_TRANSPOSE,  // 2 * input * elements of the kernel / input features
  WORK_REDUCE,          // the body, per element of the input
  WORK_REDUCE_NODE,     // of ONNX: one per element of the input, n per element of the result
  WORK_REDUCE_WINDOW,   // the body, per element of the result and of the window
  WORK_POOL,            // of ONNX: one per element of the result and of the window
  WORK_SCATTER,         // the body, per element of the updates
  WORK_MAP              // the body, per element of the result
} work_kind;

typedef struct work_row {
  const char *name;
  work_kind kind;
  int8_t count;
} work_row;

// Each TERM_NONE where it is not known.
typedef struct op_work {
  term_id flops, transcendentals, int_ops, moved;
} op_work;

static inline op_work work_none(void) {
  return (op_work){TERM_ZERO, TERM_ZERO, TERM_ZERO, TERM_ZERO};
}
op_work work_add(term_table *t, op_work a, op_work b);
// The same of many.
typedef struct work_sum {
  size_sum flops, transcendentals, int_ops, moved;
} work_sum;
void work_sum_add(term_table *t, work_sum *sum, op_work part);
op_work work_sum_total(term_table *t, const work_sum *sum);
op_work work_max(shape_report *report, op_work a, op_work b);

// The row of an operation; NULL: there is none. O(log rows).
const work_row *work_row_of(const shape_graph *graph, op_id op);
// row: NULL: nothing is counted but what it moves. O(operands + results + operations of its body).
op_work work_of_op(frame_sizes *f, op_id op, const work_row *row);

#endif
