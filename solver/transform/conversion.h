// SPDX-License-Identifier: Apache-2.0
// One operation written anew as several, in front of the last of which each has its line: for dynamism.c and unbounded.c.
#ifndef SHAPE_TRANSFORM_CONVERSION_H
#define SHAPE_TRANSFORM_CONVERSION_H

#include "solver/transform/rewrite.h"

typedef struct conversion {
  refine_rewrite *r;
  mlir_writer w;
  op_id op;
  const char *base;  // of the names of new values
  const char *indent;
  uint32_t indent_length;
  bool one_line;
} conversion;

// The type of a value afterwards; NULL: no tensor of known rank.
const graph_type *conversion_tensor(const refine_rewrite *r, value_id value);
bool conversion_has_named_result(const shape_graph *g, op_id op);  // exactly one
// Of an operation with one result; what is written goes to `text`.
conversion conversion_begin(refine_rewrite *r, op_id op, shape_strbuf *text);
void conversion_next_line(conversion *c);
void conversion_put_result(conversion *c);  // its name
void conversion_end(conversion *c);         // the text instead of the operation

// unbounded.c: of set_dimension_size. False: it has no equal.
bool rewrite_to_unbounded(refine_rewrite *r, op_id op);

#endif
