// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/slice.h"

#include <assert.h>

#include "solver/decide/store_query.h"
#include "solver/ops/registry.h"

enum { FACTS_MAX = 64, FRAMES_MAX = 1 << 19, INDEX_MAX = 1 << 12 };

// What ends a region says which values leave it; it has no rule of its own.
static bool is_terminator(const shape_graph *g, op_id op) {
  if (op == ID_NONE || graph_terminator(g, g->ops[op].parent) != op) return false;
  const op_row *row =
      registry_find(graph_op_name(g, op), intern_length(&g->names, g->ops[op].name), 0);
  return row && row->structure == OP_RETURN;
}

static void add_op(op_slice *s, op_id op) {
  const shape_graph *g = s->infer->graph;
  if (op >= g->op_count || s->in[op] || (s->only && !s->only[op])) return;
  s->in[op] = 1;
  s->ops = arena_grow(g->arena, s->ops, s->op_count, (size_t)s->op_count + 1, &s->op_capacity,
                      sizeof *s->ops);
  s->ops[s->op_count++] = op;
}

// The operation that makes a value, and the one whose regions hold the value.
static op_id maker_of(const shape_graph *g, value_id v) {
  const graph_value *value = &g->values[v];
  return value->is_argument ? g->regions[g->blocks[value->def].region].op : value->def;
}

static void push(op_slice *s, shape_cell c) {
  const shape_graph *g = s->infer->graph;
  uint32_t seen;
  if (c.value == VALUE_NONE || c.frame >= FRAMES_MAX || c.index >= INDEX_MAX) return;
  uint64_t key = (uint64_t)c.value << 32 | (uint64_t)c.frame << 13 | c.index << 1 | c.element;
  if (cell_term(s->infer, c) == TERM_NONE || imap_get(&s->seen, key, &seen)) return;
  op_id op = maker_of(g, c.value);
  if (s->only && op != ID_NONE && !s->only[op]) return;
  imap_put(&s->seen, g->arena, key, 1);
  s->cells = arena_grow(g->arena, s->cells, s->cell_count, (size_t)s->cell_count + 1,
                        &s->cell_capacity, sizeof *s->cells);
  s->cells[s->cell_count++] = c;
}

// --- terms

typedef struct symbol_set {
  const infer_result *infer;
  shape_imap *symbols;
} symbol_set;

static void add_symbol(void *data, term_id atom) {
  const symbol_set *set = data;
  if (term_kind_of(set->infer->terms, atom) == TERM_SYMBOL)
    imap_put(set->symbols, set->infer->graph->arena, atom, 1);
}

static void add_symbols(const op_slice *s, term_id t, shape_imap *to) {
  symbol_set set = {s->infer, to};
  if (t != TERM_NONE) term_visit_atoms(s->infer->terms, t, add_symbol, &set);
}

// Of atoms only symbols are in the map.
static bool is_in(void *data, term_id atom) {
  uint32_t ignored;
  return imap_get(data, atom, &ignored);
}

// Numbers are shared by everybody who reads numbers.
static bool is_related(const op_slice *s, term_id t, const shape_imap *symbols) {
  if (t == TERM_NONE) return false;
  return term_kind_of(s->infer->terms, t) == TERM_CONST ||
         term_any_atom(s->infer->terms, t, is_in, (void *)symbols);
}

// Cells of a value that hold the term; of several the one at `index`, else the first.
static bool push_same(op_slice *s, uint32_t frame, value_id v, term_id t, uint32_t index) {
  if (v == VALUE_NONE) return false;
  for (int kind = 1; kind >= 0; kind--) {
    shape_cell c = {frame, v, index, kind == 1}, first = {frame, VALUE_NONE, 0, kind == 1};
    uint32_t count = cell_count(s->infer, frame, v, c.element);
    if (index < count && cell_term(s->infer, c) == t) {
      push(s, c);
      return true;
    }
    for (c.index = 0; c.index < count && first.value == VALUE_NONE; c.index++) {
      if (cell_term(s->infer, c) == t) first = c;
    }
    if (first.value == VALUE_NONE) continue;
    push(s, first);
    return true;
  }
  return false;
}

