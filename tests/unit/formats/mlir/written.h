// SPDX-License-Identifier: Apache-2.0
// Tables of programs and their generic form, which is read again as the same graph.
#ifndef SHAPE_TESTS_UNIT_FORMATS_MLIR_WRITTEN_H
#define SHAPE_TESTS_UNIT_FORMATS_MLIR_WRITTEN_H

#include <string.h>

#include "solver/shape.h"
#include "tests/unit/api/taken.h"
#include "tests/unit/formats/mlir/rows.h"

typedef struct written_row {
  const char *text, *generic;
} written_row;

static inline void expect_written(const written_row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    taken out = {{0}, 0};
    shape_emit_options options = SHAPE_STRUCT(shape_emit_options);
    options.generic = true;
    shape_program *p = shape_program_new(NULL);
    cr_assert_eq(shape_program_load(p, rows[i].text, strlen(rows[i].text), NULL), SHAPE_OK);
    shape_analysis *a = shape_program_analyze(p, NULL);
    cr_assert_eq(shape_analysis_emit_with(a, "mlir", &options, take, &out), SHAPE_OK);
    cr_expect_str_eq(out.data, rows[i].generic);
    shape_analysis_free(a);
    shape_program_free(p);
    expect_reads(out.data);
  }
}

#define EXPECT_WRITTEN(rows) expect_written((rows), sizeof(rows) / sizeof *(rows))

#endif
