// SPDX-License-Identifier: Apache-2.0
// The inside of a session. Private to solver/session.
//
// Three graphs: the document's is the program with the session's ids, edited and never analysed; the run's is a copy of
// it in program order, which infer works on and which gets new operations at its end during incremental edits; a
// fragment is what the text of one edit was read into.
// Arenas: the session's own, which only grows; the run's, emptied when the program is analysed anew; a second one of
// that kind, which keeps the run from before a session_push; scratch, rewound at the start of every call. The others
// are children of the first, so a failure in any leaves through arena_protect of that one.
#ifndef SHAPE_SESSION_STATE_H
#define SHAPE_SESSION_STATE_H

#include <assert.h>

#include "solver/ops/registry.h"
#include "solver/session/document.h"
#include "solver/session/run.h"
#include "solver/session/transaction.h"

struct session_core {
  shape_arena arena, run_arenas[2], scratch;
  uint32_t run_side;  // the run arena in use
  arena_mark scratch_start;
  shape_budget budget;
  session_limits limits;
  uint64_t ops_max, rank_max;  // 0: any
  session_document doc;
  session_pushes pushes;
  session_transaction change;  // the call under way
  stable_names names;
  session_run run;
  session_aside aside;
  session_reported reported;
  session_stats stats;
};

static inline shape_arena *run_arena(session_core *s) { return &s->run_arenas[s->run_side]; }

// --- classes.c
void class_make_op_room(session_core *s);  // for all operations of the program
// Valid until the next call.
static inline run_op *class_op(session_core *s, op_id op) {
  if (op >= s->run.index.op_capacity) class_make_op_room(s);
  assert(op < s->run.index.op_capacity);
  return &s->run.index.ops[op];
}

// --- edit.c
bool edit_apply(session_core *s, const session_edit *e, session_fragment_reader *read,
                op_id *inserted, value_id *argument, session_failure *failure);
bool edit_validate(session_core *s, session_failure *failure);
bool edit_fail(session_failure *failure, shape_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// --- affected.c
bool affected_follow(session_core *s, change_list *out, uint32_t *visited);  // false: not certain

#endif
