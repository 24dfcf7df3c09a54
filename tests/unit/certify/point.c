// SPDX-License-Identifier: Apache-2.0
// Premises and queries at one point, exactly.
#include "tests/unit/claims.h"

typedef struct at_point {
  const char *assume, *ask;
  int64_t values[3];
  check_result want;
  bool holds;
} at_point;

Test(check_point, evaluates_exactly) {
  static const at_point ROWS[] = {
      {"a <= b", "a + b == 7", {3, 4, 0}, CHECK_CONFIRMED, true},
      {"a <= b", "a + b == 7", {3, 5, 0}, CHECK_CONFIRMED, false},
      {"a <= b", "a == 4", {4, 3, 0}, CHECK_WRONG, false},
      {"a >= 1", "a == 0", {0, 0, 0}, CHECK_WRONG, false},
      {"", "mod(a, 4) == 3", {7, 0, 0}, CHECK_CONFIRMED, true},
      {"", "floordiv(a, 2) + floordiv(a + 1, 2) == a", {9, 0, 0}, CHECK_CONFIRMED, true},
      {"divisible(a, b)", "a == b", {6, 3, 0}, CHECK_CONFIRMED, false},
      {"divisible(a, b)", "a == b", {6, 0, 0}, CHECK_WRONG, false},
      {"", "mod(a, b) == 0", {6, 0, 0}, CHECK_WRONG, false},
      {"", "a*a*a > 9000000000000000000", {3000000, 0, 0}, CHECK_CONFIRMED, true}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    asked_world w;
    asked_world_open(&w, WORLD_STEPS);
    const term_id symbols[] = {w.symbols[0].symbol, w.symbols[1].symbol, w.symbols[2].symbol};
    w.q.premise_count = claim_premises(&w.terms, symbols, ROWS[i].assume, w.premises);
    predicate asked = claim_read(&w.terms, symbols, ROWS[i].ask);
    num values[3];
    bool holds = false;
    for (int k = 0; k < 3; k++) values[k] = num_from_int(ROWS[i].values[k]);
    cr_expect_eq(check_point(&w.q, values, &asked, &holds), ROWS[i].want, "row %zu", i);
    if (ROWS[i].want == CHECK_CONFIRMED) cr_expect_eq(holds, ROWS[i].holds, "row %zu", i);
    arena_destroy(&w.arena);
  }
}

// Dims are at least 0.
Test(check_point, ranges_count) {
  asked_world w;
  asked_world_open(&w, WORLD_STEPS);
  const num values[3] = {NUM(1), NUM(-1), NUM(0)};
  cr_expect_eq(check_point(&w.q, values, NULL, NULL), CHECK_WRONG);
  arena_destroy(&w.arena);
}
