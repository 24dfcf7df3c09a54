// SPDX-License-Identifier: Apache-2.0
// Items of sums come in the order of their monomials, whatever order they were in, a positive one first.
#include <criterion/criterion.h>

#include "solver/term/fold.h"
#include "tests/unit/term/sample.h"
#include "tests/unit/world.h"

enum { ROUNDS = 2000, ATOMS = 24 };

static term_id make_atom(world *w, uint64_t *state, const term_id *atoms, uint32_t count) {
  term_table *t = &w->terms;
  if (count < 2 || sample_random(state) % 3) return term_symbol(t);
  term_id a = atoms[sample_random(state) % count], b = atoms[sample_random(state) % count];
  switch (sample_random(state) % 3) {
  case 0: return term_floordiv(t, term_symbol(t), term_int(t, 2));
  case 1: return term_min(t, a, term_symbol(t));
  default: return term_bcast(t, b, term_symbol(t));
  }
}

static void check_order(world *w, const fold_list *list) {
  uint32_t first = 0;
  while (first < list->count && num_sign(list->items[first].coefficient) < 0) first++;
  cr_assert(first == 0 || first == list->count);  // those before the positive one come after it now
  for (uint32_t i = 2; i < list->count; i++)
    cr_assert_gt(term_order(&w->terms, list->items[i - 1].key, list->items[i].key), 0);
}

Test(fold_order, is_that_of_monomials) {
  uint64_t state = 3;
  world w;
  for (int round = 0; round < ROUNDS; round++) {
    term_id atoms[ATOMS];
    fold_item items[ATOMS];
    uint32_t count = 1 + (uint32_t)(sample_random(&state) % ATOMS);
    if (round % 100 == 0) {
      if (round) arena_destroy(&w.arena);
      world_open(&w, 0, WORLD_STEPS, 0);
    }
    for (uint32_t i = 0; i < count; i++) {
      atoms[i] = make_atom(&w, &state, atoms, i);
      bool negative = sample_random(&state) % 4 == 0;
      items[i] = (fold_item){.coefficient = NUM(negative ? -1 : 1), .key = atoms[i]};
    }
    for (uint32_t i = 0; i < count; i++) {  // most stay in their order
      uint32_t k = (uint32_t)(sample_random(&state) % (2 * count));
      if (k >= count) continue;
      fold_item swap = items[i];
      items[i] = items[k];
      items[k] = swap;
    }
    fold_list list = {items, count, count};
    fold_order(&w.terms, &list, (uint32_t)(sample_random(&state) % (count + 1)));
    cr_assert_eq(list.count, count);
    check_order(&w, &list);
  }
  arena_destroy(&w.arena);
}
