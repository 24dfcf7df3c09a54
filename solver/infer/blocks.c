// SPDX-License-Identifier: Apache-2.0
// Bodies of functions with several blocks. Which of them run, and how often, is for their branches to say: what holds
// outside of a block is what its entry block says, and those that it goes on to without a choice. The others are treated
// as branches of a region are: a quiet pass finds what their values are, and when the scope around is complete each gets
// a scope of its own.
//
// A value may be used in the blocks that its own dominates (MLIR LangRef, "Blocks"), and its terms hold there too: they
// speak of values that dominate it in turn, in the state they had when it was made. So blocks are walked in the order of
// the text, but each after the one that dominates it. An argument of a block has the dims
// on which all branches to it agree, where they are walked before it; others are new symbols. Where the end of a block has
// neither successors nor results it is not known what it does: any block may be reached from there.
// Cost: that of the operations, each branch is visited three times.
#include <assert.h>

#include "solver/graph/dominance.h"
#include "solver/infer/state.h"
#include "solver/ops/rules/common/rules.h"

enum { SWITCH_MAX = 16 };  // cases of a switch whose conditions are followed

typedef struct block_way {
  const graph_successor *first;  // a branch to it; the others are linked by `next`
  bool known;                    // all of them are, and are walked before it
  bool runs;                     // whenever the entry block does
  term_id condition;             // of body_final: not 0 wherever it runs; TERM_NONE: not known
} block_way;

typedef struct body_ways {
  block_way *blocks;
  const uint32_t *order;  // their indices as they are walked: what dominates a block is before it
  const uint32_t *position;      // by index, in that order
  const graph_successor *base;   // the rows of the body are side by side
  const graph_successor **next;  // by index from `base`
} body_ways;

static const graph_successor *next_entry(const body_ways *w, const graph_successor *row) {
  assert(row >= w->base);
  return w->next[row - w->base];
}

static bool returns(infer_state *s, op_id op) {
  return op != ID_NONE && walk_row(s, op)->structure == OP_RETURN;
}

static uint32_t block_of(const infer_state *s, const graph_region *r, op_id op) {
  assert(s->g->ops[op].parent - r->first_block < r->block_count);
  return s->g->ops[op].parent - r->first_block;
}

static void find_walk(infer_state *s, region_id body, body_ways *w) {
  uint32_t count = s->g->regions[body].block_count;
  uint32_t *position = arena_zalloc(s->arena, count * sizeof *position);
  const uint32_t *dominators = graph_dominators(s->g, body, s->arena, s->budget);
  w->order = graph_block_order(dominators, count, s->arena);
  for (uint32_t i = 0; i < count; i++) position[w->order[i]] = i;
  w->position = position;
}

static body_ways find_ways(infer_state *s, region_id body) {
  static const uint32_t only[] = {0};
  const graph_region *r = &s->g->regions[body];
  body_ways w = {.blocks = arena_zalloc(s->arena, r->block_count * sizeof *w.blocks),
                 .order = only,
                 .position = only};
  w.blocks[0].runs = true;
  if (r->block_count == 1) return w;
  find_walk(s, body, &w);
  bool known = true;
  size_t length = 0;
  for (uint32_t i = 0; i < r->block_count; i++) {
    uint32_t count;
    op_id end = graph_terminator(s->g, r->first_block + i);
    const graph_successor *rows = graph_successors(s->g, end, &count);
    if (count && (!w.base || rows < w.base)) {
      length += w.base ? (size_t)(w.base - rows) : 0;
      w.base = rows;
    }
    if (count && (size_t)(rows + count - w.base) > length) length = (size_t)(rows + count - w.base);
  }
  w.next = arena_zalloc(s->arena, (length + 1) * sizeof *w.next);
  for (uint32_t i = r->block_count; i-- > 0;) {
    uint32_t count;
    op_id end = graph_terminator(s->g, r->first_block + i);
    const graph_successor *rows = graph_successors(s->g, end, &count);
    known &= count || returns(s, end);
    for (uint32_t k = 0; k < count; k++) {
      assert(rows[k].block < r->block_count && (size_t)(&rows[k] - w.base) <= length);
      block_way *way = &w.blocks[rows[k].block];
      w.next[&rows[k] - w.base] = way->first;
      way->first = &rows[k];
    }
  }
  for (uint32_t k = 1; k < r->block_count; k++) {
    uint32_t i = w.order[k];
    block_way *way = &w.blocks[i];
    const graph_successor *from = way->first;
    way->known = known && from;
    for (; from; from = next_entry(&w, from))
      way->known &=
          w.position[block_of(s, r, from->op)] < k && from->count != GRAPH_OPERANDS_UNKNOWN;
    if (!way->known || next_entry(&w, way->first)) continue;
    uint32_t count;
    graph_successors(s->g, way->first->op, &count);
    way->runs = count == 1 && w.blocks[block_of(s, r, way->first->op)].runs;
  }
  return w;
}

