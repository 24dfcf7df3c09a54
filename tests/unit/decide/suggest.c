// SPDX-License-Identifier: Apache-2.0
// What would settle an open query is implied by what is suggested, and leaves a solution.
#include "solver/decide/suggest.h"

#include "solver/decide/query.h"
#include "tests/unit/claims.h"

Test(decide_suggest, each_suggestion_settles_the_query) {
  static const char *const ROWS[][2] = {{"a == 4*b", "divisible(a, 8)"},
                                        {"a <= 100", "a*b >= a"},
                                        {"c >= 2", "floordiv(a, 4)*4 == a"},
                                        {"c >= 2", "max(a, b) == b"}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    asked_world w;
    asked_world_open(&w, WORLD_STEPS);
    const term_id symbols[] = {w.symbols[0].symbol, w.symbols[1].symbol, w.symbols[2].symbol};
    w.premises[w.q.premise_count++] = claim_read(&w.terms, symbols, ROWS[i][0]);
    predicate goal = claim_read(&w.terms, symbols, ROWS[i][1]), found[8];
    cr_assert_eq(query_ask(&w.q, goal).answer, SHAPE_UNKNOWN, "%s", ROWS[i][1]);
    uint32_t count = query_suggest(&w.q, goal, found, 8);
    cr_expect_gt(count, 0, "%s", ROWS[i][1]);
    for (uint32_t k = 0; k < count; k++) {
      w.premises[w.q.premise_count++] = found[k];
      query_result r = query_ask(&w.q, goal);
      cr_expect(r.answer == SHAPE_YES && !r.conflict, "%s, suggestion %u", ROWS[i][1], k);
      w.q.premise_count--;
    }
    arena_destroy(&w.arena);
  }
}
