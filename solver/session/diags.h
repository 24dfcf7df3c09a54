// SPDX-License-Identifier: Apache-2.0
// Diagnostics of a run by what they are about: what is visited, read or stated again reports again. Private to
// solver/session.
#ifndef SHAPE_SESSION_DIAGS_H
#define SHAPE_SESSION_DIAGS_H

#include "solver/base/strbuf.h"
#include "solver/session/session.h"

typedef enum diag_subject {
  DIAG_OF_GIVEN,  // `id`: its label
  DIAG_OF_OP,     // of the program
  DIAG_OF_NONE
} diag_subject;

typedef struct run_diag {
  diag_subject subject;
  uint32_t id;
  diag_severity severity;
  const char *code, *message;
  name_id name;  // of the operation without a rule whose note it is; else NAME_NONE
} run_diag;

typedef struct run_diags {
  run_diag *items;
  uint32_t count, capacity;
  bool changed;          // since they were reported
  bool unknown_outside;  // operations without a rule are not in the entry's own scope alone
} run_diags;

// What was last reported.
typedef struct session_reported {
  session_diag *diags;
  uint32_t count;
  shape_arena arenas[2];  // of diags, one after the other
  arena_mark starts[2];
  uint32_t side;
} session_reported;

void diags_build(session_core *s);  // of a new run
// Returns the name of the operation, where one of them was the note that it has no rule; else NAME_NONE.
name_id diags_drop(session_core *s, diag_subject subject, uint32_t id);
// Those that the run's graph has got since belong to it. False where they do not, or there are too many.
bool diags_take(session_core *s, diag_subject subject, uint32_t id);
// An operation without a rule has a note where it is the first of its name; `name` is one that came, went or moved.
// False: not certain.
bool diags_note_unknown(session_core *s, name_id name);

bool diags_differ(session_core *s, shape_strbuf *out);  // from what was reported; prints how
void diags_report(session_core *s,
                  session_changes *out);  // they are what was reported from here on

#endif