// What all branches to a block hand over as one of its arguments; false where they do not agree on its rank.
static bool handed(infer_state *s, const body_ways *w, const block_way *way, uint32_t index,
                   value_info *out) {
  term_id *dims = NULL;
  if (!way->known) return false;
  for (const graph_successor *from = way->first; from; from = next_entry(w, from)) {
    value_id id =
        index < from->count ? graph_operand(s->g, from->op, from->first + index) : VALUE_NONE;
    const value_info *v = id == VALUE_NONE ? NULL : state_value(s, id);
    if (!v || !v->visited) return false;
    if (from == way->first) {
      *out = *v;
      continue;
    }
    if (!v->ranked || !out->ranked || v->rank != out->rank) return false;
    if (!dims) {
      dims = arena_alloc(s->arena, (v->rank + 1) * sizeof *dims);
      for (uint32_t d = 0; d < v->rank; d++) dims[d] = out->dims[d];
      *out = (value_info){.visited = true, .ranked = true, .rank = v->rank, .dims = dims};
    }
    for (uint32_t d = 0; d < v->rank; d++) {
      if (dims[d] != TERM_NONE &&
          (v->dims[d] == TERM_NONE || !store_equal(s->store, dims[d], v->dims[d])))
        dims[d] = TERM_NONE;
    }
  }
  return true;
}

static void block_arguments(infer_state *s, const body_ways *w, const graph_region *r, uint32_t i) {
  const graph_block *b = &s->g->blocks[r->first_block + i];
  for (uint32_t k = 0; k < b->argument_count; k++) {
    value_info *v = state_value(s, b->arguments + k), from;
    if (v->visited) continue;
    value_of_argument(s, v, s->g->values[b->arguments + k].type, s->frame, ID_NONE);
    if (!handed(s, w, &w->blocks[i], k, &from)) continue;
    bool one = !next_entry(w, w->blocks[i].first);
    if (one) *v = from;
    if (one || !v->ranked || v->rank != from.rank) continue;
    term_id *dims = arena_alloc(s->arena, (v->rank + 1) * sizeof *dims);
    for (uint32_t d = 0; d < v->rank; d++)
      dims[d] = from.dims[d] == TERM_NONE ? v->dims[d] : from.dims[d];
    v->dims = dims;
  }
}

void body_walk(infer_state *s, region_id body) {
  const graph_region *r = &s->g->regions[body];
  if (!r->block_count) return;
  if (s->depth >= INFER_MAX_DEPTH) {
    walk_not_followed(s, state_frame(s)->caller);
    return;
  }
  s->depth++;
  const body_ways w = find_ways(s, body);
  for (uint32_t k = 0; k < r->block_count; k++) {
    uint32_t i = w.order[k];
    region_scope outer = {0};
    bool runs = w.blocks[i].runs;
    if (!runs) outer = trial_enter(s);
    block_arguments(s, &w, r, i);
    walk_block(s, r->first_block + i);
    if (runs) continue;
    walk_again(s, outer.pending, false);
    trial_leave(s, outer);
  }
  op_id last = graph_terminator(s->g, r->first_block);
  if (r->block_count > 1 && last != ID_NONE && !s->quiet)
    defer(s, (deferred_op){.frame = s->frame, .op = last, .blocks = true});
  s->depth--;
}

