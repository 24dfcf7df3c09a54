// SPDX-License-Identifier: Apache-2.0
// What the passes of dim_passes.h share: arithmetic on dims as text in front of an operation, or instead of it. What is
// written is named %<stem>N, and a function that writes a line returns N.
#ifndef SHAPE_EMIT_DIM_WRITER_H
#define SHAPE_EMIT_DIM_WRITER_H

#include "solver/emit/instructions.h"
#include "solver/formats/mlir/edit.h"
#include "solver/formats/mlir/uses.h"
#include "solver/report/report.h"

typedef struct dims {
  const shape_report *report;
  const infer_result *infer;
  shape_graph *graph;
  const mlir_uses *uses;
  text_edits *edits;
  block_id block;                  // the body of the function that is written
  const infer_frame *frame;        // its frame; NULL: it has several, which need not agree
  uint32_t *first_use, *next_use;  // by value_id, by index in graph->operands
  const char *
      *names;  // by value_id: what is written for the value, NULL: its own name; NULL: for none
  // The operation that is written.
  op_id op;
  shape_strbuf *out;
  const char *stem;  // that no name of the program begins with
  uint32_t next;
  instructions computed;
  bool failed;
  bool *replaced;  // by op_id
} dims;

const char *dims_find_stem(shape_graph *g);
bool dims_is_named(const dims *d, op_id op, const char *name);
void dims_index_uses(dims *d);  // fills first_use and next_use

// What the rules know of a value in the one frame of its function; NULL: nothing.
const value_info *dims_info(const dims *d, value_id value);
// How many elements a tensor of indices has; false: its type does not say.
bool dims_index_count(const dims *d, value_id value, uint32_t *count);
// A tensor of known rank that is no memref.
const graph_type *dims_tensor_of(const dims *d, value_id value);
// Whether an operation requires what nothing else proves, or is not analysed.
bool dims_may_end(const dims *d, op_id op);
bool dims_has_named_result(const dims *d, op_id op);

const char *dims_value_text(dims *d, value_id value);
const char *dims_type_text(dims *d, value_id value);

// The text that is to be written instead of an operation begins.
void dims_begin(dims *d, op_id op, shape_strbuf *text);
const char *dims_indent(const dims *d);
void dims_new_line(dims *d);  // as far to the right as the operation
uint32_t dims_line(dims *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint32_t dims_constant(dims *d, int64_t value);
uint32_t dims_binary(dims *d, const char *name, uint32_t a, uint32_t b);  // of indices
uint32_t dims_both(dims *d, const char *name, uint32_t a, uint32_t b);    // of i1
uint32_t dims_equal(dims *d, uint32_t a, uint32_t b);
uint32_t dims_dim(dims *d, value_id value, uint32_t axis);
uint32_t dims_element(dims *d, value_id vector, uint32_t at);
uint32_t dims_broadcast(dims *d, uint32_t a, uint32_t b);  // b where a is 1, else a
uint32_t dims_fits(dims *d, uint32_t a, uint32_t b);       // both are equal, or one is 1
// The run ends with the message where the i1 of that name does not hold.
void dims_assert(dims *d, const char *holds, const char *message, uint32_t length);
// The last line: the result under its name.
void dims_result(dims *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void dims_result_elements(dims *d, const uint32_t *values, uint32_t count);
// What was written instead of the operation. A part that could not be written leaves it as it is.
void dims_replace(dims *d);

// Whether all uses of a value have a position in the text.
bool dims_is_placed(const dims *d, value_id value);
void dims_use_instead(dims *d, value_id value, const char *name);
void dims_remove_line(dims *d, op_id op);  // with its line, where nothing else is on it

#endif
