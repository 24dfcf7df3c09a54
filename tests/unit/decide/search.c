// SPDX-License-Identifier: Apache-2.0
// Case splits cover all cases.
#include "tests/unit/claims.h"

Test(decide_search, cases) {
  expect_decided("|- max(a, b) == a + b - min(a, b): yes\n"
                 "a != b |- max(a, b) >= min(a, b) + 1: yes\n"
                 "a*b == 0 |- min(a, b) == 0: yes\n"
                 "a != 3; a <= 4; a >= 2; a != 2 |- a == 4: yes\n"
                 "a <= 1; b <= 1 |- a*b == min(a, b): yes\n"
                 "a*b == 0 |- a == 0: unknown\n");
}

// Ranges do not show that a + b is positive: the case split on its sign says no more than the premise.
Test(decide_search, sign_of_a_divisor) {
  expect_decided("a + b >= 1; mod(2*a, a + b) == 0; floordiv(2*a, a + b) != 0 |- floordiv(2*a, a + "
                 "b) == 0: no\n"
                 "a + b >= 1; a <= b |- floordiv(2*a, a + b) <= 100: unknown\n");
}
