// SPDX-License-Identifier: Apache-2.0
// Tables of texts that are read as MLIR: what is wrong with each, and where.
#ifndef SHAPE_TESTS_UNIT_FORMATS_MLIR_ROWS_H
#define SHAPE_TESTS_UNIT_FORMATS_MLIR_ROWS_H

#include <criterion/criterion.h>

#include "tests/unit/formats/mlir/reading.h"

typedef struct mlir_row {
  const char *text;
  uint32_t line, column;
  const char *error;  // a part of the first one; NULL: there is none
} mlir_row;

// Two lines of a function with arguments %a, %i and %c.
#define FN(body) "func.func @f(%a: tensor<?x4xf32>, %i: index, %c: i1) {\n  " body "\n  return\n}\n"

static inline void expect_rows(const mlir_row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (rows[i].error) {
      expect_mlir_error(rows[i].text, rows[i].line, rows[i].column, rows[i].error);
    } else {
      expect_reads(rows[i].text);
    }
  }
}

#define EXPECT_ROWS(rows) expect_rows((rows), sizeof(rows) / sizeof *(rows))

#endif
