// SPDX-License-Identifier: Apache-2.0
// Linear facts are refuted by combinations of rows, rounded to integers.
#include "tests/unit/claims.h"

Test(check_linear, combinations) {
  expect_confirmed("a <= b; b <= 5 |- a <= 5: yes\n"
                   "a <= b; b <= 5 |- a >= 6: no\n"
                   "2*a == 3*b; b >= 2 |- a >= 3: yes\n"
                   "a + b == 7; a == b + 1 |- a == 4: yes\n"
                   "2*a == 2*b + 1 |- a == b: conflict\n"
                   "a <= b; b <= c; c < a |- a == b: conflict\n"
                   "3*a + 5*b <= 14; b >= 1 |- a <= 3: yes\n");
}
