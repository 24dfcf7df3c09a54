// SPDX-License-Identifier: Apache-2.0
// Where the values of a program are: the frame that they have dims in, the scope whose facts hold of them.
#ifndef SHAPE_INFER_WHERE_H
#define SHAPE_INFER_WHERE_H

#include "solver/infer/infer.h"

// A value, what is known of it, and the scope that it is in. `info` NULL: its function has no frame, or several.
typedef struct infer_position {
  const value_info *info;
  uint32_t frame, scope;
} infer_position;
infer_position infer_position_of(const infer_result *infer,
                                 value_id value);  // O(frames + depth * scopes)
// Its dim, or the integer that it holds (axis ID_NONE); TERM_NONE: not known, or there is no such axis.
term_id infer_term_of(const value_info *info, uint32_t axis);
// The term of an argument of a frame's function by its name (graph/argument_name.h): argK.A is a dim, argK the value of a
// scalar, argK[I] an element of a small integer argument. TERM_NONE: not known, or there is none. O(arguments).
term_id infer_argument_term(const infer_result *infer, const shape_graph *graph, uint32_t frame,
                            const char *name, size_t length);
// The term of a value by its address (graph/address.h), and its scope. TERM_NONE: not known, or there is none.
term_id infer_address_term(const infer_result *infer, const char *text, size_t length,
                           uint32_t *scope);
bool infer_scope_within(const infer_result *infer, uint32_t inner, uint32_t outer);
// States what holds in a region, and in those around it, until store_pop. False: that is nothing, and there is no scope to be
// popped.
bool infer_scope_enter(const infer_result *infer, uint32_t scope);

#endif
