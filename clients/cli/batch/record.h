// SPDX-License-Identifier: Apache-2.0
// The result of one model: one line of JSON (proto/schema/batch-record.json). Texts of records are malloc'ed.
#ifndef SHAPE_CLI_BATCH_RECORD_H
#define SHAPE_CLI_BATCH_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clients/cli/batch/sha256.h"

typedef enum batch_status {
#define X(name, text, exit) BATCH_##name,
#include "clients/cli/batch/status.def"
#undef X
  BATCH_STATUS_COUNT
} batch_status;

const char *batch_status_name(batch_status status);
int batch_status_exit(batch_status status);
batch_status batch_status_named(const char *name);  // BATCH_STATUS_COUNT: there is none

// What is asked for beside the summary; texts of JSON, NULL: not asked for, or not known.
typedef struct batch_extra {
  const char *peak_bytes, *flops;  // of the entry: a number, or an expression as a string
  int64_t free_dims;               // fixed dims of arguments that could be free; < 0: not known
} batch_extra;

typedef struct batch_record {
  const char *path;
  batch_status status;
  char hash[SHA256_TEXT];  // of what the analysis reads; "": the file could not be read
  const char *options;     // digest of the options that change answers
  const char *format;      // "mlir", "json", "onnx"; NULL: not known
  uint64_t bytes;          // of the file
  const char *message;     // NULL: none
  const char *summary;     // JSON of solver/emit/summary.h; NULL: none
  size_t summary_length;
  batch_extra extra;
  bool external;  // the analysis read other files too, which the hash does not cover
  double ms;      // of the analysis; < 0: not said
} batch_record;

// NULL where there is no memory.
char *record_write(const batch_record *r, size_t *length);
// The same result for another path. NULL where there is no memory.
char *record_with_path(const char *text, size_t length, const char *path, size_t *new_length);

#endif
