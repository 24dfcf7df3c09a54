// SPDX-License-Identifier: Apache-2.0
// The program of a session: lists of operations that can be taken out and put in, who uses which value, which name
// means which value. Orders of operations in a block are numbers with gaps, numbered anew where a gap is used up
// (Dietz and Sleator 1987, in its simplest form).
#include <assert.h>
#include <string.h>

#include "solver/session/state.h"

#define ORDER_STEP ((uint64_t)1 << 32)
enum { AMBIGUOUS = VALUE_NONE - 1 };

// What was added to the tables since they had these capacities.
static void init_rooms(shape_session *s, uint32_t ops, uint32_t values, uint32_t uses) {
  for (; ops < s->op_capacity; ops++) s->ops[ops] = (doc_op){.previous = ID_NONE};
  for (; values < s->value_capacity; values++)
    s->values[values] = (doc_value){.first_use = ID_NONE, .shape = SHAPE_NONE};
  for (; uses < s->use_capacity; uses++) s->uses[uses] = (doc_use){ID_NONE, ID_NONE, ID_NONE};
}

void document_room(shape_session *s) {
  const shape_graph *g = &s->graph;
  uint32_t ops = s->op_capacity, values = s->value_capacity, uses = s->use_capacity;
  SESSION_GROW(&s->arena, s->ops, ops, g->op_count, s->op_capacity);
  SESSION_GROW(&s->arena, s->values, values, g->value_count, s->value_capacity);
  SESSION_GROW(&s->arena, s->uses, uses, g->operand_count, s->use_capacity);
  init_rooms(s, ops, values, uses);
  uint32_t gone = s->symbol_gone_capacity;
  SESSION_GROW(&s->arena, s->symbol_gone, gone, g->symbol_count, s->symbol_gone_capacity);
  if (s->symbol_gone_capacity > gone)
    memset(s->symbol_gone + gone, 0, s->symbol_gone_capacity - gone);
  gone = s->assumption_gone_capacity;
  SESSION_GROW(&s->arena, s->assumption_gone, gone, g->assumption_count,
               s->assumption_gone_capacity);
  if (s->assumption_gone_capacity > gone)
    memset(s->assumption_gone + gone, 0, s->assumption_gone_capacity - gone);
}

bool document_in_step(const shape_session *s) {
  const shape_graph *g = &s->graph;
  const session_run *r = &s->run;
  if (s->op_capacity < g->op_count || s->value_capacity < g->value_count ||
      s->use_capacity < g->operand_count || s->symbol_gone_capacity < g->symbol_count ||
      s->assumption_gone_capacity < g->assumption_count)
    return false;
  return !r->valid || !r->plain || r->row_count == r->graph.symbol_count;
}

func_id document_func(const shape_session *s, op_id op) {
  const shape_graph *g = &s->graph;
  return g->regions[g->blocks[g->ops[op].parent].region].func;
}

// --- names

static uint64_t name_key(func_id func, name_id name) { return (uint64_t)func << 32 | name; }

static bool has_name(const shape_session *s, value_id v) {
  name_id name = s->graph.values[v].name;
  return name != NAME_NONE && intern_length(&s->graph.names, name);
}

static void add_name(shape_session *s, func_id func, value_id v) {
  uint32_t known = VALUE_NONE;
  s->values[v].there = true;
  if (!has_name(s, v)) return;
  uint64_t key = name_key(func, s->graph.values[v].name);
  imap_get(&s->names, key, &known);
  imap_put(&s->names, &s->arena, key, known == VALUE_NONE ? v : AMBIGUOUS);
}

static void drop_name(shape_session *s, func_id func, value_id v) {
  uint32_t known;
  s->values[v].there = false;
  if (!has_name(s, v)) return;
  uint64_t key = name_key(func, s->graph.values[v].name);
  if (imap_get(&s->names, key, &known) && known == v)
    imap_put(&s->names, &s->arena, key, VALUE_NONE);
}

void document_set_there(shape_session *s, func_id func, value_id value, bool there) {
  if (there) {
    add_name(s, func, value);
  } else {
    drop_name(s, func, value);
  }
}

value_id document_find(const shape_session *s, func_id func, name_id name) {
  uint32_t known;
  if (name == NAME_NONE || !imap_get(&s->names, name_key(func, name), &known)) return VALUE_NONE;
  return known == AMBIGUOUS ? VALUE_NONE : known;
}

