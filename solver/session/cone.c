// SPDX-License-Identifier: Apache-2.0
// What depends on an edit, followed from results that came out otherwise to their users, in program order.
//
// Whether that is what a fresh analysis would say is looked at for every operation; the first doubt ends the attempt,
// and the caller has the whole program analysed. See session.h.
#include <string.h>

#include "solver/session/state.h"

typedef struct cone {
  shape_session *s;
  change_list *out;
  op_id *heap;  // operations of the program, the first in program order on top
  uint32_t count, capacity;
  uint32_t visited;
} cone;

// --- the queue

static bool goes_first(const cone *c, op_id a, op_id b) {
  return c->s->ops[a].order < c->s->ops[b].order;
}

static void push(cone *c, op_id op) {
  shape_session *s = c->s;
  if (s->ops[op].flags & QUEUED) return;
  s->ops[op].flags |= QUEUED;
  SESSION_GROW(&s->scratch, c->heap, c->count, c->count + 1u, c->capacity);
  uint32_t at = c->count++;
  for (; at && goes_first(c, op, c->heap[(at - 1) / 2]); at = (at - 1) / 2)
    c->heap[at] = c->heap[(at - 1) / 2];
  c->heap[at] = op;
}

static op_id pop(cone *c) {
  op_id top = c->heap[0], last = c->heap[--c->count];
  uint32_t at = 0, child;
  for (; (child = 2 * at + 1) < c->count; at = child) {
    if (child + 1 < c->count && goes_first(c, c->heap[child + 1], c->heap[child])) child++;
    if (!goes_first(c, c->heap[child], last)) break;
    c->heap[at] = c->heap[child];
  }
  c->heap[at] = last;
  c->s->ops[top].flags &= (uint8_t)~QUEUED;
  return top;
}

static void forget_queue(cone *c) {
  while (c->count) c->s->ops[c->heap[--c->count]].flags &= (uint8_t)~QUEUED;
}

// --- the run's graph

static bool has_regions(const shape_session *s, op_id op) {
  return s->graph.ops[op].region_count != 0;
}

// Brings what was edited into the run's graph; false where that cannot be done in place.
static bool carry_over(shape_session *s) {
  session_run *r = &s->run;
  uint32_t symbols = r->graph.symbol_count;
  block_id body = r->graph.regions[r->graph.funcs[r->infer->entry].body].first_block;
  for (uint32_t i = 0; i < s->touched_count; i++) {
    op_id op = s->touched[i];
    if (!s->ops[op].there) continue;
    if (copy_of(&r->copier.ops, op) == ID_NONE) {
      op_id made = copy_op(&r->copier, op, ID_NONE, r->infer->entry);
      r->graph.ops[made].parent = body;
    } else if (has_regions(s, op)) {
      return false;
    } else {
      copy_op_again(&r->copier, op);
    }
  }
  run_make_room(s);
  return r->graph.symbol_count == symbols;
}

// --- one operation

static bool same_info(const value_info *a, const value_info *b) {
  if (a->ranked != b->ranked || a->rank != b->rank || a->element_count != b->element_count ||
      !a->elements != !b->elements || a->parts != b->parts)
    return false;
  if (a->ranked && a->rank && memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) != 0)
    return false;
  return !a->element_count || a->elements == b->elements ||
         memcmp(a->elements, b->elements, a->element_count * sizeof *a->elements) == 0;
}

static value_info *info_of(shape_session *s, value_id own) {
  const infer_frame *f = &s->run.infer->frames[0];
  return &f->values[own - f->value_base];
}

// What a visit may not change; `asked` only behind the last operation that stated a fact.
typedef struct store_state {
  uint32_t facts, diags;
  uint64_t asked;
} store_state;

static store_state state_of(const shape_session *s) {
  const shape_store *store = s->run.infer->store;
  return (store_state){store_live_count(store),
                       s->run.graph.diags.count + s->run.graph.diags.dropped, store_asked(store)};
}

static bool may_visit(const shape_session *s, op_id op) {
  const doc_op *o = &s->ops[op];
  bool early = o->order <= s->run.last_stated;
  if ((o->flags & STICKY) || (early && s->run.graph.diags.count)) return false;
  const graph_op *g = &s->graph.ops[op];
  for (uint32_t i = 0; i < g->operand_count; i++) {
    value_id v = s->graph.operands[g->operands + i];
    if (v != VALUE_NONE && s->values[v].late) return false;
  }
  return true;
}

// The rule on cleared results; false where it did more than a visit may.
static bool visit(shape_session *s, op_id op, op_id own, value_info *before,
                  const value_info *operands) {
  session_run *r = &s->run;
  const graph_op o = r->graph.ops[own];
  for (uint32_t i = 0; i < o.result_count; i++) {
    before[i] = *info_of(s, o.results + i);
    *info_of(s, o.results + i) = (value_info){0};
  }
  store_state state = state_of(s);
  if (!infer_revisit(r->infer, own)) return false;
  store_state now = state_of(s);
  if (now.facts != state.facts || now.diags != state.diags) return false;
  if (now.asked != state.asked && s->ops[op].order <= r->last_stated) return false;
  for (uint32_t i = 0; i < o.operand_count; i++) {
    value_id v = graph_operand(&r->graph, own, i);
    if (v != VALUE_NONE && memcmp(&operands[i], info_of(s, v), sizeof *operands) != 0) return false;
  }
  stable_ordinals(s, own);
  return true;
}

