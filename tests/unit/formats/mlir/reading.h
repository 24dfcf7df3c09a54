// SPDX-License-Identifier: Apache-2.0
// A text read as MLIR, for tests. Every graph is verified, also those of texts with errors.
#ifndef SHAPE_TESTS_UNIT_FORMATS_MLIR_READING_H
#define SHAPE_TESTS_UNIT_FORMATS_MLIR_READING_H

#include "solver/formats/mlir/mlir.h"

typedef struct reading {
  shape_arena arena;
  shape_graph graph;
  shape_status status;
} reading;

// limit: bytes of the arena, 0 for none.
void reading_init(reading *r, const char *text, size_t length, size_t limit);
void reading_run(reading *r, const char *text, size_t length);  // after arena_init
void reading_of(reading *r, const char *text);
void reading_destroy(reading *r);
const char *reading_dump(reading *r);

// The errors as "line:column: message" lines; "" when there are none. In the arena.
const char *reading_errors(reading *r);

// Fails the test unless the text reads without an error, or with exactly this first error.
void expect_reads(const char *text);
void expect_mlir_error(const char *text, uint32_t line, uint32_t column, const char *part);
// Fails unless both read and give the same graph.
void expect_same(const char *pretty, const char *generic);
// Fails unless the dump of the graph has this text in it.
void expect_dump(const char *text, const char *part);

#endif
