// SPDX-License-Identifier: Apache-2.0
// Rows over monomials, and bounds that follow from them.
#include "tests/unit/claims.h"

Test(decide_rows, bounds_through_products) {
  expect_decided("a*b == 12; a >= 4 |- b <= 3: yes\n"
                 "a*b == 12; b <= 3 |- a >= 4: yes\n"
                 "a*b >= 1 |- a >= 1: yes\n"
                 "3*a + 5*b <= 14; b >= 1 |- a <= 3: yes\n"
                 "3*a + 5*b <= 14; b >= 1 |- a <= 2: unknown\n");
}