// The integer by which the end of a block chooses; TERM_NONE: not known.
static term_id choice_of(infer_state *s, op_id end) {
  value_id choice = graph_operand(s->g, end, 0);
  const value_info *v = choice == VALUE_NONE ? NULL : state_value(s, choice);
  return v && v->element_count == 1 && v->elements ? v->elements[0] : TERM_NONE;
}

// The values of a switch; NULL where they are not `count` different ones that its operand can have.
static const int64_t *case_values(infer_state *s, op_id end, uint32_t count) {
  const int64_t *values;
  uint32_t given;
  const graph_type *type = graph_value_type(s->g, graph_operand(s->g, end, 0));
  if (count > SWITCH_MAX || !type ||
      !graph_attr_ints(s->g, graph_attr_named(s->g, end, "case_values"), &values, &given) ||
      given != count)
    return NULL;
  interval all;
  if (!math_range(s->budget, (shape_dtype)type->dtype, &all)) all = interval_all();
  for (uint32_t i = 0; i < count; i++) {
    if (!interval_contains(all, NUM(values[i]))) return NULL;
    for (uint32_t k = 0; k < i; k++) {
      if (values[k] == values[i]) return NULL;
    }
  }
  return values;
}

// The first successor is that of all other values.
static term_id switch_condition(infer_state *s, op_id end, uint32_t successor, uint32_t count) {
  assert(count > 1 && successor < count);
  term_id choice = choice_of(s, end), others = TERM_ONE;
  const int64_t *values = case_values(s, end, count - 1);
  if (choice == TERM_NONE || !values) return TERM_NONE;
  if (successor) return term_eq(s->terms, choice, term_int(s->terms, values[successor - 1]));
  for (uint32_t i = 0; i + 1 < count; i++)
    others = term_sub(s->terms, others, term_eq(s->terms, choice, term_int(s->terms, values[i])));
  return others;
}

// 1 where the block goes on at this location of its end; TERM_NONE: not known.
static term_id entry_condition(infer_state *s, const graph_successor *entry) {
  uint32_t count;
  const graph_successor *rows = graph_successors(s->g, entry->op, &count);
  assert(entry >= rows && entry < rows + count);
  op_structure structure = (op_structure)walk_row(s, entry->op)->structure;
  if (count == 1) return TERM_ONE;
  if (structure == OP_SWITCH)
    return switch_condition(s, entry->op, (uint32_t)(entry - rows), count);
  if (count != 2 || structure != OP_BRANCH) return TERM_NONE;
  term_id choice = choice_of(s, entry->op);
  if (choice == TERM_NONE) return TERM_NONE;
  return entry == rows ? choice : term_not(s->terms, choice);
}

// A run comes to a block by one of its entries at most.
static term_id block_condition(infer_state *s, const body_ways *w, const graph_region *r,
                               uint32_t i) {
  const block_way *way = &w->blocks[i];
  term_id sum = TERM_ZERO;
  if (way->runs) return TERM_ONE;
  if (!way->known) return TERM_NONE;
  for (const graph_successor *from = way->first; from; from = next_entry(w, from)) {
    term_id before = w->blocks[block_of(s, r, from->op)].condition;
    term_id here = entry_condition(s, from);
    if (before == TERM_NONE || here == TERM_NONE) return TERM_NONE;
    sum = term_add(s->terms, sum, term_mul(s->terms, before, here));
    if (term_outweighs(s->terms, sum, VALUE_MAX_WEIGHT)) return TERM_NONE;
  }
  return sum;
}

void body_final(infer_state *s, const deferred_op *entry) {
  region_id body = s->g->funcs[state_frame(s)->func].body;
  const graph_region *r = &s->g->regions[body];
  const body_ways w = find_ways(s, body);
  w.blocks[0].condition = TERM_ONE;
  for (uint32_t k = 1; k < r->block_count; k++) {
    uint32_t i = w.order[k];
    w.blocks[i].condition = block_condition(s, &w, r, i);
    if (w.blocks[i].runs) continue;
    region_scope outer = scope_enter(s, entry->op, i, false);
    s->r->scopes[s->scope].condition = w.blocks[i].condition;
    block_forget(s, r->first_block + i);
    block_arguments(s, &w, r, i);
    walk_block(s, r->first_block + i);
    scope_leave(s, outer, r->first_block + i, 1);
  }
}
