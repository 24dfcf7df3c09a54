// SPDX-License-Identifier: Apache-2.0
// What depends on an edit, followed from results that came out otherwise to their users, and from symbols that are
// solved again to those who asked about them (resolve.c), in program order.
//
// Whether that is what a fresh analysis would say is inspected for every operation; the first doubt ends the attempt,
// and the caller has the whole program analysed. See session.h.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/session/affected.h"

// --- the queue

static bool goes_first(const affected *c, op_id a, op_id b) {
  return c->s->doc.ops[a].order < c->s->doc.ops[b].order;
}

void affected_push(affected *c, op_id op) {
  session_core *s = c->s;
  if (!s->doc.ops[op].there || (s->doc.ops[op].flags & QUEUED)) return;
  s->doc.ops[op].flags |= QUEUED;
  SESSION_GROW(&s->scratch, c->heap, c->count, c->count + 1u, c->capacity);
  uint32_t at = c->count++;
  for (; at && goes_first(c, op, c->heap[(at - 1) / 2]); at = (at - 1) / 2)
    c->heap[at] = c->heap[(at - 1) / 2];
  c->heap[at] = op;
}

static op_id pop(affected *c) {
  assert(c->count > 0);
  op_id top = c->heap[0], last = c->heap[--c->count];
  uint32_t at = 0, child;
  for (; (child = 2 * at + 1) < c->count; at = child) {
    if (child + 1 < c->count && goes_first(c, c->heap[child + 1], c->heap[child])) child++;
    if (!goes_first(c, c->heap[child], last)) break;
    c->heap[at] = c->heap[child];
  }
  c->heap[at] = last;
  assert(c->s->doc.ops[top].flags & QUEUED);
  c->s->doc.ops[top].flags &= (uint8_t)~QUEUED;
  return top;
}

static void forget_queue(affected *c) {
  while (c->count) c->s->doc.ops[c->heap[--c->count]].flags &= (uint8_t)~QUEUED;
}

// --- the run's graph

static bool has_regions(const session_core *s, op_id op) {
  return s->doc.graph.ops[op].region_count != 0;
}

// Brings what was edited into the run's graph; false where that cannot be done in place.
static bool carry_over(session_core *s) {
  session_run *r = &s->run;
  block_id body = r->graph.regions[r->graph.funcs[r->infer->entry].body].first_block;
  for (uint32_t i = 0; i < s->change.touched.count; i++) {
    op_id op = s->change.touched.ids[i];
    if (!s->doc.ops[op].there) continue;
    if (copy_of(&r->copier.ops, op) == ID_NONE) {
      op_id made = copy_op(&r->copier, op, ID_NONE, r->infer->entry);
      r->graph.ops[made].parent = body;
      r->names_symbols |= run_names_symbols(s, r->graph.ops[made].name);
    } else if (has_regions(s, op)) {
      return false;
    } else {
      copy_op_again(&r->copier, op);
      r->names_symbols |= run_names_symbols(s, r->graph.ops[copy_of(&r->copier.ops, op)].name);
    }
  }
  run_make_room(s);
  return true;
}

// --- one operation

static bool same_info(const value_info *a, const value_info *b) {
  if (a->ranked != b->ranked || a->rank != b->rank || a->element_count != b->element_count ||
      !a->elements != !b->elements || value_parts(a) != value_parts(b) ||
      a->counted != b->counted || value_length(a) != value_length(b))
    return false;
  if (a->ranked && a->rank && memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) != 0)
    return false;
  return !a->element_count || a->elements == b->elements ||
         memcmp(a->elements, b->elements, a->element_count * sizeof *a->elements) == 0;
}

static value_info *info_of(session_core *s, value_id own) {
  const infer_frame *f = &s->run.infer->frames[0];
  assert(own >= f->value_base && own - f->value_base < s->run.value_room);
  return &f->values[own - f->value_base];
}

static bool may_visit(const session_core *s, op_id op) {
  if (s->doc.ops[op].flags & STICKY) return false;
  const graph_op *g = &s->doc.graph.ops[op];
  for (uint32_t i = 0; i < g->operand_count; i++) {
    value_id v = s->doc.graph.operands[g->operands + i];
    if (v != VALUE_NONE && s->doc.values[v].late) return false;
  }
  return true;
}

static void note_unknown(affected *c, name_id name) {
  SESSION_GROW(&c->s->scratch, c->unknown, c->unknown_count, c->unknown_count + 1u,
               c->unknown_capacity);
  c->unknown[c->unknown_count++] = name;
}

// Which is the first of its name without a rule has the note.
static void forget_diags(affected *c, op_id op) {
  session_core *s = c->s;
  const shape_graph *g = &s->doc.graph;
  name_id name = g->ops[op].name;
  name_id noted = s->run.diags.count ? diags_drop(s, DIAG_OF_OP, op) : NAME_NONE;
  if (noted != NAME_NONE) note_unknown(c, noted);
  if (noted == name || !(s->doc.ops[op].flags & TOUCHED) ||
      registry_find(intern_text(&g->names, name), intern_length(&g->names, name), 0))
    return;
  note_unknown(c, name);
}

