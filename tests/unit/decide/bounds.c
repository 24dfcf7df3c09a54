// SPDX-License-Identifier: Apache-2.0
// Bounds are exact for linear facts, whatever the magnitude.
#include "tests/unit/claims.h"

Test(decide_bounds, sums) {
  expect_decided("2*a + 3*b <= 12 |- a + b <= 6: yes\n"
                 "2*a + 3*b <= 12 |- a + b <= 5: unknown\n"
                 "a + b <= 10; a - b <= 4 |- a <= 7: yes\n"
                 "a + b <= 10; a - b <= 4 |- a <= 6: unknown\n"
                 "a <= 1000000000000000000000; b <= a |- b <= 1000000000000000000000: yes\n");
}

// Ends of extrema over ranges, which are sums with minima: reached where each symbol is at an end.
Test(decide_bounds, extrema) {
  expect_decided("a >= 2; a <= 7; b >= 3 |- max(a, b) >= 3: yes\n"
                 "a >= 2; a <= 7; b >= 3 |- max(a, b) >= 4: unknown\n"
                 "a >= 2; a <= 7; b <= 5 |- max(a, b) <= 7: yes\n"
                 "a >= 2; a <= 7; b >= 3 |- a - min(a, b) <= 4: yes\n"
                 "a >= 2; a <= 7; b >= 3 |- a - min(a, b) <= 3: unknown\n");
}

// Models that rise along a line show that there is no end: one far along it is the last that is sought.
Test(decide_bounds, no_end_along_a_line) {
  asked_world w;
  asked_world_open(&w, 10000000);
  term_table *t = &w.terms;
  term_id x = w.symbols[0].symbol, y = w.symbols[1].symbol;
  interval r = interval_all();
  cr_assert(query_bounds(&w.q, term_sub(t, term_max(t, x, y), term_min(t, x, y)), &r));
  cr_expect(r.has_lo && num_is_zero(r.lo) && !r.has_hi);
  arena_destroy(&w.arena);
}
