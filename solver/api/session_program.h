// SPDX-License-Identifier: Apache-2.0
// Programs of sessions as bytes: what solver/session leaves to the layer that knows formats.
#ifndef SHAPE_API_SESSION_PROGRAM_H
#define SHAPE_API_SESSION_PROGRAM_H

#include "solver/analysis/program_limits.h"
#include "solver/base/strbuf.h"
#include "solver/session/session.h"

typedef struct session_source {
  const char *text;  // a graph as JSON, or MLIR
  size_t length;
  bool validated;  // it is JSON that passed json_validate
  program_limits limits;
  bool unsupported;       // filled: the program is of a format that sessions do not take
  program_excess excess;  // filled where the program is over one of them: the status is SIZE
} session_source;

// A session_reader; data: a session_source. Programs of other formats than JSON get the form that JSON gives them.
void session_read_program(shape_graph *graph, shape_budget *budget, void *data);
// A session_fragment_reader: JSON as in a graph.
void session_read_fragment(shape_graph *graph, shape_budget *budget, session_edit_kind kind,
                           session_outer *outer, void *outer_data);
// The program as a graph in JSON. Names that it copies live in the arena of `out`.
void session_write_program(const session_core *session, shape_strbuf *out);

#endif
