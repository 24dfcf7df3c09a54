// SPDX-License-Identifier: Apache-2.0
// Constraints on differences of symbols.
#include "tests/unit/claims.h"

Test(decide_difference, paths_and_cycles) {
  expect_decided("a - b <= 1; b - c <= 1 |- a - c <= 2: yes\n"
                 "a - b <= 1; b - c <= 1 |- a - c <= 1: unknown\n"
                 "a < b; b < c; c < a |- a == b: conflict\n"
                 "a <= b; b <= c; c <= a |- a == c: yes\n"
                 "a - b <= -2; b <= 5 |- a <= 3: yes\n"
                 "a >= b + 2; b >= c + 3 |- a >= c + 5: yes\n");
}
