// SPDX-License-Identifier: Apache-2.0
// What the parts of the encoder share; private to solver/emit/.
#ifndef SHAPE_EMIT_ENCODER_H
#define SHAPE_EMIT_ENCODER_H

#include "solver/emit/encode.h"

// What is written of a shape again and again, as JSON; made when first asked for. Its type and its dims lie in one text,
// which is what follows the name of an operation with one result: TYPE], "dims": [DIMS]}
typedef struct shape_json {
  const char *type, *dims, *value;  // value: in the words of ONNX; NULL: not made yet
  uint32_t type_length, dims_length, value_length;
  uint32_t whole_length;  // from `type` to the end
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
  bool without_ops;    // functions have no operations, and no values
} encoder;

void encode_function(encoder *e, const report_function *f);
void encode_symbols(encoder *e);
void encode_diag(encoder *e, const diag *d);
void encode_size(encoder *e, json_writer *w, term_id term);
void encode_report_text(json_writer *w, report_text text);
void encode_line(json_writer *w, uint32_t line);  // "line": null where it is 0

#endif
