// SPDX-License-Identifier: Apache-2.0
// Sums that are 0: integer elimination.
#include "tests/unit/claims.h"

Test(store_linear, systems_are_solved) {
  expect_cheap("a + b == 7; a == b + 1 |- a == 4: yes\n"
               "a + b == 7; a == b + 1 |- b == 3: yes\n"
               "a + b == 7 |- a == 7 - b: yes\n"
               "2*a == 2*b + 6 |- a == b + 3: yes\n");
}

Test(store_linear, coefficients_above_1) {
  expect_cheap("2*a == 3*b |- divisible(a, 3): yes\n"
               "2*a == 3*b |- divisible(b, 2): yes\n"
               "2*a == 3*b |- divisible(a, 6): unknown\n"
               "6*a == 4*b |- 3*a == 2*b: yes\n"
               "5*a + 3*b == 8*c; a == c |- b == c: yes\n");
}

Test(store_linear, without_an_integer_point) {
  expect_cheap("2*a == 2*b + 1 |- a == b: conflict\n"
               "6*a + 4*b == 3 |- a == b: conflict\n"
               "a + b == 4; a + b == 5 |- a + b == 4: conflict\n");
}

Test(store_linear, products_are_unknowns) {
  expect_cheap("a*b == c + 2; c == 4 |- a*b == 6: yes\n"
               "a*b + c == 5; c == a*b + 1 |- c == 3: yes\n");
}
