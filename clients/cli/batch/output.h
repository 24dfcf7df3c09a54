// SPDX-License-Identifier: Apache-2.0
// Where results go when a batch is done. Each form is a row of a table: begin, add one record, end. Records come in order
// of their paths.
#ifndef SHAPE_CLI_BATCH_OUTPUT_H
#define SHAPE_CLI_BATCH_OUTPUT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "clients/cli/batch/journal.h"

typedef struct output {
  const char *path;
  FILE *file;          // NULL for a database
  void *state;         // of the form
  const char *manual;  // its URL; NULL: none
} output;

typedef struct output_form {
  const char *option;
  bool is_stream;
  bool takes_text;  // `add` reads the text alone: its record is NULL where no other form reads it
  bool (*begin)(output *o);  // each may be NULL; false after a message
  bool (*add)(output *o, const char *text, size_t length, const cJSON *record);
  bool (*end)(output *o,
              bool complete);  // called after a begin that succeeded, whatever came between
} output_form;

extern const output_form OUTPUT_JSONL, OUTPUT_CSV, OUTPUT_SARIF, OUTPUT_HTML, OUTPUT_DATABASE;

// --- readers of records, for all forms
const cJSON *field(const cJSON *object, const char *key);      // NULL: absent; object may be NULL
const char *field_text(const cJSON *object, const char *key);  // "" where it is not text
double field_number(const cJSON *object, const char *key);     // 0 where it is none
double field_in(const cJSON *object, const char *outer, const char *key);

#endif
