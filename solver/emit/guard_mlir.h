// SPDX-License-Identifier: Apache-2.0
// What the writers of checks in MLIR share: the walk over the checks is of guard_mlir.c, an instruction is of a dialect.
//
// A result is a number: %<prefix><number>. Integers and truth values are what the dialect makes of i64 and i1.
#ifndef SHAPE_EMIT_GUARD_MLIR_H
#define SHAPE_EMIT_GUARD_MLIR_H

#include "solver/emit/guard_code.h"
#include "solver/emit/instructions.h"

typedef enum guard_op {
  GUARD_ADD,
  GUARD_SUB,
  GUARD_MUL,
  GUARD_DIV,  // toward 0
  GUARD_REM,  // with the sign of the dividend
  GUARD_MIN,
  GUARD_AND,  // of truth values, as the next two
  GUARD_OR,
  GUARD_XOR
} guard_op;

typedef struct guard_mlir guard_mlir;

// How instructions are spelled. Each function writes what is needed and returns the number of the result.
typedef struct guard_dialect {
  uint32_t (*constant)(guard_mlir *w, int64_t value);
  uint32_t (*binary)(guard_mlir *w, guard_op op, uint32_t a, uint32_t b);
  uint32_t (*compare)(guard_mlir *w, relation rel, uint32_t a, uint32_t b);  // not DIVISIBLE
  uint32_t (*choose)(guard_mlir *w, uint32_t test, uint32_t yes, uint32_t no);
  uint32_t (*truth)(guard_mlir *w, uint32_t test);  // 1 or 0
  // An element of an integer argument, a dim. `name` is that of the argument, `type` its spelling.
  uint32_t (*element)(guard_mlir *w, check_operand p, const char *name, const char *type);
  uint32_t (*dim)(guard_mlir *w, check_operand p, const char *name, const char *type);
  // Whether an i64 holds what the argument gives, and the dialect has an operation that takes it.
  bool (*readable)(const graph_type *type, bool value);
  void (*check)(guard_mlir *w, uint32_t test, const char *message);
  uint32_t dim_bits;  // of the largest dim that `dim` gives
} guard_dialect;

struct guard_mlir {
  const guard_dialect *dialect;
  const char *prefix_of_ops;  // "stablehlo" or "mhlo"
  shape_report *report;
  const shape_graph *graph;
  const report_checks *checks;
  term_table *terms;
  shape_strbuf *out;
  report_text indent;
  const char *line_end;
  bool own_text;          // the function is written whole: arguments are %arg0, %arg1, ...
  char prefix[32];        // of new names
  uint32_t next;          // number of the next
  instructions computed;  // the terms so far
  shape_imap operands;    // check_operand -> number
  shape_imap bits;        // number -> how large it may be: see magnitude
  shape_imap fits;        // number -> that of the test that its products did not wrap
  shape_imap asserted;    // numbers of such tests that are asserted already
  bool *readable;         // by binding: see find_readable
};

// "%guard4 = " and what follows; returns 4.
uint32_t guard_line(guard_mlir *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
const graph_type *guard_argument_type(const guard_mlir *w, uint32_t argument);
// Elements are read of scalars, vectors, and matrices whose rows have a length.
static inline bool guard_has_elements(const graph_type *type) {
  return type->rank < 2 || (type->rank == 2 && type->dims[1] > 0);
}
// Row and column of an element, which are counted in row-major order; row 0 of a vector.
static inline uint32_t guard_position(const graph_type *type, uint32_t element, uint32_t *row) {
  uint32_t length = type->rank == 2 ? (uint32_t)type->dims[1] : UINT32_MAX;
  assert(length);
  *row = element / length;
  return element % length;
}

extern const guard_dialect GUARD_HLO;  // StableHLO or MHLO on tensor<i64>, asserted by custom calls
extern const guard_dialect GUARD_ARITH;  // arith, tensor and memref on i64, asserted by cf.assert

#endif
