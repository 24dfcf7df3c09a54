// SPDX-License-Identifier: Apache-2.0
// Literals of every relation, and ranges by interval arithmetic.
#include "tests/unit/claims.h"

Test(decide_range, literals) {
  expect_decided("a == 2 |- a == 2: yes\n"
                 "a != 2 |- a == 2: no\n"
                 "a < 2 |- a <= 1: yes\n"
                 "a > 2 |- a >= 3: yes\n"
                 "a >= 2 |- a < 2: no\n"
                 "divisible(a, 6) |- divisible(a, 3): yes\n"
                 "a != 0; divisible(a, 6) |- a >= 6: yes\n"
                 "a <= 3; b <= 3 |- a*b + a <= 12: yes\n");
}
