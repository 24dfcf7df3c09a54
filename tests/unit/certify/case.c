// SPDX-License-Identifier: Apache-2.0
// Atoms of terms have the properties of their kinds.
#include "tests/unit/claims.h"

Test(check_case, atoms) {
  expect_confirmed("divisible(a, 4) |- divisible(a, 2): yes\n"
                   "divisible(a, 4) |- divisible(a + 1, 2): no\n"
                   "a <= 9 |- floordiv(a, 4) <= 2: yes\n"
                   "|- mod(a, 4) <= 3: yes\n"
                   "|- 4*floordiv(a, 4) <= a: yes\n"
                   "|- min(a, b) <= a: yes\n"
                   "a >= 5 |- max(a, b) >= 5: yes\n");
}
