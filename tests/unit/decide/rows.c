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

// Two factors that count something are propagated in machine words; 0, signs and large numbers are not.
Test(decide_rows, products_of_counts) {
  expect_decided("a >= 2; b >= 3; a*b <= 20 |- b <= 10: yes\n"
                 "a >= 2; b >= 3; a*b <= 20 |- b <= 9: unknown\n"
                 "a*b == 7; a <= 6; b <= 6; a >= 2 |- b == 1: conflict\n"
                 "a*b >= 10; a <= 4; b <= 2 |- a == b: conflict\n"
                 "a*b == 0; a >= 1 |- b == 0: yes\n"
                 "a*b <= 3; a >= 2 |- b <= 1: yes\n"
                 "a >= 4611686018427387904; b >= 4 |- a*b >= 18446744073709551616: yes\n"
                 "a >= 4611686018427387904; b >= 4 |- a*b >= 18446744073709551617: unknown\n");
}

// A row that tightened its own variables comes again only where others moved the ends that it rests on.
Test(decide_rows, rows_that_tighten_each_other) {
  expect_decided("a < b; b < c; c <= a + 2 |- b == a + 1: yes\n"
                 "a < b; b < c; c <= a + 1 |- a == b: conflict\n"
                 "3*a <= 2*b + 1; 3*b <= 2*c + 1; c <= 5 |- a <= 2: yes\n"
                 "3*a <= 2*b + 1; 3*b <= 2*c + 1; c <= 5 |- a <= 1: unknown\n"
                 "2*a + 3*b == 12; a + b >= 5 |- b <= 2: yes\n");
}
