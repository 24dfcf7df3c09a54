// SPDX-License-Identifier: Apache-2.0
// Points of the facts, kept for the next terms of the same symbols that are simplified under the same facts.
#include <assert.h>
#include <string.h>

#include "solver/decide/component.h"
#include "solver/term/limits.h"

typedef struct near_query {
  query facts;
  uint8_t *asked;  // which of the symbols the terms hold
  query_points points;
} near_query;

struct near_points {
  shape_arena *arena;
  near_query of[NEAR_QUERIES];
  uint32_t count, last;  // of those that are there, and the one asked about last
};

typedef struct asked_symbols {
  const query *q;
  uint8_t *asked;
} asked_symbols;

static void note_asked(void *data, term_id atom) {
  const asked_symbols *x = data;
  for (uint32_t i = 0; i < x->q->symbol_count; i++) x->asked[i] |= x->q->symbols[i].symbol == atom;
}

static void *copied(shape_arena *arena, const void *from, size_t bytes) {
  void *to = arena_alloc(arena, bytes + 1);
  return bytes ? memcpy(to, from, bytes) : to;
}

query_points *near_points_of(near_points **near, shape_arena *arena, const query *q, term_id t) {
  if (!has_small_numbers(q)) return NULL;
  if (!*near) {
    *near = arena_zalloc(arena, sizeof **near);
    (*near)->arena = arena;
  }
  near_points *n = *near;
  uint8_t *asked = arena_zalloc(arena, q->symbol_count + 1u);
  term_visit_atoms(q->terms, t, note_asked, &(asked_symbols){q, asked});
  for (uint32_t i = 0; i < n->count; i++) {
    if (same_facts(&n->of[i].facts, q) && !memcmp(n->of[i].asked, asked, q->symbol_count))
      return &n->of[n->last = i].points;
  }
  assert(n->count <= NEAR_QUERIES && (!n->count || n->last < n->count));
  // When all are taken, the next one goes.
  n->last = n->count < NEAR_QUERIES ? n->count++ : (n->last + 1) % NEAR_QUERIES;
  n->of[n->last] = (near_query){
      .facts = {.symbols = copied(arena, q->symbols, q->symbol_count * sizeof *q->symbols),
                .symbol_count = q->symbol_count,
                .premises = copied(arena, q->premises, q->premise_count * sizeof *q->premises),
                .premise_count = q->premise_count},
      .asked = asked};
  return &n->of[n->last].points;
}

void near_points_keep(near_points *n, query_points *points) {
  const uint32_t symbols = n->of[n->last].facts.symbol_count;
  const num **items = arena_alloc(n->arena, (points->count + 1) * sizeof *items);
  assert(points == &n->of[n->last].points);
  assert(points->known || !points->count);
  for (uint32_t i = 0; i < points->count; i++) {
    items[i] = copied(n->arena, points->items[i], symbols * sizeof(num));
    for (uint32_t k = 0; k < symbols; k++) points->known &= !items[i][k].big;
  }
  *points =
      points->known ? (query_points){items, points->count, true} : (query_points){NULL, 0, false};
}
