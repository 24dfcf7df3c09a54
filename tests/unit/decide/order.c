// SPDX-License-Identifier: Apache-2.0
// Orders that follow through several facts.
#include "tests/unit/claims.h"

Test(decide_order, through_terms) {
  expect_decided("a <= b; b <= c |- a + b <= 2*c: yes\n"
                 "a < b; b < c |- a + 2 <= c: yes\n"
                 "a < b; b < c |- a + 3 <= c: unknown\n"
                 "2*a <= b; b <= 7 |- a <= 3: yes\n");
}
