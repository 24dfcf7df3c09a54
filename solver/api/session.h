// SPDX-License-Identifier: Apache-2.0
// The inside of a shape_session.
//
//   session.c          opening, edits, what they changed
//   session_read.c     what is known, queries, the program as it is
//   session_program.c  the program and the texts of edits, from bytes and back
#ifndef SHAPE_API_SESSION_H
#define SHAPE_API_SESSION_H

#include "solver/api/program.h"
#include "solver/api/session_program.h"

struct shape_session {
  shape_error error;
  bool open;
  session_core *core;
  session_changes changes;  // of the last call; its texts are the core's
  shape_changes counts;     // of them
  uint32_t failed_edit;
  program_limits limits;
  program_excess excess;  // after SHAPE_SIZE
  shape_arena texts;      // of one call: rewound to `empty` before the next one
  arena_mark empty;
  shape_options options;
};

// Before a call that may fail: what the last one gave ends. False, with the error set: the session is not open.
bool session_begin(shape_session *session);
// Keeps why the core did not do what it was asked.
shape_status session_fail(shape_session *session, const session_failure *failure);
// Runs body(data) with the arena of texts. The status is kept where it is not OK.
shape_status session_with_texts(shape_session *session, void (*body)(void *data), void *data);

#endif
