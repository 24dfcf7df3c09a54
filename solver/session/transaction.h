// SPDX-License-Identifier: Apache-2.0
// The edits of one call: how each step is taken back, and what they concern. They happen as a whole or not at all.
// Private to solver/session.
#ifndef SHAPE_SESSION_TRANSACTION_H
#define SHAPE_SESSION_TRANSACTION_H

#include "solver/session/document.h"

// How to take one step of an edit back. Nothing is allocated for that.
typedef enum undo_kind {
  UNDO_INSERT,
  UNDO_REMOVE,
  UNDO_OPERAND,       // slot `id` had value `was`
  UNDO_REPLACE,       // operation `id` was `op`
  UNDO_VALUE,         // value `id` was `value`
  UNDO_ARGUMENT_IN,   // `id` came to the arguments of function `was`, `at` this position
  UNDO_ARGUMENT_OUT,  // it went from there
  UNDO_SYMBOL,        // row `id` was `symbol`, gone or not
  UNDO_ASSUMPTION,    // `id`, gone or not
  UNDO_LEVELS         // count of pushed assumptions and levels
} undo_kind;

typedef struct undo_step {
  undo_kind kind;
  uint32_t id, was;
  graph_op op;
  graph_value value;
  graph_symbol symbol;
  uint32_t at;
} undo_step;

typedef struct id_list {
  uint32_t *ids;
  uint32_t count, capacity;
} id_list;

// Assumptions of session_push, and where each level begins in them.
typedef struct session_pushes {
  graph_assumption *items;
  uint32_t count, capacity;
  uint32_t *levels;
  uint32_t level_count, level_capacity;
} session_pushes;

typedef struct session_transaction {
  undo_step *undo;
  uint32_t undo_count, undo_capacity;
  id_list touched, removed;         // operations
  id_list moved;                    // arguments of the entry that came, went, or have another type
  id_list declared;                 // rows of symbols that are declared otherwise, or no longer
  id_list assumed, retracted;       // rows of the program's assumptions
  uint32_t pushed_from, popped_to;  // rows of pushes that are new, that are gone; ID_NONE: none
  bool structural;                  // the edits are more than operations of the entry's own body
} session_transaction;

void transaction_begin(session_transaction *t);
void transaction_end(session_transaction *t, session_document *d);  // flags of operations
undo_step *transaction_step(session_transaction *t, shape_arena *arena, undo_kind kind,
                            uint32_t id);
void transaction_commit(session_transaction *t);  // what was done stays
void transaction_roll_back(session_transaction *t, session_document *d, session_pushes *pushes);
void transaction_touch(session_transaction *t, session_document *d, op_id op);  // once
void id_list_add(id_list *list, shape_arena *arena, uint32_t id);

#endif
