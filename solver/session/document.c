// SPDX-License-Identifier: Apache-2.0
// The program of a session: lists of operations that can be taken out and put in, who uses which value, which name
// means which value. Orders of operations in a block are numbers with gaps, numbered anew where a gap is used up
// (Dietz and Sleator 1987, in its simplest form).
#include <assert.h>
#include <string.h>

#include "solver/session/document.h"

#define ORDER_STEP ((uint64_t)1 << 32)

// Tables as long as the graph's, and longer by the `slack`. What is added to one is set before the next grows, as that may
// end the call; a declaration or an assumption is in the program when something says so.
static void grow_tables(session_document *d, uint32_t slack) {
  const shape_graph *g = &d->graph;
  uint32_t old = d->op_capacity;
  SESSION_GROW(g->arena, d->ops, old, (size_t)g->op_count + slack, d->op_capacity);
  for (; old < d->op_capacity; old++) d->ops[old] = (doc_op){.previous = ID_NONE};
  old = d->value_capacity;
  SESSION_GROW(g->arena, d->values, old, (size_t)g->value_count + slack, d->value_capacity);
  for (; old < d->value_capacity; old++)
    d->values[old] = (doc_value){.first_use = ID_NONE, .shape = SHAPE_NONE};
  old = d->use_capacity;
  SESSION_GROW(g->arena, d->uses, old, (size_t)g->operand_count + slack, d->use_capacity);
  for (; old < d->use_capacity; old++) d->uses[old] = (doc_use){ID_NONE, ID_NONE, ID_NONE};
  old = d->symbol_gone_capacity;
  SESSION_GROW(g->arena, d->symbol_gone, old, g->declared.symbol_count, d->symbol_gone_capacity);
  for (; old < d->symbol_gone_capacity; old++) d->symbol_gone[old] = 1;
  old = d->assumption_gone_capacity;
  SESSION_GROW(g->arena, d->assumption_gone, old, g->declared.assumption_count,
               d->assumption_gone_capacity);
  for (; old < d->assumption_gone_capacity; old++) d->assumption_gone[old] = 1;
}

void document_room(session_document *d) { grow_tables(d, 0); }

bool document_in_step(const session_document *d) {
  const shape_graph *g = &d->graph;
  return d->op_capacity >= g->op_count && d->value_capacity >= g->value_count &&
         d->use_capacity >= g->operand_count &&
         d->symbol_gone_capacity >= g->declared.symbol_count &&
         d->assumption_gone_capacity >= g->declared.assumption_count;
}

func_id document_func(const session_document *d, op_id op) {
  const shape_graph *g = &d->graph;
  return g->regions[g->blocks[g->ops[op].parent].region].func;
}

// --- names

static uint64_t name_key(func_id func, name_id name) { return (uint64_t)func << 32 | name; }

static bool has_name(const session_document *d, value_id v) {
  name_id name = d->graph.values[v].name;
  return name != NAME_NONE && intern_length(&d->graph.names, name);
}

static void add_name(session_document *d, func_id func, value_id v) {
  uint32_t known = VALUE_NONE;
  doc_value *value = &d->values[v];
  if (value->there) return;
  if (has_name(d, v)) {
    uint64_t key = name_key(func, d->graph.values[v].name);
    imap_get(&d->names, key, &known);
    imap_put(&d->names, d->graph.arena, key, v);  // may end the call, with all as it was
  }
  value->there = true;
  value->newer = VALUE_NONE;
  value->older = known;
  if (known != VALUE_NONE) d->values[known].newer = v;
}

static void drop_name(session_document *d, func_id func, value_id v) {
  doc_value *value = &d->values[v];
  if (!value->there) return;
  value->there = false;
  if (!has_name(d, v)) return;
  if (value->older != VALUE_NONE) d->values[value->older].newer = value->newer;
  if (value->newer != VALUE_NONE) {
    d->values[value->newer].older = value->older;
  } else {  // the key is there, so nothing is allocated
    imap_put(&d->names, d->graph.arena, name_key(func, d->graph.values[v].name), value->older);
  }
}

// VALUE_NONE where several have the name.
value_id document_find(const session_document *d, func_id func, name_id name) {
  uint32_t known;
  if (name == NAME_NONE || !imap_get(&d->names, name_key(func, name), &known)) return VALUE_NONE;
  return known != VALUE_NONE && d->values[known].older != VALUE_NONE ? VALUE_NONE : known;
}

bool document_name_taken(const session_document *d, func_id func, name_id name) {
  uint32_t known;
  return imap_get(&d->names, name_key(func, name), &known) && known != VALUE_NONE;
}

// --- uses

