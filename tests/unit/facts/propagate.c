// SPDX-License-Identifier: Apache-2.0
// Bounds that spread through equations and inequations.
#include "tests/unit/claims.h"

Test(store_propagate, along_chains) {
  expect_cheap("a <= b; b <= 5 |- a <= 5: yes\n"
               "b <= 5; a <= b |- a <= 5: yes\n"
               "a <= b; b <= c; c <= 2 |- a <= 2: yes\n"
               "a <= b; c <= 5 |- a <= 5: unknown\n");
}

Test(store_propagate, through_sums_and_products) {
  expect_cheap("a + b == 5 |- a <= 5: yes\n"
               "a + b <= 5 |- b <= 5: yes\n"
               "a*b == 12 |- a <= 12: yes\n"
               "a*b == 12 |- a >= 1: yes\n"
               "a*b == 12; a >= 4 |- b <= 3: yes\n"
               "a*b >= 1 |- b != 0: yes\n");
}

Test(store_propagate, through_atoms) {
  expect_cheap("floordiv(a, 4) == 2 |- a >= 8: yes\n"
               "floordiv(a, 4) == 2 |- a <= 11: yes\n"
               "min(a, b) >= 3 |- a >= 3: yes\n");
}

Test(store_propagate, to_a_conflict) {
  expect_cheap("a <= b; b <= 5; a >= 6 |- a <= 5: conflict\n"
               "a*b == 12; a >= 13 |- a <= 12: conflict\n");
}
