// SPDX-License-Identifier: Apache-2.0
// The program of a session as a document: linked lists of operations with uses and names, in which what was removed keeps
// its id. Knows nothing of analyses. Private to solver/session.
#ifndef SHAPE_SESSION_DOCUMENT_H
#define SHAPE_SESSION_DOCUMENT_H

#include "solver/graph/copy.h"
#include "solver/session/session.h"

#define SESSION_GROW(arena, array, count, need, capacity)                                          \
  ((array) = arena_grow((arena), (array), (count), (need), &(capacity), sizeof *(array)))

enum { STICKY = 1, QUEUED = 2, TOUCHED = 4 };  // flags of operations

typedef struct doc_op {
  uint64_t order;  // within its block, increasing
  op_id previous;  // in its block
  bool there;      // in the program
  uint8_t flags;   // STICKY: a change at it asks for a whole analysis
} doc_op;

typedef struct doc_value {
  uint32_t first_use;  // slot of graph->operands, or ID_NONE
  uint32_t use_count;
  shape_key shape;
  uint32_t position;      // of an argument of the entry, among them
  value_id newer, older;  // of those there that have its name, in its function
  bool there;
  bool late;  // changed after some user had read it: users are not visited alone
} doc_value;

typedef struct doc_use {  // by slot of graph->operands
  op_id op;
  uint32_t next, previous;
} doc_use;

typedef struct session_document {
  shape_graph graph;  // with the session's ids, edited and never analysed
  doc_op *ops;
  doc_value *values;
  doc_use *uses;
  uint32_t op_capacity, value_capacity, use_capacity;
  shape_imap names;           // (function, name) -> the newest value that has it, or VALUE_NONE
  uint32_t op_count;          // that are there
  copy_arguments *arguments;  // by function: those that were edited; ids NULL: as in the graph
  uint8_t *symbol_gone, *assumption_gone;
  uint32_t symbol_gone_capacity, assumption_gone_capacity;
  const char *entry;
  infer_binding *bindings;
  uint32_t binding_count;
  uint64_t version;  // counts the changes
  bool open;         // everything that was read is in the tables
} session_document;

void document_adopt(session_document *d);          // the graph was read: everything in it is there
void document_room(session_document *d);           // tables as long as the graph's
bool document_in_step(const session_document *d);  // whether they are
func_id document_func(const session_document *d, op_id op);
void document_link(session_document *d, op_id op, op_id next_to,
                   bool after);  // with uses and names
void document_unlink(session_document *d, op_id op);
void document_relink(session_document *d, op_id op);  // where it was when it was unlinked
void document_use(session_document *d, op_id op);  // uses and names of an operation and its regions
void document_unuse(session_document *d, op_id op);
void document_set_operand(session_document *d, uint32_t slot, value_id value);
bool document_dominates(const session_document *d, value_id value, op_id op);
value_id document_find(const session_document *d, func_id func, name_id name);
bool document_name_taken(const session_document *d, func_id func, name_id name);

// Arguments of a function as a list that may be edited; made with the first call.
copy_arguments *document_arguments(session_document *d, func_id func);
void document_room_for_argument(session_document *d, func_id func);  // before one is put there
void document_put_argument(session_document *d, func_id func, uint32_t at, value_id value);
void document_drop_argument(session_document *d, func_id func, uint32_t at);

#endif
