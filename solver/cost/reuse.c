// SPDX-License-Identifier: Apache-2.0
#include "solver/cost/reuse.h"

typedef struct reuse_scan {
  const cost_answer *answer;
  const shape_graph *g;
  shape_arena *arena;
  frame_sizes sizes;
  cost_sizes all;
  op_id first, past;    // the operations of the function, but for what ends it
  op_id *ends;          // by operation - first: the last one in its regions, or itself
  value_id *ending;     // by operation - first: values that are live to it and no further
  value_id *sibling;    // by value - base: the next one of the same list
  uint32_t *buffer;     // by value - base
  uint32_t *free_next;  // by buffer: the next free one of its class, or ID_NONE
  uint32_t free_capacity;
  size_sum bytes;
  shape_imap free;  // bytes -> first free buffer, or ID_NONE
  reuse_answer *out;
} reuse_scan;

static op_id end_of(const reuse_scan *s, op_id op) {
  const graph_op *o = &s->g->ops[op];
  if (o->next != ID_NONE) return o->next - 1;
  region_id region = o->parent == ID_NONE ? ID_NONE : s->g->blocks[o->parent].region;
  op_id outer = region == ID_NONE ? ID_NONE : s->g->regions[region].op;
  assert(outer == ID_NONE || (outer >= s->first && outer < op));
  // The last operation of a region but the last one ends where the next region begins: later is safe.
  return outer == ID_NONE ? s->g->op_count - 1 : s->ends[outer - s->first];
}

static uint32_t take_buffer(reuse_scan *s, term_id bytes) {
  reuse_answer *out = s->out;
  bool fresh;
  uint32_t *head = imap_slot(&s->free, s->arena, bytes, &fresh);
  if (!fresh && *head != ID_NONE) {
    uint32_t taken = *head;
    *head = s->free_next[taken];
    return taken;
  }
  *head = ID_NONE;
  out->buffers = arena_grow(s->arena, out->buffers, out->count, (size_t)out->count + 1,
                            &out->capacity, sizeof *out->buffers);
  s->free_next = arena_grow(s->arena, s->free_next, out->count, (size_t)out->count + 1,
                            &s->free_capacity, sizeof *s->free_next);
  out->buffers[out->count] = (reuse_buffer){.bytes = bytes};
  size_sum_add(s->all.terms, &s->bytes, bytes);
  return out->count++;
}

static void give_back(reuse_scan *s, value_id v) {
  uint32_t buffer = s->buffer[v - s->sizes.base];
  assert(buffer < s->out->count && v >= s->sizes.base && v < s->sizes.end);
  bool fresh;
  uint32_t *head = imap_slot(&s->free, s->arena, s->out->buffers[buffer].bytes, &fresh);
  s->free_next[buffer] = *head;
  *head = buffer;
}

static void assign(reuse_scan *s, value_id v) {
  term_id bytes = sizes_bytes(&s->sizes, v);
  if (bytes == TERM_NONE) s->out->unknown++;
  if (bytes == TERM_NONE || bytes == TERM_ZERO) return;
  uint32_t index = take_buffer(s, bytes);
  reuse_buffer *b = &s->out->buffers[index];
  b->values = arena_grow(s->arena, b->values, b->count, (size_t)b->count + 1, &b->capacity,
                         sizeof *b->values);
  b->values[b->count++] = v;
  s->buffer[v - s->sizes.base] = index;
  op_id last = s->answer->live.last[v];
  op_id end = last < s->past ? s->ends[last - s->first] : s->past;
  assert(end >= s->g->values[v].def);
  if (end >= s->past) return;  // no operation follows that could take its buffer
  s->sibling[v - s->sizes.base] = s->ending[end - s->first];
  s->ending[end - s->first] = v;
}

static bool is_constant(const shape_graph *g, op_id op) {
  const work_row *row = work_row_of(g, op);
  return row && row->kind == WORK_CONSTANT;
}

reuse_answer *reuse_make(const cost_answer *answer, const cost_function *f) {
  const shape_graph *g = answer->report->graph;
  reuse_scan s = {.answer = answer, .g = g, .arena = g->arena};
  s.out = arena_zalloc(g->arena, sizeof *s.out);
  sizes_init(&s.all, answer->report);
  sizes_of_frame(&s.all, f->frame, &s.sizes);
  uint32_t value_count = s.sizes.end - s.sizes.base;
  s.first = f->op_count ? f->ops[0].op : 0;
  s.past = f->op_count ? f->ops[f->op_count - 1].op + 1 : 0;
  s.ends = arena_alloc(g->arena, (s.past - s.first + 1) * sizeof *s.ends);
  s.ending = arena_alloc(g->arena, (s.past - s.first + 1) * sizeof *s.ending);
  s.sibling = arena_alloc(g->arena, (value_count + 1) * sizeof *s.sibling);
  s.buffer = arena_alloc(g->arena, (value_count + 1) * sizeof *s.buffer);
  for (op_id op = s.first; op < s.past; op++) {
    s.ends[op - s.first] = end_of(&s, op);
    s.ending[op - s.first] = VALUE_NONE;
  }
  op_id freed = s.first;
  for (uint32_t i = 0; i < f->op_count; i++) {
    op_id op = f->ops[i].op;
    for (; freed < op; freed++) {
      for (value_id v = s.ending[freed - s.first]; v != VALUE_NONE; v = s.sibling[v - s.sizes.base])
        give_back(&s, v);
    }
    for (uint32_t k = 0; !is_constant(g, op) && k < g->ops[op].result_count; k++)
      assign(&s, g->ops[op].results + k);
  }
  s.out->bytes = s.out->unknown ? TERM_NONE : size_sum_total(s.all.terms, &s.bytes);
  return s.out;
}

// --- overwriting

static bool is_elementwise(const work_row *row) {
  return row && (row->kind == WORK_ELEMENT || row->kind == WORK_VARIADIC ||
                 row->kind == WORK_TRANSCENDENTAL);
}

uint32_t reuse_overwrites(const cost_answer *answer, const cost_function *f, overwrite **out) {
  const shape_graph *g = answer->report->graph;
  cost_sizes all;
  frame_sizes sizes;
  uint32_t count = 0;
  sizes_init(&all, answer->report);
  sizes_of_frame(&all, f->frame, &sizes);
  *out = arena_alloc(g->arena, (f->peak.count + 1) * sizeof **out);
  for (uint32_t i = 0; i < f->peak.count; i++) {
    op_id op = f->peak.items[i].op;
    if (op == ID_NONE || g->ops[op].result_count != 1 || !is_elementwise(work_row_of(g, op)))
      continue;
    term_id bytes = sizes_bytes(&sizes, g->ops[op].results);
    for (uint32_t k = 0; k < g->ops[op].operand_count; k++) {
      value_id v = graph_operand(g, op, k);
      // Arguments and constants are live throughout.
      if (v == VALUE_NONE || g->values[v].is_argument || is_constant(g, g->values[v].def)) continue;
      if (answer->live.last[v] != op || bytes == TERM_NONE || sizes_bytes(&sizes, v) != bytes)
        continue;
      (*out)[count++] = (overwrite){op, v, bytes};
      break;
    }
  }
  return count;
}
