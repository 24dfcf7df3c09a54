// SPDX-License-Identifier: Apache-2.0
// The inside of a ShapedAnalysis: a program that was built from a module, and handles both ways.
#ifndef SHAPED_ANALYSIS_H
#define SHAPED_ANALYSIS_H

#include "clients/mlir/shape_mlir.h"
#include "clients/mlir/table.h"

struct ShapedAnalysis {
  MlirModule module;
  shape_program *program;
  shape_analysis *analysis;  // NULL: not imported
  shape_error error;
  shaped_table values;      // MlirValue -> shape_value
  MlirValue *mlir_values;   // by shape_value
  MlirOperation *mlir_ops;  // by shape_op
  MlirOperation *mlir_functions;
  uint32_t value_count, op_count, function_count;
  uint32_t value_capacity, op_capacity, function_capacity;
};

// Builds the program of analysis->module. False: the error is set.
bool shaped_import(ShapedAnalysis *analysis);
bool shaped_fail(ShapedAnalysis *analysis, shape_status status, const char *message);

// Text that MLIR prints in pieces. `failed`: there was no memory.
typedef struct shaped_text {
  char *data;  // ends in 0; NULL: empty
  size_t length, capacity;
  bool failed;
} shaped_text;
void shaped_text_add(MlirStringRef piece, void *text);                // an MlirStringCallback
void shaped_text_write(void *text, const char *data, size_t length);  // a shape_write
void shaped_text_free(shaped_text *text);

// Memory that is given back at once. `failed`: there was none.
typedef struct shaped_pool {
  struct shaped_chunk *chunks;
  size_t used;  // of the first chunk
  bool failed;
} shaped_pool;
// `count` items of `size` bytes, zeroed; NULL where there is no memory, and `failed` is set. count may be 0.
void *shaped_pool_take(shaped_pool *pool, size_t count, size_t size);
const char *shaped_pool_text(shaped_pool *pool, MlirStringRef text);  // ends in 0; NULL as above
void shaped_pool_reset(shaped_pool *pool);  // everything that was taken is gone; one chunk stays
void shaped_pool_free(shaped_pool *pool);

static inline MlirStringRef shaped_string(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

#endif
