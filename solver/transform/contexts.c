// SPDX-License-Identifier: Apache-2.0
#include "solver/transform/contexts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/ops/traits.h"

enum { UNKNOWN = -1 };  // dims are at least 0

// What a frame says: the function, its dims, then the contexts of its calls.
typedef struct signature {
  int64_t *items;
  uint32_t count, sizes, capacity;
} signature;

typedef struct finder {
  call_contexts *c;
  const shape_graph *graph;
  shape_arena *arena;
  signature *signatures;  // by context
  uint32_t signature_capacity;
  shape_imap by_hash;
  uint32_t *next;  // contexts of the same hash
  uint32_t next_capacity;
  const bool *read;  // by value: see find_read
} finder;

static void push(finder *f, signature *s, int64_t item) {
  s->items = arena_grow(f->arena, s->items, s->count, (size_t)s->count + 1, &s->capacity,
                        sizeof *s->items);
  s->items[s->count++] = item;
}

static int64_t number(const infer_result *infer, term_id term) {
  int64_t value;
  if (term == TERM_NONE || !term_int_value(infer->terms, store_canon(infer->store, term), &value))
    return UNKNOWN;
  return value;
}

static void push_value(finder *f, signature *s, const value_info *info, bool read) {
  const infer_result *infer = f->c->infer;
  if (!info->visited || !info->ranked) {
    push(f, s, UNKNOWN);
    return;
  }
  push(f, s, info->rank);
  for (uint32_t i = 0; i < info->rank; i++) {
    int64_t size = number(infer, info->dims[i]), bound;
    push(f, s, size);
    if (size >= 0 || !infer->uses_bounds) continue;
    interval range = store_range(infer->store, info->dims[i]);
    push(f, s, range.has_hi && num_to_int(range.hi, &bound) ? bound : UNKNOWN);
  }
  if (!read) return;
  // Elements as a hash: they decide whether two contexts differ, never what is written.
  uint64_t hash = info->element_count;
  for (uint32_t i = 0; info->elements && i < info->element_count; i++) {
    hash = hash_pair(hash, (uint64_t)number(infer, info->elements[i]));
  }
  push(f, s, info->elements ? (int64_t)(hash >> 2) : 0);
}

static uint32_t context_of(finder *f, uint32_t frame);

// Calls in the order of the source, so that contexts are numbered in that order.
static void push_calls(finder *f, signature *s, uint32_t frame) {
  assert(frame < f->c->infer->frame_count);
  const call_contexts *c = f->c;
  for (uint32_t i = c->first_call[frame]; i < c->first_call[frame + 1]; i++) {
    push(f, s, c->calls[i].op);
    push(f, s, context_of(f, c->calls[i].callee));
  }
}

static bool same(const signature *a, const signature *b) {
  if (a->count != b->count) return false;
  return !a->count || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0;
}

static uint32_t intern(finder *f, const signature *s, func_id func, uint32_t frame) {
  call_contexts *c = f->c;
  uint64_t hash = hash_pair(func, s->count);
  for (uint32_t i = 0; i < s->count; i++) hash = hash_pair(hash, (uint64_t)s->items[i]);
  hash &= ~(uint64_t)1;
  uint32_t first = ID_NONE;
  imap_get(&f->by_hash, hash, &first);
  for (uint32_t i = first; i != ID_NONE; i = f->next[i]) {
    if (c->items[i].func == func && same(&f->signatures[i], s)) return i;
  }
  c->items = arena_grow(f->arena, c->items, c->count, (size_t)c->count + 1, &c->capacity,
                        sizeof *c->items);
  f->signatures = arena_grow(f->arena, f->signatures, c->count, (size_t)c->count + 1,
                             &f->signature_capacity, sizeof *f->signatures);
  f->next = arena_grow(f->arena, f->next, c->count, (size_t)c->count + 1, &f->next_capacity,
                       sizeof *f->next);
  c->items[c->count] = (call_context){func, frame, false};
  f->signatures[c->count] = *s;
  f->next[c->count] = first;
  imap_put(&f->by_hash, f->arena, hash, c->count);
  c->per_func[func]++;
  return c->count++;
}

// Depth is that of calls, which infer limits (INFER_MAX_DEPTH).
static uint32_t context_of(finder *f, uint32_t frame) {
  assert(frame < f->c->infer->frame_count);
  call_contexts *c = f->c;
  if (c->of_frame[frame] != ID_NONE) return c->of_frame[frame];
  const infer_frame *in = &c->infer->frames[frame];
  signature s = {0};
  for (value_id v = in->value_base; in->values && v < in->value_end; v++) {
    push_value(f, &s, &in->values[v - in->value_base], f->read[v]);
  }
  s.sizes = s.count;
  push_calls(f, &s, frame);
  return c->of_frame[frame] = intern(f, &s, in->func, frame);
}