bool document_name_taken(const shape_session *s, func_id func, name_id name) {
  uint32_t known;
  return imap_get(&s->names, name_key(func, name), &known) && known != VALUE_NONE;
}

// --- uses

static void add_use(shape_session *s, op_id op, uint32_t slot) {
  assert(slot < s->graph.operand_count);
  value_id v = s->graph.operands[slot];
  s->uses[slot] = (doc_use){op, ID_NONE, ID_NONE};
  if (v == VALUE_NONE) return;
  doc_value *value = &s->values[v];
  s->uses[slot].next = value->first_use;
  if (value->first_use != ID_NONE) s->uses[value->first_use].previous = slot;
  value->first_use = slot;
  value->use_count++;
}

static void drop_use(shape_session *s, uint32_t slot) {
  value_id v = s->graph.operands[slot];
  doc_use *use = &s->uses[slot];
  if (v == VALUE_NONE || use->op == ID_NONE) return;
  if (use->previous == ID_NONE) {
    assert(s->values[v].first_use == slot);
    s->values[v].first_use = use->next;
  } else {
    s->uses[use->previous].next = use->next;
  }
  if (use->next != ID_NONE) s->uses[use->next].previous = use->previous;
  *use = (doc_use){ID_NONE, ID_NONE, ID_NONE};
  assert(s->values[v].use_count > 0);
  s->values[v].use_count--;
}

void document_set_operand(shape_session *s, uint32_t slot, value_id value) {
  op_id op = s->uses[slot].op;
  assert(op != ID_NONE);
  drop_use(s, slot);
  s->graph.operands[slot] = value;
  add_use(s, op, slot);
}

// Whether they are there or not: an operation, its results, and all in its regions.
static void set_block(shape_session *s, func_id func, block_id block, bool there);

static void set_op(shape_session *s, func_id func, op_id op, bool there) {
  const graph_op *o = &s->graph.ops[op];
  assert(op < s->op_capacity);
  if (s->ops[op].there != there) s->op_count += there ? 1 : UINT32_MAX;  // or one less
  s->ops[op].there = there;
  for (uint32_t i = 0; i < o->operand_count; i++) {
    if (there) {
      add_use(s, op, o->operands + i);
    } else {
      drop_use(s, o->operands + i);
    }
  }
  for (uint32_t i = 0; i < o->result_count; i++) {
    if (there) {
      add_name(s, func, o->results + i);
    } else {
      drop_name(s, func, o->results + i);
    }
  }
  for (uint32_t i = 0; i < o->region_count; i++) {
    const graph_region *r = &s->graph.regions[o->regions + i];
    for (uint32_t k = 0; k < r->block_count; k++) set_block(s, func, r->first_block + k, there);
  }
}

static void set_block(shape_session *s, func_id func, block_id block, bool there) {
  const graph_block *b = &s->graph.blocks[block];
  for (uint32_t i = 0; i < b->argument_count; i++) {
    if (there) {
      add_name(s, func, b->arguments + i);
    } else {
      drop_name(s, func, b->arguments + i);
    }
  }
  op_id previous = ID_NONE;
  uint64_t order = ORDER_STEP;
  for (op_id op = b->first; op != ID_NONE; op = s->graph.ops[op].next) {
    if (there) {
      s->ops[op].previous = previous;
      s->ops[op].order = order;
      previous = op;
      order += ORDER_STEP;
    }
    if (!s->open) arena_poll_at(&s->arena, op);  // later a change happens as a whole
    set_op(s, func, op, there);
  }
}

void document_use(shape_session *s, op_id op) { set_op(s, document_func(s, op), op, true); }
void document_unuse(shape_session *s, op_id op) { set_op(s, document_func(s, op), op, false); }