// The rule on cleared results, with the symbols that it made before; false where it did more than a visit may.
static bool visit(affected *c, op_id op, op_id own, value_info *before,
                  const value_info *operands) {
  session_core *s = c->s;
  session_run *r = &s->run;
  const graph_op o = r->graph.ops[own];
  for (uint32_t i = 0; i < o.result_count; i++) {
    before[i] = *info_of(s, o.results + i);
    *info_of(s, o.results + i) = (value_info){0};
  }
  fact_id first_fact = store_fact_count(r->infer->store);
  const run_op *made = class_op(s, op);
  forget_diags(c, op);
  // What is made inside of regions comes in between.
  ages_begin(s, AGE_OP, op);
  r->log.store.reuse = made->made;
  r->log.store.reuse_count = o.region_count ? 0 : made->made_count;
  r->log.store.count = r->log.store.first = 0;
  store_keep_log(r->infer->store, &r->log.store);
  bool sure = infer_revisit(r->infer, own);
  store_keep_log(r->infer->store, NULL);
  if (!diags_take(s, DIAG_OF_OP, op) || !sure) return false;
  for (uint32_t i = 0; i < o.operand_count; i++) {
    value_id v = graph_operand(&r->graph, own, i);
    if (v != VALUE_NONE && memcmp(&operands[i], info_of(s, v), sizeof *operands) != 0) return false;
  }
  return resolve_visited(c, op, first_fact);
}

