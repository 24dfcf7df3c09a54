// SPDX-License-Identifier: Apache-2.0
// Cases cover all points.
#include "tests/unit/claims.h"

Test(check_split, cases) {
  expect_confirmed("|- min(a, b) + max(a, b) == a + b: yes\n"
                   "a != 3; a <= 4; a >= 2; a != 2 |- a == 4: yes\n"
                   "a <= 1; a != 0; a != 1 |- a == 5: conflict\n"
                   "a != b; a <= b |- a < b: yes\n"
                   "a*b == 0; a >= 1; b >= 1 |- a == b: conflict\n");
}
