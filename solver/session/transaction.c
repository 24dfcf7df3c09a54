// SPDX-License-Identifier: Apache-2.0
#include "solver/session/transaction.h"

#include <assert.h>

void id_list_add(id_list *list, shape_arena *arena, uint32_t id) {
  SESSION_GROW(arena, list->ids, list->count, list->count + 1u, list->capacity);
  list->ids[list->count++] = id;
}

void transaction_begin(session_transaction *t) {
  t->undo_count = 0;
  t->touched.count = t->removed.count = t->moved.count = 0;
  t->declared.count = t->assumed.count = t->retracted.count = 0;
  t->pushed_from = t->popped_to = ID_NONE;
  t->structural = false;
}

undo_step *transaction_step(session_transaction *t, shape_arena *arena, undo_kind kind,
                            uint32_t id) {
  SESSION_GROW(arena, t->undo, t->undo_count, t->undo_count + 1u, t->undo_capacity);
  undo_step *step = &t->undo[t->undo_count++];
  *step = (undo_step){.kind = kind, .id = id};
  return step;
}

void transaction_touch(session_transaction *t, session_document *d, op_id op) {
  assert(op < d->graph.op_count);
  if (d->ops[op].flags & TOUCHED) return;
  id_list_add(&t->touched, d->graph.arena, op);
  d->ops[op].flags |= TOUCHED;
}

void transaction_commit(session_transaction *t) { t->undo_count = 0; }

void transaction_end(session_transaction *t, session_document *d) {
  for (uint32_t i = 0; i < t->touched.count; i++)
    d->ops[t->touched.ids[i]].flags &= (uint8_t)~TOUCHED;
}

static void take_back(session_document *d, session_pushes *pushes, const undo_step *u) {
  shape_graph *g = &d->graph;
  switch (u->kind) {
  case UNDO_INSERT: document_unlink(d, u->id); break;
  case UNDO_REMOVE: document_relink(d, u->id); break;
  case UNDO_OPERAND: document_set_operand(d, u->id, u->was); break;
  case UNDO_REPLACE:
    document_unuse(d, u->id);
    g->ops[u->id] = u->op;
    document_use(d, u->id);
    break;
  case UNDO_VALUE: g->values[u->id] = u->value; break;
  case UNDO_ARGUMENT_IN: document_drop_argument(d, u->was, u->at); break;
  case UNDO_ARGUMENT_OUT: document_put_argument(d, u->was, u->at, u->id); break;
  case UNDO_SYMBOL:
    g->declared.symbols[u->id] = u->symbol;
    d->symbol_gone[u->id] = (uint8_t)u->was;
    break;
  case UNDO_ASSUMPTION: d->assumption_gone[u->id] = (uint8_t)u->was; break;
  case UNDO_LEVELS:
    pushes->count = u->id;
    pushes->level_count = u->was;
    break;
  }
}

void transaction_roll_back(session_transaction *t, session_document *d, session_pushes *pushes) {
  while (t->undo_count) take_back(d, pushes, &t->undo[--t->undo_count]);
}