static void note_block(cone *c, block_id block) {
  shape_session *s = c->s;
  const graph_block *b = &s->graph.blocks[block];
  for (uint32_t i = 0; i < b->argument_count; i++)
    change_note(s, c->out, b->arguments + i, stable_shape(s, b->arguments + i));
  for (op_id op = b->first; op != ID_NONE; op = s->graph.ops[op].next) {
    const graph_op *o = &s->graph.ops[op];
    for (uint32_t i = 0; i < o->result_count; i++)
      change_note(s, c->out, o->results + i, stable_shape(s, o->results + i));
    for (uint32_t i = 0; i < o->region_count; i++) {
      const graph_region *r = &s->graph.regions[o->regions + i];
      for (uint32_t k = 0; k < r->block_count; k++) note_block(c, r->first_block + k);
    }
  }
}

// Users of a result are looked at where it came out otherwise, and where the operation itself was edited: a rule may
// look at the attributes of a constant that it uses.
static bool push_users(cone *c, value_id value) {
  shape_session *s = c->s;
  block_id body = s->graph.ops[s->graph.values[value].def].parent;
  for (uint32_t slot = s->values[value].first_use; slot != ID_NONE; slot = s->uses[slot].next) {
    op_id user = s->uses[slot].op;
    if (s->graph.ops[user].parent != body) return false;
    push(c, user);
  }
  return true;
}

static bool follow_one(cone *c, op_id op) {
  shape_session *s = c->s;
  session_run *r = &s->run;
  op_id own = copy_of(&r->copier.ops, op);
  if (own == ID_NONE || !may_visit(s, op)) return false;
  const graph_op o = r->graph.ops[own];
  value_info *before = arena_alloc(&s->scratch, ((size_t)o.result_count + 1) * sizeof *before);
  value_info *operands = arena_alloc(&s->scratch, ((size_t)o.operand_count + 1) * sizeof *operands);
  for (uint32_t i = 0; i < o.operand_count; i++) {
    value_id v = graph_operand(&r->graph, own, i);
    operands[i] = v == VALUE_NONE ? (value_info){0} : *info_of(s, v);
  }
  c->visited++;
  if (!visit(s, op, own, before, operands)) return false;
  const graph_op *mine = &s->graph.ops[op];
  for (uint32_t i = 0; i < o.result_count; i++) {
    value_id v = mine->results + i;
    bool same = same_info(&before[i], info_of(s, o.results + i));
    if (same) info_of(s, o.results + i)->dims = before[i].dims;
    change_note(s, c->out, v, stable_shape(s, v));
    if ((!same || (s->ops[op].flags & TOUCHED)) && !push_users(c, v)) return false;
  }
  for (uint32_t i = 0; i < mine->region_count; i++) {
    const graph_region *region = &s->graph.regions[mine->regions + i];
    for (uint32_t k = 0; k < region->block_count; k++) note_block(c, region->first_block + k);
  }
  return true;
}

static void note_gone(cone *c, op_id op) {
  shape_session *s = c->s;
  const graph_op *o = &s->graph.ops[op];
  for (uint32_t i = 0; i < o->result_count; i++) change_note(s, c->out, o->results + i, SHAPE_NONE);
  for (uint32_t i = 0; i < o->region_count; i++) {
    const graph_region *r = &s->graph.regions[o->regions + i];
    for (uint32_t k = 0; k < r->block_count; k++) {
      const graph_block *b = &s->graph.blocks[r->first_block + k];
      for (uint32_t a = 0; a < b->argument_count; a++)
        change_note(s, c->out, b->arguments + a, SHAPE_NONE);
      for (op_id in = b->first; in != ID_NONE; in = s->graph.ops[in].next) note_gone(c, in);
    }
  }
}

static bool removed_freely(cone *c) {
  shape_session *s = c->s;
  for (uint32_t i = 0; i < s->removed_count; i++) {
    op_id op = s->removed[i];
    if (s->ops[op].there) continue;
    if (s->ops[op].flags & STICKY) return false;
    const graph_op *o = &s->graph.ops[op];
    // One that the run never saw, or with regions whose scopes it holds: both are simple, as nothing was stated.
    for (uint32_t k = 0; k < o->result_count; k++) {
      if (s->values[o->results + k].late) return false;
    }
    note_gone(c, op);
  }
  return true;
}

// A run that has grown to twice its size by visits is made anew.
static bool has_grown(shape_session *s) {
  enum { SLACK = 8 << 20 };
  return run_arena(s)->bytes > 2 * s->run.bytes_at_start + SLACK;
}

bool cone_follow(shape_session *s, change_list *out, uint32_t *visited) {
  if (!s->run.valid || !s->run.plain || s->structural || has_grown(s)) return false;
  cone c = {.s = s, .out = out};
  bool sure = removed_freely(&c) && carry_over(s);
  for (uint32_t i = 0; sure && i < s->touched_count; i++) {
    if (s->ops[s->touched[i]].there) push(&c, s->touched[i]);
  }
  while (sure && c.count) sure = follow_one(&c, pop(&c));
  forget_queue(&c);
  *visited = c.visited;
  return sure;
}
