// SPDX-License-Identifier: Apache-2.0
// Residues of terms: what a remainder by a number says, solved for symbols where that is possible.
#include "tests/unit/claims.h"

Test(store_congruence, what_is_divisible_is_so_by_divisors) {
  expect_cheap("divisible(a, 4) |- divisible(a, 2): yes\n"
               "divisible(a, 4) |- divisible(a, 4): yes\n"
               "divisible(a, 4) |- divisible(a, 8): unknown\n"
               "divisible(a, 4) |- divisible(a + 1, 2): no\n"
               "divisible(a, 4) |- divisible(3*a + 8, 4): yes\n");
}

Test(store_congruence, residues_meet) {
  expect_cheap("divisible(a, 4); divisible(a, 6) |- divisible(a, 12): yes\n"
               "divisible(a, 4); divisible(a, 6) |- divisible(a, 24): unknown\n"
               "divisible(a, 4); divisible(b, 6) |- divisible(a + b, 2): yes\n"
               "divisible(a + 1, 4) |- mod(a, 4) == 3: yes\n"
               "divisible(a, 2); divisible(a + 1, 4) |- divisible(a, 2): conflict\n");
}

Test(store_congruence, coefficients_are_divided_out) {
  expect_cheap("divisible(3*a, 4) |- divisible(a, 4): yes\n"
               "divisible(6*a, 4) |- divisible(a, 2): yes\n"
               "divisible(6*a, 4) |- divisible(a, 4): unknown\n"
               "divisible(2*a + 1, 4) |- divisible(a, 2): conflict\n");
}

Test(store_congruence, quotients_become_exact) {
  expect_cheap("divisible(a, 4) |- 4*floordiv(a, 4) == a: yes\n"
               "divisible(a, 4) |- floordiv(a, 4) == floordiv(a + 3, 4): yes\n"
               "divisible(a, 3) |- 4*floordiv(a, 4) == a: unknown\n");
}
