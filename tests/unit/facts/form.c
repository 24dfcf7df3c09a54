// SPDX-License-Identifier: Apache-2.0
// Bounds, residues and excluded values of sums that are not eliminated.
#include "tests/unit/claims.h"

Test(store_form, bounds_of_differences) {
  expect_cheap("a <= b |- a <= b + 1: yes\n"
               "a <= b |- a <= b - 1: unknown\n"
               "a <= b; b <= a |- a == b: yes\n"
               "a <= b + 3 |- a - b <= 3: yes\n"
               "a < b |- b <= a: no\n");
}

Test(store_form, contents_are_divided_out) {
  expect_cheap("2*a <= 7 |- a <= 3: yes\n"
               "2*a <= 7 |- a <= 2: unknown\n"
               "3*a - 3*b >= 4 |- a >= b + 2: yes\n"
               "4*a <= 4*b + 7 |- a <= b + 1: yes\n");
}

Test(store_form, values_are_excluded) {
  expect_cheap("a != b; a <= b |- a < b: yes\n"
               "a != 0 |- a >= 1: yes\n"
               "a != 3 |- a == 3: no\n"
               "a <= 3; a != 3; a != 0 |- a <= 2: yes\n"
               "a <= 1; a != 0; a != 1 |- a <= 1: conflict\n");
}

Test(store_form, residues_round_bounds) {
  expect_cheap("divisible(a, 4); a <= 7 |- a <= 4: yes\n"
               "divisible(a, 4); a != 0 |- a >= 4: yes\n");
}
