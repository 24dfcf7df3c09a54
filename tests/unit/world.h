// SPDX-License-Identifier: Apache-2.0
// What tests of terms, stores and queries begin with: memory, a budget, a table of terms, symbols in it.
#ifndef TESTS_UNIT_WORLD_H
#define TESTS_UNIT_WORLD_H

#include <string.h>

#include "solver/decide/query.h"
#include "solver/facts/store.h"

enum { WORLD_SYMBOLS = 16, WORLD_PREMISES = 32, WORLD_STEPS = 1 << 24 };

typedef struct world {
  shape_arena arena;
  shape_budget budget;
  term_table terms;
  shape_store *store;  // NULL: there is none
  union {
    term_id symbols[WORLD_SYMBOLS];
    struct {
      term_id a, b, c;
    };
  };
  uint64_t state;  // the test's own: of random numbers, or a count
} world;

// Terms alone; symbols 0 .. count - 1 are plain ones.
static inline void world_open(world *w, size_t memory, uint64_t steps, uint32_t count) {
  memset(w, 0, sizeof *w);
  arena_init(&w->arena, memory);
  budget_init(&w->budget, &w->arena, steps, NULL);
  term_table_init(&w->terms, &w->arena, &w->budget);
  for (uint32_t i = 0; i < count; i++) w->symbols[i] = term_symbol(&w->terms);
}

// And a store over them, in which the symbols are dims of at least that.
static inline void world_open_store(world *w, uint64_t steps, uint32_t count, int64_t least) {
  symbol_info dim = {interval_at_least(NUM(least)), NUM(1), SYMBOL_ARGUMENT_SIZE};
  world_open(w, 0, steps, 0);
  w->store = store_new(&w->arena, &w->terms, &w->budget);
  for (uint32_t i = 0; i < count; i++) w->symbols[i] = store_symbol(w->store, dim);
}

// A query over a, b, c >= 0, without premises.
typedef struct asked_world {
  shape_arena arena;
  shape_budget budget;
  term_table terms;
  query_symbol symbols[3];
  predicate premises[WORLD_PREMISES];
  query q;
} asked_world;

static inline void asked_world_open(asked_world *w, uint64_t steps) {
  memset(w, 0, sizeof *w);
  arena_init(&w->arena, 0);
  budget_init(&w->budget, &w->arena, steps, NULL);
  term_table_init(&w->terms, &w->arena, &w->budget);
  for (int i = 0; i < 3; i++)
    w->symbols[i] = (query_symbol){term_symbol(&w->terms), interval_at_least(NUM(0)), NUM(1)};
  w->q = (query){.arena = &w->arena,
                 .terms = &w->terms,
                 .budget = &w->budget,
                 .symbols = w->symbols,
                 .symbol_count = 3,
                 .premises = w->premises};
}

#endif