void document_adopt(shape_session *s) {
  const shape_graph *g = &s->graph;
  // Room for edits, so that the first does not wait for it.
  enum { SLACK = 64 };
  SESSION_GROW(&s->arena, s->ops, 0, g->op_count + g->op_count / 4 + SLACK, s->op_capacity);
  SESSION_GROW(&s->arena, s->values, 0, g->value_count + g->value_count / 4 + SLACK,
               s->value_capacity);
  SESSION_GROW(&s->arena, s->uses, 0, g->operand_count + g->operand_count / 4 + SLACK,
               s->use_capacity);
  init_rooms(s, 0, 0, 0);
  document_room(s);
  s->arguments = arena_zalloc(&s->arena, ((size_t)g->func_count + 1) * sizeof *s->arguments);
  for (func_id f = 0; f < g->func_count; f++) {
    if (g->funcs[f].body == ID_NONE) continue;
    const graph_region *body = &g->regions[g->funcs[f].body];
    for (uint32_t i = 0; i < body->block_count; i++) set_block(s, f, body->first_block + i, true);
  }
}

// --- lists

static void renumber(shape_session *s, block_id block) {
  uint64_t order = ORDER_STEP;
  for (op_id op = s->graph.blocks[block].first; op != ID_NONE; op = s->graph.ops[op].next) {
    s->ops[op].order = order;
    order += ORDER_STEP;
  }
}

static void give_order(shape_session *s, op_id op) {
  const graph_op *o = &s->graph.ops[op];
  for (int round = 0; round < 2; round++) {
    op_id previous = s->ops[op].previous;
    uint64_t low = previous == ID_NONE ? 0 : s->ops[previous].order;
    uint64_t high = o->next == ID_NONE ? low + 2 * ORDER_STEP : s->ops[o->next].order;
    s->ops[op].order = low + (high - low) / 2;
    if (s->ops[op].order > low && s->ops[op].order < high) return;
    renumber(s, o->parent);
  }
  assert(o->next == ID_NONE || s->ops[op].order < s->ops[o->next].order);
}

static void put_between(shape_session *s, op_id op, op_id previous, op_id next) {
  shape_graph *g = &s->graph;
  graph_block *block = &g->blocks[g->ops[op].parent];
  assert(previous == ID_NONE || g->ops[previous].parent == g->ops[op].parent);
  assert(previous != op && next != op);
  g->ops[op].next = next;
  s->ops[op].previous = previous;
  if (previous == ID_NONE) {
    block->first = op;
  } else {
    g->ops[previous].next = op;
  }
  if (next == ID_NONE) {
    block->last = op;
  } else {
    s->ops[next].previous = op;
  }
}

void document_link(shape_session *s, op_id op, op_id next_to, bool after) {
  shape_graph *g = &s->graph;
  assert(s->ops[next_to].there && !s->ops[op].there);
  g->ops[op].parent = g->ops[next_to].parent;
  if (after) {
    put_between(s, op, next_to, g->ops[next_to].next);
  } else {
    put_between(s, op, s->ops[next_to].previous, next_to);
  }
  give_order(s, op);
  document_use(s, op);
}

void document_unlink(shape_session *s, op_id op) {
  shape_graph *g = &s->graph;
  assert(s->ops[op].there);
  op_id previous = s->ops[op].previous, next = g->ops[op].next;
  graph_block *block = &g->blocks[g->ops[op].parent];
  document_unuse(s, op);
  if (previous == ID_NONE) {
    block->first = next;
  } else {
    g->ops[previous].next = next;
  }
  if (next == ID_NONE) {
    block->last = previous;
  } else {
    s->ops[next].previous = previous;
  }
}

// Steps are taken back in reverse, so its neighbours are there again.
void document_relink(shape_session *s, op_id op) {
  assert(!s->ops[op].there);
  put_between(s, op, s->ops[op].previous, s->graph.ops[op].next);
  give_order(s, op);  // the others may have been numbered anew since
  document_use(s, op);
}

// --- dominance

bool document_dominates(const shape_session *s, value_id value, op_id op) {
  const shape_graph *g = &s->graph;
  assert(op < s->graph.op_count && value < s->graph.value_count);
  const graph_value *v = &g->values[value];
  if (!s->values[value].there) return false;
  block_id block = v->is_argument ? v->def : g->ops[v->def].parent;
  for (op_id at = op; at != ID_NONE;) {
    block_id parent = g->ops[at].parent;
    if (parent == block) return v->is_argument || s->ops[v->def].order < s->ops[at].order;
    if (g->blocks[parent].region == g->blocks[block].region) return block < parent;
    at = g->regions[g->blocks[parent].region].op;
  }
  return false;
}
