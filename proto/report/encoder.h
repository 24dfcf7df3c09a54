// SPDX-License-Identifier: Apache-2.0
// What the parts of the encoder share; private to proto/report/.
#ifndef SHAPE_PROTO_REPORT_ENCODER_H
#define SHAPE_PROTO_REPORT_ENCODER_H

#include "proto/report/encode.h"

// What is written of a shape again and again, as JSON; made when first asked for.
typedef struct shape_json {
  const char *type, *dims;
  const char *value;  // of a value in the words of ONNX; NULL: not made yet
  uint32_t type_length, dims_length, value_length;
} shape_json;

typedef struct encoder {
  shape_report *report;
  const shape_graph *graph;
  shape_arena *arena;
  json_writer *w;
  shape_json *shapes;  // by shape
  report_text
      *names;  // by name_id: an operation's name with the keys around it; length 0: not made yet
  likely_set *likely;  // NULL: nothing was seen
  uint32_t line;       // of the last operation, from 1
} encoder;

void encode_function(encoder *e, const report_function *f);
void encode_symbols(encoder *e);
void encode_constraints(encoder *e, const char *key, const report_constraints *list);
void encode_place(encoder *e, source_span span);  // "line" and "column" of its begin
void encode_size(encoder *e, json_writer *w, term_id term);
void encode_report_text(json_writer *w, report_text text);

#endif
