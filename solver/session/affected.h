// SPDX-License-Identifier: Apache-2.0
// The operations that an edit affects. Private to affected.c and resolve.c.
#ifndef SHAPE_SESSION_AFFECTED_H
#define SHAPE_SESSION_AFFECTED_H

#include "solver/session/state.h"

typedef struct affected {
  session_core *s;
  change_list *out;
  op_id *heap;  // operations of the program, the first in program order on top
  uint32_t count, capacity;
  uint32_t visited;
  // resolve.c: the members of the classes that are solved again
  uint32_t *symbols;
  uint32_t symbol_count, symbol_capacity;
  uint32_t rounds;
  // given.c
  value_id *arguments;  // that are made again
  uint32_t argument_count, argument_capacity;
  uint32_t first_value, first_attr;  // of the run's graph that this edit brings along
  name_id *unknown;  // names of operations without a rule of which some came or went
  uint32_t unknown_count, unknown_capacity;
  bool again;  // there are more of them than when they were forgotten
  bool fails;
} affected;

// Sorts ids that are below `bound` and leaves each once; returns how many there are then. May be stopped.
uint32_t affected_sort(session_core *s, uint32_t *ids, uint32_t count, uint32_t bound);
void affected_push(affected *c, op_id op);  // once, however often; not when it is gone

bool affected_push_users(affected *c, value_id value);  // false: some are elsewhere

// --- given.c; as those of resolve.c
bool given_copy(affected *c);  // symbols and arguments into the run's graph
bool given_settle(affected *c,
                  bool *names);  // all is copied. *names: some name may mean something else now

// --- resolve.c; each is false where it is not certain that this ends with what a fresh analysis says
// Assumptions that came and went, operations that are gone; `names`: predicates are read again.
bool resolve_edits(affected *c, bool names);
bool resolve_symbol(affected *c, uint32_t symbol);  // it is declared otherwise
bool resolve_again(affected *c);             // forgets, states what was given, and queues who asked
bool resolve_stated(affected *c, op_id op);  // op is visited: what it stated is solved again
bool resolve_visited(affected *c, op_id op, fact_id first_fact);  // reads what the visit noted
bool resolve_finish(affected *c);  // notes all values whose shapes may have changed
void resolve_undo(affected *c);    // of assumptions that were pushed: nothing else was begun
void affected_note(affected *c, value_id value);  // its shape may have changed

#endif
