// SPDX-License-Identifier: Apache-2.0
// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": rounds over the blocks in reverse postorder until
// nothing changes; nodes are compared by their number in that order.
#include "solver/graph/dominance.h"

#include <assert.h>

typedef struct walk {
  const shape_graph *g;
  const graph_region *r;
  uint32_t *order;   // blocks that a way leads to, in reverse postorder
  uint32_t *number;  // by index: the position in it, or ID_NONE
  uint32_t count;
} walk;

static const graph_successor *successors(const walk *w, uint32_t index, uint32_t *count) {
  op_id end = graph_terminator(w->g, w->r->first_block + index);
  *count = 0;
  return end == ID_NONE ? NULL : graph_successors(w->g, end, count);
}

// A stack of blocks and how many of their successors are done.
static void find_order(walk *w, shape_arena *arena) {
  uint32_t blocks = w->r->block_count, depth = 1, left = blocks;
  uint32_t *stack = arena_alloc(arena, 2 * (size_t)blocks * sizeof *stack), *done = stack + blocks;
  w->order = arena_alloc(arena, blocks * sizeof *w->order);
  w->number = arena_alloc(arena, blocks * sizeof *w->number);
  for (uint32_t i = 0; i < blocks; i++) w->number[i] = ID_NONE;
  stack[0] = done[0] = 0;
  w->number[0] = 0;
  while (depth) {
    uint32_t count, index = stack[depth - 1];
    const graph_successor *rows = successors(w, index, &count);
    if (done[depth - 1] == count) {
      w->order[--left] = index;
      depth--;
      continue;
    }
    uint32_t next = rows[done[depth - 1]++].block;
    assert(next < blocks);
    if (w->number[next] != ID_NONE) continue;
    w->number[next] = 0;
    stack[depth] = next;
    done[depth++] = 0;
  }
  w->count = blocks - left;
  for (uint32_t i = 0; i < w->count; i++) {
    w->order[i] = w->order[left + i];
    w->number[w->order[i]] = i;
  }
  assert(w->order[0] == 0);
}

static uint32_t meet(const walk *w, const uint32_t *dominators, uint32_t a, uint32_t b,
                     uint64_t *steps) {
  while (a != b) {
    ++*steps;
    if (w->number[a] > w->number[b]) {
      a = dominators[a];
    } else {
      b = dominators[b];
    }
  }
  return a;
}

uint32_t *graph_dominators(const shape_graph *g, region_id region, shape_arena *arena,
                           struct shape_budget *budget) {
  walk w = {.g = g, .r = &g->regions[region]};
  uint32_t blocks = w.r->block_count;
  if (!blocks) return NULL;
  uint32_t *dominators = arena_alloc(arena, blocks * sizeof *dominators);
  for (uint32_t i = 0; i < blocks; i++) dominators[i] = ID_NONE;
  dominators[0] = 0;
  if (blocks == 1) return dominators;
  find_order(&w, arena);
  for (bool changed = true; changed;) {
    uint64_t steps = w.count;
    changed = false;
    for (uint32_t i = 0; i < w.count; i++) {
      uint32_t count, from = w.order[i];
      const graph_successor *rows = successors(&w, from, &count);
      for (uint32_t k = 0; k < count; k++) {
        uint32_t *to = &dominators[rows[k].block];
        uint32_t now = *to == ID_NONE ? from : meet(&w, dominators, *to, from, &steps);
        changed |= now != *to;
        *to = now;
      }
    }
    budget_take(budget, steps);
  }
  return dominators;
}

uint32_t *graph_block_order(const uint32_t *dominators, uint32_t count, shape_arena *arena) {
  uint32_t *order = arena_alloc(arena, ((size_t)count + 1) * sizeof *order), made = 0;
  bool *taken = arena_zalloc(arena, (size_t)count + 1);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t first = made;
    for (uint32_t at = i; at != ID_NONE && !taken[at]; at = dominators[at]) {
      taken[at] = true;
      order[made++] = at;
    }
    for (uint32_t a = first, b = made; a + 1 < b; a++, b--) {
      uint32_t swap = order[a];
      order[a] = order[b - 1];
      order[b - 1] = swap;
    }
  }
  assert(made == count);
  return order;
}