static void add_use(session_document *d, op_id op, uint32_t slot) {
  assert(slot < d->graph.operand_count);
  value_id v = d->graph.operands[slot];
  d->uses[slot] = (doc_use){op, ID_NONE, ID_NONE};
  if (v == VALUE_NONE) return;
  doc_value *value = &d->values[v];
  d->uses[slot].next = value->first_use;
  if (value->first_use != ID_NONE) d->uses[value->first_use].previous = slot;
  value->first_use = slot;
  value->use_count++;
}

static void drop_use(session_document *d, uint32_t slot) {
  value_id v = d->graph.operands[slot];
  doc_use *use = &d->uses[slot];
  if (v == VALUE_NONE || use->op == ID_NONE) return;
  if (use->previous == ID_NONE) {
    assert(d->values[v].first_use == slot);
    d->values[v].first_use = use->next;
  } else {
    d->uses[use->previous].next = use->next;
  }
  if (use->next != ID_NONE) d->uses[use->next].previous = use->previous;
  *use = (doc_use){ID_NONE, ID_NONE, ID_NONE};
  assert(d->values[v].use_count > 0);
  d->values[v].use_count--;
}

void document_set_operand(session_document *d, uint32_t slot, value_id value) {
  op_id op = d->uses[slot].op;
  assert(op != ID_NONE);
  drop_use(d, slot);
  d->graph.operands[slot] = value;
  add_use(d, op, slot);
}

// Whether they are there or not: an operation, its results, and all in its regions.
static void set_block(session_document *d, func_id func, block_id block, bool there);

static void set_op(session_document *d, func_id func, op_id op, bool there) {
  const graph_op *o = &d->graph.ops[op];
  assert(op < d->op_capacity);
  if (d->ops[op].there != there) d->op_count += there ? 1 : UINT32_MAX;  // or one less
  d->ops[op].there = there;
  for (uint32_t i = 0; i < o->operand_count; i++) {
    if (there) {
      add_use(d, op, o->operands + i);
    } else {
      drop_use(d, o->operands + i);
    }
  }
  for (uint32_t i = 0; i < o->result_count; i++) {
    if (there) {
      add_name(d, func, o->results + i);
    } else {
      drop_name(d, func, o->results + i);
    }
  }
  for (uint32_t i = 0; i < o->region_count; i++) {
    const graph_region *r = &d->graph.regions[o->regions + i];
    for (uint32_t k = 0; k < r->block_count; k++) set_block(d, func, r->first_block + k, there);
  }
}

static void set_block(session_document *d, func_id func, block_id block, bool there) {
  const graph_block *b = &d->graph.blocks[block];
  for (uint32_t i = 0; i < b->argument_count; i++) {
    if (there) {
      add_name(d, func, b->arguments + i);
    } else {
      drop_name(d, func, b->arguments + i);
    }
  }
  op_id previous = ID_NONE;
  uint64_t order = ORDER_STEP;
  for (op_id op = b->first; op != ID_NONE; op = d->graph.ops[op].next) {
    if (there) {
      d->ops[op].previous = previous;
      d->ops[op].order = order;
      previous = op;
      order += ORDER_STEP;
    }
    if (!d->open) arena_poll_at(d->graph.arena, op);  // later a change happens as a whole
    set_op(d, func, op, there);
  }
}

void document_use(session_document *d, op_id op) { set_op(d, document_func(d, op), op, true); }
void document_unuse(session_document *d, op_id op) { set_op(d, document_func(d, op), op, false); }

void document_adopt(session_document *d) {
  const shape_graph *g = &d->graph;
  // Room for edits, so that the first does not wait for it.
  enum { SLACK = 64 };
  grow_tables(d, g->op_count / 4 + SLACK);
  if (g->declared.symbol_count) memset(d->symbol_gone, 0, g->declared.symbol_count);
  if (g->declared.assumption_count) memset(d->assumption_gone, 0, g->declared.assumption_count);
  d->arguments = arena_zalloc(d->graph.arena, ((size_t)g->func_count + 1) * sizeof *d->arguments);
  for (func_id f = 0; f < g->func_count; f++) {
    if (g->funcs[f].body == ID_NONE) continue;
    const graph_region *body = &g->regions[g->funcs[f].body];
    for (uint32_t i = 0; i < body->block_count; i++) set_block(d, f, body->first_block + i, true);
  }
}

// --- lists

static void renumber(session_document *d, block_id block) {
  uint64_t order = ORDER_STEP;
  for (op_id op = d->graph.blocks[block].first; op != ID_NONE; op = d->graph.ops[op].next) {
    d->ops[op].order = order;
    order += ORDER_STEP;
  }
}

