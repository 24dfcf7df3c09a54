// SPDX-License-Identifier: Apache-2.0
// Ranges of terms by interval arithmetic.
#include "tests/unit/claims.h"

Test(store_range, of_sums_and_products) {
  expect_cheap("a <= 3; b <= 4 |- a*b <= 12: yes\n"
               "a <= 3; b <= 4 |- a*b <= 11: unknown\n"
               "a <= 3; b <= 4 |- a + b <= 7: yes\n"
               "a >= 2; b >= 2 |- a*b >= 4: yes\n"
               "a <= 3 |- a*a <= 9: yes\n"
               "a <= 3 |- b - a >= -3: yes\n");
}

Test(store_range, of_atoms) {
  expect_cheap("a <= 9 |- floordiv(a, 4) <= 2: yes\n"
               "a <= 9 |- floordiv(a, 4) <= 1: unknown\n"
               "a >= 5 |- min(a, 7) <= 7: yes\n"
               "a >= 5 |- min(a, 7) >= 5: yes\n");
}