void affected_note(affected *c, value_id value) {
  change_list *list = c->out;
  SESSION_GROW(&c->s->scratch, list->items, list->count, list->count + 1u, list->capacity);
  list->items[list->count++] = (session_change){value, SHAPE_NONE, SHAPE_NONE};
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

// Many are marked in a table of all, which takes no time that cannot be interrupted. What operations were visited for is
// mostly in order as it is: that of the program.
uint32_t affected_sort(session_core *s, uint32_t *ids, uint32_t count, uint32_t bound) {
  enum { FEW = 1024 };
  uint32_t kept = count ? 1 : 0;
  while (kept < count && ids[kept - 1] < ids[kept]) kept++;
  if (kept == count) return count;
  kept = 0;
  if (count <= FEW) {
    if (count) qsort(ids, count, sizeof *ids, by_number);
    for (uint32_t i = 0; i < count; i++) {
      if (!kept || ids[kept - 1] != ids[i]) ids[kept++] = ids[i];
    }
    return kept;
  }
  uint8_t *there = arena_zalloc(&s->scratch, bound);
  for (uint32_t i = 0; i < count; i++) there[ids[i]] = 1;
  for (uint32_t i = 0; i < bound; i++) {
    if (there[i]) ids[kept++] = i;
    arena_poll_at(&s->arena, i);
  }
  assert(kept <= count);
  return kept;
}

// What was noted while things changed, now that they do not any more: each value once, where it has another shape.
static void settle_notes(affected *c) {
  session_core *s = c->s;
  change_list *list = c->out;
  value_id *ids = arena_alloc(&s->scratch, ((size_t)list->count + 1) * sizeof *ids);
  for (uint32_t i = 0; i < list->count; i++) ids[i] = list->items[i].value;
  uint32_t noted = affected_sort(s, ids, list->count, s->doc.graph.value_count);
  list->count = 0;
  for (uint32_t i = 0; i < noted; i++) {
    value_id v = ids[i];
    shape_key now = s->doc.values[v].there ? stable_shape(s, v) : SHAPE_NONE;
    if (now == s->doc.values[v].shape) continue;
    list->items[list->count++] = (session_change){v, s->doc.values[v].shape, now};
    arena_poll_at(&s->arena, i);
  }
}

static void note_block(affected *c, block_id block) {
  session_core *s = c->s;
  const graph_block *b = &s->doc.graph.blocks[block];
  for (uint32_t i = 0; i < b->argument_count; i++) affected_note(c, b->arguments + i);
  for (op_id op = b->first; op != ID_NONE; op = s->doc.graph.ops[op].next) {
    const graph_op *o = &s->doc.graph.ops[op];
    for (uint32_t i = 0; i < o->result_count; i++) affected_note(c, o->results + i);
    for (uint32_t i = 0; i < o->region_count; i++) {
      const graph_region *r = &s->doc.graph.regions[o->regions + i];
      for (uint32_t k = 0; k < r->block_count; k++) note_block(c, r->first_block + k);
    }
  }
}

// Users of a result are inspected where it came out otherwise, and where the operation itself was edited: a rule may
// inspect the attributes of a constant that it uses.
bool affected_push_users(affected *c, value_id value) {
  session_core *s = c->s;
  const graph_value *v = &s->doc.graph.values[value];
  block_id body = v->is_argument ? v->def : s->doc.graph.ops[v->def].parent;
  for (uint32_t slot = s->doc.values[value].first_use; slot != ID_NONE;
       slot = s->doc.uses[slot].next) {
    assert(s->doc.graph.operands[slot] == value);
    op_id user = s->doc.uses[slot].op;
    if (s->doc.graph.ops[user].parent != body) return false;
    affected_push(c, user);
  }
  return true;
}

static bool follow_one(affected *c, op_id op) {
  session_core *s = c->s;
  session_run *r = &s->run;
  op_id own = copy_of(&r->copier.ops, op);
  if (own == ID_NONE || !may_visit(s, op)) return false;
  if (!resolve_stated(c, op)) return false;
  if (c->again) {
    affected_push(c, op);
    return true;
  }
  const graph_op o = r->graph.ops[own];
  value_info *before = arena_alloc(&s->scratch, ((size_t)o.result_count + 1) * sizeof *before);
  value_info *operands = arena_alloc(&s->scratch, ((size_t)o.operand_count + 1) * sizeof *operands);
  for (uint32_t i = 0; i < o.operand_count; i++) {
    value_id v = graph_operand(&r->graph, own, i);
    operands[i] = v == VALUE_NONE ? (value_info){0} : *info_of(s, v);
  }
  c->visited++;
  if (!visit(c, op, own, before, operands)) return false;
  const graph_op *mine = &s->doc.graph.ops[op];
  assert(mine->result_count == o.result_count);
  for (uint32_t i = 0; i < o.result_count; i++) {
    value_id v = mine->results + i;
    bool same = same_info(&before[i], info_of(s, o.results + i));
    if (same) info_of(s, o.results + i)->dims = before[i].dims;
    affected_note(c, v);
    if ((!same || (s->doc.ops[op].flags & TOUCHED)) && !affected_push_users(c, v)) return false;
  }
  for (uint32_t i = 0; i < mine->region_count; i++) {
    const graph_region *region = &s->doc.graph.regions[mine->regions + i];
    for (uint32_t k = 0; k < region->block_count; k++) note_block(c, region->first_block + k);
  }
  if (c->again) affected_push(c, op);
  return true;
}

static void note_gone(affected *c, op_id op) {
  session_core *s = c->s;
  const graph_op *o = &s->doc.graph.ops[op];
  for (uint32_t i = 0; i < o->result_count; i++) affected_note(c, o->results + i);
  for (uint32_t i = 0; i < o->region_count; i++) {
    const graph_region *r = &s->doc.graph.regions[o->regions + i];
    for (uint32_t k = 0; k < r->block_count; k++) {
      const graph_block *b = &s->doc.graph.blocks[r->first_block + k];
      for (uint32_t a = 0; a < b->argument_count; a++) affected_note(c, b->arguments + a);
      for (op_id in = b->first; in != ID_NONE; in = s->doc.graph.ops[in].next) note_gone(c, in);
    }
  }
}

static bool removed_freely(affected *c) {
  session_core *s = c->s;
  for (uint32_t i = 0; i < s->change.removed.count; i++) {
    op_id op = s->change.removed.ids[i];
    if (s->doc.ops[op].there) continue;
    if (s->doc.ops[op].flags & STICKY) return false;
    forget_diags(c, op);
    const graph_op *o = &s->doc.graph.ops[op];
    for (uint32_t k = 0; k < o->result_count; k++) {
      if (s->doc.values[o->results + k].late) return false;
    }
    note_gone(c, op);
  }
  return true;
}

// A run that has grown to twice its size by visits is made anew.
static bool has_grown(session_core *s) {
  enum { SLACK = 8 << 20 };
  return run_arena(s)->bytes > 2 * s->run.bytes_at_start + SLACK;
}

// Each name is looked for in the entry once; more names than NAMES_MAX are a whole analysis.
static bool settle_unknown(affected *c) {
  enum { NAMES_MAX = 32 };
  session_core *s = c->s;
  uint32_t count = affected_sort(s, c->unknown, c->unknown_count, s->doc.graph.names.count);
  bool sure = count <= NAMES_MAX;
  for (uint32_t i = 0; sure && i < count; i++) sure = diags_note_unknown(s, c->unknown[i]);
  return sure;
}

bool affected_follow(session_core *s, change_list *out, uint32_t *visited) {
  session_run *r = &s->run;
  if (!r->valid || !r->plain || r->index.opaque || s->change.structural || has_grown(s) ||
      r->rows.gaps)
    return false;
  if (r->infer->terms->hashes->compared) return false;
  affected c = {.s = s, .out = out};
  r->spoiled = s->change.pushed_from == ID_NONE;
  bool names = false;
  bool sure = removed_freely(&c) && given_copy(&c) && carry_over(s) && given_settle(&c, &names) &&
              resolve_edits(&c, names);
  infer_edited(r->infer);
  for (uint32_t i = 0; sure && i < s->change.touched.count; i++)
    affected_push(&c, s->change.touched.ids[i]);
  while (sure && (c.again || c.count)) sure = c.again ? resolve_again(&c) : follow_one(&c, pop(&c));
  forget_queue(&c);
  sure = sure && settle_unknown(&c) && resolve_finish(&c);
  if (sure) {
    settle_notes(&c);
    r->spoiled = false;
  } else if (!r->spoiled) {
    resolve_undo(&c);
  }
  *visited = c.visited;
  return sure;
}
