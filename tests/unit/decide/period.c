// SPDX-License-Identifier: Apache-2.0
// Ranges of quasi-linear terms, by their periods.
#include "tests/unit/claims.h"

Test(decide_period, quotients_and_remainders) {
  expect_decided("|- a - 4*floordiv(a, 4) <= 3: yes\n"
                 "|- floordiv(a + 3, 4)*4 >= a: yes\n"
                 "|- 4*floordiv(a + 3, 4) - a <= 3: yes\n"
                 "|- 4*floordiv(a + 3, 4) - a <= 2: unknown\n"
                 "|- floordiv(a, 2) + floordiv(a + 1, 2) == a: yes\n"
                 "|- floordiv(a, 6) == floordiv(floordiv(a, 2), 3): yes\n"
                 "|- mod(a, 2) + mod(a + 1, 2) == 1: yes\n");
}
