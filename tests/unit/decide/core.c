// SPDX-License-Identifier: Apache-2.0
// Irreducible sets of premises: without one of them the answer does not follow.
#include "solver/decide/query.h"

#include "tests/unit/claims.h"

typedef struct cored {
  const char *premises[CLAIM_PREMISES], *goal;  // goal: NULL, the premises conflict
} cored;

static bool derives(asked_world *w, const predicate *all, const uint8_t *keep, uint32_t count,
                    const predicate *goal) {
  w->q.premise_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (keep[i]) w->premises[w->q.premise_count++] = all[i];
  }
  const predicate any = predicate_make(REL_EQ, TERM_ZERO, TERM_ONE);
  query_result r = query_ask(&w->q, goal ? *goal : any);
  return goal ? !r.conflict && r.answer == SHAPE_YES : r.conflict;
}

Test(decide_core, is_enough_and_irreducible) {
  static const cored ROWS[] = {{{"a <= b", "c >= 1", "b <= 5", "a <= 100"}, "a <= 5"},
                               {{"2*a == 3*b", "c >= 2", "b >= 2"}, "a >= 3"},
                               {{"a + b == 7", "a == b + 1", "c <= 9"}, "a == 4"},
                               {{"a <= b", "b <= c", "c < a", "a >= 1"}, NULL},
                               {{"a*b == 0", "a >= 1", "c >= 3", "b >= c"}, NULL}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    asked_world w;
    predicate all[CLAIM_PREMISES], goal;
    query_link links[CLAIM_PREMISES];
    uint8_t keep[CLAIM_PREMISES];
    uint32_t count = 0;
    bool reduced = false;
    asked_world_open(&w, WORLD_STEPS);
    const term_id symbols[] = {w.symbols[0].symbol, w.symbols[1].symbol, w.symbols[2].symbol};
    for (; count < CLAIM_PREMISES && ROWS[i].premises[count]; count++) {
      all[count] = w.premises[count] = claim_read(&w.terms, symbols, ROWS[i].premises[count]);
      links[count] = (query_link){count, count};
    }
    w.q.premise_count = count;
    if (ROWS[i].goal) goal = claim_read(&w.terms, symbols, ROWS[i].goal);
    const predicate *asked = ROWS[i].goal ? &goal : NULL;
    cr_assert(query_core(&w.q, asked, &(query_parts){links, count, count}, keep, &reduced));
    cr_expect(reduced);
    cr_expect(derives(&w, all, keep, count, asked), "row %zu", i);
    for (uint32_t k = 0; k < count; k++) {
      if (!keep[k]) continue;
      keep[k] = 0;
      cr_expect_not(derives(&w, all, keep, count, asked), "row %zu without %u", i, k);
      keep[k] = 1;
    }
    arena_destroy(&w.arena);
  }
}
