// SPDX-License-Identifier: Apache-2.0
// An analysis of the whole program, which incremental edits keep up with it, and the one that a session_push has put
// aside. Private to solver/session.
#ifndef SHAPE_SESSION_RUN_H
#define SHAPE_SESSION_RUN_H

#include "solver/graph/copy.h"
#include "solver/session/diags.h"
#include "solver/session/index.h"
#include "solver/session/names.h"

typedef struct session_run {
  bool valid;
  bool spoiled;  // an incremental edit that was given up has begun to change it
  bool
      plain;  // incremental edits are possible: the entry has one frame and nothing else is in the way
  bool names_symbols;  // some operation looks symbols up by name
  bool odd_arguments;  // some argument has symbols that are not its dims or elements
  infer_options options;
  infer_log log;
  shape_graph graph;  // a copy of the program, in program order but for operations that came later
  infer_result *infer;
  graph_copier copier;
  uint32_t value_room;  // of frame 0's values
  value_id *arguments;  // of the entry, as they are now
  uint32_t argument_capacity;
  dependency_index index;
  run_rows rows;
  term_ages *ages;
  run_names names;
  run_diags diags;
  size_t bytes_at_start;
} session_run;

// The run that a session_push has put aside; session_pop takes it up again where nothing else happened in between.
// It lives in the run arena that is not in use.
typedef struct session_aside {
  bool there;
  uint64_t version;  // of the program since the push
  session_run run;
  uint8_t *op_flags, *value_late;  // what the run said of operations and values
  uint32_t op_count, value_count;
  session_change *changes;  // of the push
  uint32_t change_count;
} session_aside;

typedef struct change_list {
  session_change *items;
  uint32_t count, capacity;
} change_list;

void run_whole(session_core *s);      // the program anew; tables of the run are made
void run_make_room(session_core *s);  // frame 0 gets room for values that are newer than the run
void run_put_aside(session_core *s);  // there is none then
void run_keep_changes(session_core *s,
                      const change_list *list);  // that the push made, with the run put aside
void run_forget_aside(session_core *s);
bool run_take_up(
    session_core *s,
    change_list *out);  // false: what was put aside, if anything, is of another program
// What the values are now against what was reported. Nothing is kept before changes_commit.
void run_compare(session_core *s, change_list *out);
bool run_in_step(const session_core *s);  // tables of the run are as long as its graph's
bool run_names_symbols(const session_core *s, name_id name);  // operations of this name may
bool run_is_own(const session_core *s,
                op_id op);  // of the run: it is in the entry's own scope

#endif
