// SPDX-License-Identifier: Apache-2.0
// Linear facts over the integers, by the simplex with branch and bound.
#include "tests/unit/claims.h"

Test(decide_simplex, linear_facts) {
  expect_decided("a + b + c <= 9; a >= b; b >= c |- c <= 3: yes\n"
                 "a + b + c <= 9; a >= b; b >= c |- c <= 2: unknown\n"
                 "2*a + 2*b >= 3 |- a + b >= 2: yes\n"
                 "4*a + 6*b >= 3; 4*a + 6*b <= 3 |- a == b: conflict\n"
                 "3*a + 4*b >= 5; 3*a + 4*b <= 5 |- a == b: conflict\n"
                 "7*a - 5*b >= 1; 7*a - 5*b <= 1 |- a >= 3: yes\n");
}