static void give_order(session_document *d, op_id op) {
  const graph_op *o = &d->graph.ops[op];
  for (int round = 0; round < 2; round++) {
    op_id previous = d->ops[op].previous;
    uint64_t low = previous == ID_NONE ? 0 : d->ops[previous].order;
    uint64_t high = o->next == ID_NONE ? low + 2 * ORDER_STEP : d->ops[o->next].order;
    d->ops[op].order = low + (high - low) / 2;
    if (d->ops[op].order > low && d->ops[op].order < high) return;
    renumber(d, o->parent);
  }
  assert(o->next == ID_NONE || d->ops[op].order < d->ops[o->next].order);
}

// In its block `previous` comes right before `next`; ID_NONE: the end of the block.
static void join(session_document *d, graph_block *block, op_id previous, op_id next) {
  if (previous == ID_NONE) {
    block->first = next;
  } else {
    d->graph.ops[previous].next = next;
  }
  if (next == ID_NONE) {
    block->last = previous;
  } else {
    d->ops[next].previous = previous;
  }
}

static void put_between(session_document *d, op_id op, op_id previous, op_id next) {
  shape_graph *g = &d->graph;
  graph_block *block = &g->blocks[g->ops[op].parent];
  assert(previous == ID_NONE || g->ops[previous].parent == g->ops[op].parent);
  assert(previous != op && next != op);
  join(d, block, previous, op);
  join(d, block, op, next);
}

void document_link(session_document *d, op_id op, op_id next_to, bool after) {
  shape_graph *g = &d->graph;
  assert(d->ops[next_to].there && !d->ops[op].there);
  g->ops[op].parent = g->ops[next_to].parent;
  if (after) {
    put_between(d, op, next_to, g->ops[next_to].next);
  } else {
    put_between(d, op, d->ops[next_to].previous, next_to);
  }
  give_order(d, op);
  document_use(d, op);
}

void document_unlink(session_document *d, op_id op) {
  shape_graph *g = &d->graph;
  assert(d->ops[op].there);
  op_id previous = d->ops[op].previous, next = g->ops[op].next;
  graph_block *block = &g->blocks[g->ops[op].parent];
  document_unuse(d, op);
  join(d, block, previous, next);
}

// Steps are taken back in reverse, so its neighbours are there again.
void document_relink(session_document *d, op_id op) {
  assert(!d->ops[op].there);
  put_between(d, op, d->ops[op].previous, d->graph.ops[op].next);
  give_order(d, op);  // the others may have been numbered anew since
  document_use(d, op);
}

// --- arguments of functions

copy_arguments *document_arguments(session_document *d, func_id func) {
  copy_arguments *list = &d->arguments[func];
  if (list->ids) return list;
  const graph_block *b = &d->graph.blocks[d->graph.regions[d->graph.funcs[func].body].first_block];
  SESSION_GROW(d->graph.arena, list->ids, 0, (size_t)b->argument_count + 1, list->capacity);
  for (uint32_t i = 0; i < b->argument_count; i++) list->ids[i] = b->arguments + i;
  list->count = b->argument_count;
  return list;
}

void document_room_for_argument(session_document *d, func_id func) {
  copy_arguments *list = &d->arguments[func];
  SESSION_GROW(d->graph.arena, list->ids, list->count, (size_t)list->count + 1, list->capacity);
}

void document_put_argument(session_document *d, func_id func, uint32_t at, value_id value) {
  copy_arguments *list = &d->arguments[func];
  assert(at <= list->count && list->count < list->capacity);
  memmove(list->ids + at + 1, list->ids + at, (list->count - at) * sizeof *list->ids);
  list->ids[at] = value;
  list->count++;
  add_name(d, func, value);
}

void document_drop_argument(session_document *d, func_id func, uint32_t at) {
  copy_arguments *list = &d->arguments[func];
  assert(at < list->count);
  drop_name(d, func, list->ids[at]);
  list->count--;
  memmove(list->ids + at, list->ids + at + 1, (list->count - at) * sizeof *list->ids);
}

// --- dominance

bool document_dominates(const session_document *d, value_id value, op_id op) {
  const shape_graph *g = &d->graph;
  assert(op < d->graph.op_count && value < d->graph.value_count);
  const graph_value *v = &g->values[value];
  if (!d->values[value].there) return false;
  block_id block = v->is_argument ? v->def : g->ops[v->def].parent;
  for (op_id at = op; at != ID_NONE;) {
    block_id parent = g->ops[at].parent;
    if (parent == block) return v->is_argument || d->ops[v->def].order < d->ops[at].order;
    if (g->blocks[parent].region == g->blocks[block].region) return block < parent;
    at = g->regions[g->blocks[parent].region].op;
  }
  return false;
}
