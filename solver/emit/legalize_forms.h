// SPDX-License-Identifier: Apache-2.0
// The form that each operation of the shape dialect has in StableHLO, arith and tensor, without
// shape.reduce and shape.assuming: for legalize_shape.c.
#ifndef SHAPE_EMIT_LEGALIZE_FORMS_H
#define SHAPE_EMIT_LEGALIZE_FORMS_H

#include "solver/emit/dim_writer.h"

typedef struct legalize_shape {
  dims *d;
  uint32_t *counts;  // by value_id: how many extents a shape has, or UINT32_MAX
  shape_imap named;  // function and name -> how many values there have the name
  bool *crosses;     // by value_id: a !shape.shape that other operations take or make
  // The function: no operation has uses that the graph does not have. And so all of them so far.
  bool understood, all_understood;
  op_id stays;  // the first one that does, or ID_NONE
  const char *why;
} legalize_shape;

// Writes an operation without regions instead of what it is. False: it has no form, for the reason l->why (NULL: none of its
// name has).
bool legal_write(legalize_shape *l, op_id op);

#define LEGAL_SYNTAX "an operation of its function has an unknown syntax"
bool legal_fail(legalize_shape *l, const char *why);                // always false
bool legal_is_shape_type(const legalize_shape *l, value_id value);  // any type of the dialect
bool legal_has_form(const legalize_shape *l, value_id value);  // one of them that has another form
bool legal_is_index(const legalize_shape *l, value_id value);  // an index, or a !shape.size
bool legal_is_extents(const legalize_shape *l,
                      value_id value);  // !shape.shape or a vector of indices
const char *legal_type_now(legalize_shape *l, value_id value);  // what a value has afterwards
const char *legal_line_text(legalize_shape *l, uint32_t line);  // the name of what a line computes
// What is written for a value in its uses; false: one of them is not in the text.
bool legal_name_instead(legalize_shape *l, value_id value, const char *name);
// What is written for an operation of that name may be an assertion that is false, as the witness is: no run gets past either.
bool legal_may_be_false(const char *name);

#endif
