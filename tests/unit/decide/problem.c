// SPDX-License-Identifier: Apache-2.0
// Equalities between literals are solved before the search.
#include "tests/unit/claims.h"

Test(decide_problem, equalities) {
  expect_decided("2*a == 3*b |- divisible(a, 3): yes\n"
                 "2*a == 3*b; a == 6*c + 3 |- b == 4*c + 2: yes\n"
                 "3*a + 6*b == 4 |- a == b: conflict\n"
                 "a - 4*floordiv(a, 4) == 2 |- divisible(a + 2, 4): yes\n"
                 "a == b*c; b == 2; c == 3 |- a == 6: yes\n");
}