static void push_related(op_slice *s, uint32_t frame, value_id v, const shape_imap *symbols) {
  enum { MOST = 64 };
  for (int kind = 0; v != VALUE_NONE && kind < 2; kind++) {
    shape_cell c = {frame, v, 0, kind == 1};
    uint32_t count = cell_count(s->infer, frame, v, c.element);
    for (; c.index < count && c.index < MOST; c.index++) {
      if (is_related(s, cell_term(s->infer, c), symbols)) push(s, c);
    }
  }
}

// --- operations

static void add_constants(op_slice *s, op_id op) {
  const shape_graph *g = s->infer->graph;
  for (uint32_t i = 0; i < g->ops[op].operand_count; i++) {
    value_id v = graph_operand(g, op, i);
    if (v == VALUE_NONE || g->values[v].is_argument) continue;
    if (!g->ops[g->values[v].def].operand_count) add_op(s, g->values[v].def);
  }
}

// Operations whose regions hold this one, and the calls that lead to its function.
static void add_around(op_slice *s, uint32_t frame, block_id block) {
  const shape_graph *g = s->infer->graph;
  for (;;) {
    assert(block < g->block_count);
    op_id op = g->regions[g->blocks[block].region].op;
    if (op == ID_NONE) break;
    add_op(s, op);
    block = g->ops[op].parent;
  }
  const infer_frame *f = &s->infer->frames[frame];
  if (f->caller != ID_NONE && f->parent != ID_NONE && !s->in[f->caller]) {
    add_op(s, f->caller);
    add_around(s, f->parent, g->ops[f->caller].parent);
  }
}

static void follow_call(op_slice *s, shape_cell c, uint32_t callee) {
  assert(callee < s->infer->frame_count && c.value < s->infer->graph->value_count);
  const infer_frame *f = &s->infer->frames[callee];
  uint32_t index = graph_value_index(s->infer->graph, c.value);
  if (f->results && index < f->result_count)
    push(s, (shape_cell){callee, f->results[index], c.index, c.element});
}

static void follow_regions(op_slice *s, shape_cell c, op_id op) {
  const shape_graph *g = s->infer->graph;
  assert(op < g->op_count && c.value < g->value_count);
  uint32_t index = graph_value_index(g, c.value);
  for (uint32_t i = 0; i < g->ops[op].region_count; i++) {
    const graph_region *r = &g->regions[g->ops[op].regions + i];
    op_id end = r->block_count ? graph_terminator(g, r->first_block) : ID_NONE;
    if (end == ID_NONE || index >= g->ops[end].operand_count) continue;
    push(s, (shape_cell){c.frame, graph_operand(g, end, index), c.index, c.element});
  }
}

static void follow_op(op_slice *s, shape_cell c, op_id op) {
  const shape_graph *g = s->infer->graph;
  assert(op < g->op_count && c.frame < s->infer->frame_count);
  term_id t = cell_term(s->infer, c);
  bool same = false;
  add_op(s, op);
  add_constants(s, op);
  add_around(s, c.frame, g->ops[op].parent);
  uint32_t callee = cell_callee(s->infer, c.frame, op);
  if (callee != ID_NONE && callee < s->infer->frame_count) {
    follow_call(s, c, callee);
    return;
  }
  if (g->ops[op].region_count) follow_regions(s, c, op);
  bool constant = term_kind_of(s->infer->terms, t) == TERM_CONST;
  for (uint32_t i = 0; i < g->ops[op].operand_count; i++) {
    same |= push_same(s, c.frame, graph_operand(g, op, i), t, c.index);
  }
  if (same && !constant) return;
  shape_imap symbols = {0};
  add_symbols(s, t, &symbols);
  for (uint32_t i = 0; i < g->ops[op].operand_count; i++)
    push_related(s, c.frame, graph_operand(g, op, i), &symbols);
}

static void follow_argument(op_slice *s, shape_cell c) {
  const shape_graph *g = s->infer->graph;
  const graph_value *v = &g->values[c.value];
  const graph_region *r = &g->regions[g->blocks[v->def].region];
  if (r->op != ID_NONE) {
    follow_op(s, c, r->op);
    value_id carried = graph_operand(g, r->op, graph_value_index(g, c.value));
    if (carried != VALUE_NONE) push(s, (shape_cell){c.frame, carried, c.index, c.element});
    return;
  }
  const infer_frame *f = &s->infer->frames[c.frame];
  if (f->caller == ID_NONE || f->parent == ID_NONE) return;
  add_op(s, f->caller);
  add_around(s, f->parent, g->ops[f->caller].parent);
  value_id given = graph_operand(g, f->caller, graph_value_index(g, c.value));
  if (given != VALUE_NONE) push(s, (shape_cell){f->parent, given, c.index, c.element});
}