// A context that says what all of its function's contexts say, and no more, keeps the function's own name.
static void find_common(finder *f) {
  call_contexts *c = f->c;
  signature *joined = arena_zalloc(f->arena, (f->graph->func_count + 1) * sizeof *joined);
  for (uint32_t i = 0; i < c->count; i++) {
    const signature *a = &f->signatures[i];
    signature *j = &joined[c->items[i].func];
    for (uint32_t n = 0; j->items && n < a->sizes && n < j->sizes; n++) {
      if (a->items[n] != j->items[n]) j->items[n] = UNKNOWN;
    }
    if (j->items && j->sizes != a->sizes) j->sizes = 0;  // ranks differ: no context is common
    if (j->items) continue;
    *j = (signature){.sizes = a->sizes,
                     .items = arena_alloc(f->arena, (a->sizes + 1) * sizeof *j->items)};
    if (a->sizes) memcpy(j->items, a->items, a->sizes * sizeof *j->items);
  }
  for (uint32_t i = 0; i < c->count; i++) {
    const signature *a = &f->signatures[i], *j = &joined[c->items[i].func];
    c->items[i].common =
        a->sizes == j->sizes &&
        (!a->sizes || memcmp(a->items, j->items, a->sizes * sizeof *a->items) == 0);
  }
}

typedef struct numbered_call {
  infer_call call;
  uint32_t order;
} numbered_call;

static int by_position(const void *a, const void *b) {
  const numbered_call *x = a, *y = b;
  if (x->call.frame != y->call.frame) return x->call.frame < y->call.frame ? -1 : 1;
  if (x->call.op != y->call.op) return x->call.op < y->call.op ? -1 : 1;
  return x->order > y->order ? -1 : x->order < y->order;
}

static void sort_calls(call_contexts *c, shape_arena *arena) {
  const infer_result *infer = c->infer;
  numbered_call *all = arena_alloc(arena, (infer->call_count + 1) * sizeof *all);
  c->calls = arena_alloc(arena, (infer->call_count + 1) * sizeof *c->calls);
  c->first_call = arena_zalloc(arena, (infer->frame_count + 2) * sizeof *c->first_call);
  for (uint32_t i = 0; i < infer->call_count; i++) all[i] = (numbered_call){infer->calls[i], i};
  if (infer->call_count) qsort(all, infer->call_count, sizeof *all, by_position);
  uint32_t frame = 0;
  for (uint32_t i = 0; i < infer->call_count; i++) {
    // Calls of trials that were undone name frames that are not there.
    if (all[i].call.frame >= infer->frame_count || all[i].call.callee >= infer->frame_count)
      continue;
    const infer_call *last = c->call_count ? &c->calls[c->call_count - 1] : NULL;
    if (last && last->frame == all[i].call.frame && last->op == all[i].call.op) continue;
    while (frame <= all[i].call.frame) c->first_call[frame++] = c->call_count;
    c->calls[c->call_count++] = all[i].call;
  }
  while (frame <= infer->frame_count) c->first_call[frame++] = c->call_count;
}

// Values that dynamic operations read as sizes.
static bool *find_read(const shape_graph *g) {
  bool *read = arena_zalloc(g->arena, g->value_count + 1);
  for (op_id op = 0; op < g->op_count; op++) {
    if (!op_has(g, op, TRAIT_READS_SIZES) &&
        graph_attr_named(g, op, "indices_of_shape_operands") == ATTR_NONE)
      continue;
    for (uint32_t i = 0; i < g->ops[op].operand_count; i++) {
      value_id value = graph_operand(g, op, i);
      if (value != VALUE_NONE) read[value] = true;
    }
  }
  return read;
}

call_contexts *contexts_of(const shape_report *report) {
  const shape_graph *g = report->graph;
  const infer_result *infer = report->infer;
  shape_arena *arena = g->arena;
  finder f = {.graph = g, .arena = arena};
  call_contexts *c = f.c = arena_zalloc(arena, sizeof *c);
  c->infer = infer;
  c->per_func = arena_zalloc(arena, (g->func_count + 1) * sizeof *c->per_func);
  c->of_frame = arena_alloc(arena, (infer->frame_count + 1) * sizeof *c->of_frame);
  for (uint32_t i = 0; i < infer->frame_count; i++) c->of_frame[i] = ID_NONE;
  sort_calls(c, arena);
  f.read = find_read(g);
  for (uint32_t i = 0; i < infer->frame_count; i++) {
    if (infer->frames[i].caller == ID_NONE) context_of(&f, i);
  }
  find_common(&f);
  return c;
}

uint32_t context_called(const call_contexts *c, uint32_t frame, op_id op) {
  assert(frame < c->infer->frame_count);
  uint32_t low = c->first_call[frame], high = c->first_call[frame + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (c->calls[middle].op == op) return c->of_frame[c->calls[middle].callee];
    if (c->calls[middle].op < op) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return ID_NONE;
}