static void follow_cells(op_slice *s, uint32_t from) {
  const shape_graph *g = s->infer->graph;
  for (uint32_t i = from; i < s->cell_count; i++) {
    shape_cell c = s->cells[i];
    assert(c.value < g->value_count);
    if (g->values[c.value].is_argument) {
      follow_argument(s, c);
    } else {
      follow_op(s, c, g->values[c.value].def);
    }
  }
}

// --- facts

static void add_fact(op_slice *s, const fact *f) {
  const shape_graph *g = s->infer->graph;
  shape_imap symbols = {0};
  add_symbols(s, f->p.left, &symbols);
  add_symbols(s, f->p.right, &symbols);
  uint32_t frame = f->why.frame < s->infer->frame_count ? f->why.frame : 0;
  if (f->why.kind == REASON_TYPE && f->why.subject < g->value_count) {
    push_related(s, frame, f->why.subject, &symbols);
    return;
  }
  if (f->why.kind != REASON_OP || f->why.subject >= g->op_count) return;
  op_id op = f->why.subject;
  if (s->only && !s->only[op]) return;
  add_op(s, op);
  add_constants(s, op);
  add_around(s, frame, g->ops[op].parent);
  s->facts = arena_grow(g->arena, s->facts, s->fact_count, (size_t)s->fact_count + 1,
                        &s->fact_capacity, sizeof *s->facts);
  s->facts[s->fact_count++] = (slice_fact){op, f->p, f->why};
  for (uint32_t i = 0; i < g->ops[op].operand_count; i++)
    push_related(s, frame, graph_operand(g, op, i), &symbols);
}

static void add_facts(op_slice *s, term_id made, term_id size) {
  shape_store *store = s->infer->store;
  fact_id facts[FACTS_MAX];
  uint32_t count = 0;
  if (made == size) return;
  if (!store_explain(store, predicate_make(REL_EQ, made, size), facts, FACTS_MAX, &count)) return;
  for (uint32_t i = 0; i < count && i < FACTS_MAX; i++) add_fact(s, store_fact(store, facts[i]));
}

void slice_make(const infer_result *infer, shape_cell cell, term_id size, const uint8_t *only,
                op_slice *out) {
  const shape_graph *g = infer->graph;
  *out = (op_slice){.infer = infer, .only = only};
  out->in = arena_zalloc(g->arena, g->op_count + 1);
  for (block_id b = 0; b < g->block_count; b++) {
    if (is_terminator(g, graph_terminator(g, b))) out->in[graph_terminator(g, b)] = 1;
  }
  push(out, cell);
  add_facts(out, cell_term(infer, cell), size);
  follow_cells(out, 0);
}

// --- wider

static void add_region(op_slice *s, op_id op) {
  const shape_graph *g = s->infer->graph;
  for (uint32_t i = 0; i < g->ops[op].region_count; i++) {
    const graph_region *r = &g->regions[g->ops[op].regions + i];
    for (uint32_t b = 0; b < r->block_count; b++) {
      for (op_id k = g->blocks[r->first_block + b].first; k != ID_NONE; k = g->ops[k].next)
        add_op(s, k);
    }
  }
}

void slice_widen(op_slice *s, bool all) {
  const shape_graph *g = s->infer->graph;
  const uint32_t facts = store_fact_count(s->infer->store);
  if (all) {
    for (op_id op = 0; op < g->op_count; op++) add_op(s, op);
    return;
  }
  // A required equality may have decided a branch, a loop or a slice on the way.
  for (fact_id f = 0; f < facts; f++) {
    const fact *said = store_fact(s->infer->store, f);
    if (said->why.kind == REASON_OP && said->why.required) add_op(s, said->why.subject);
  }
  for (uint32_t i = 0; i < s->op_count; i++) {
    op_id op = s->ops[i];
    for (uint32_t k = 0; k < g->ops[op].operand_count; k++) {
      value_id v = graph_operand(g, op, k);
      if (v != VALUE_NONE && maker_of(g, v) != ID_NONE) add_op(s, maker_of(g, v));
    }
    add_region(s, op);
  }
}
