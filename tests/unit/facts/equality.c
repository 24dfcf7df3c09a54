// SPDX-License-Identifier: Apache-2.0
// Classes of equal symbols and numbers.
#include "tests/unit/claims.h"

Test(store_equality, is_transitive) {
  expect_cheap("a == b; b == c |- a == c: yes\n"
               "a == b |- a == c: unknown\n"
               "a == b |- a + 1 == b + 1: yes\n"
               "a == b |- a != b: no\n"
               "a == b |- a < b + 1: yes\n");
}

Test(store_equality, takes_numbers) {
  expect_cheap("a == 5 |- a == 5: yes\n"
               "a == 5 |- a <= 4: no\n"
               "a == 3; b == 3 |- a == b: yes\n"
               "a == 3; b == 4 |- a == b: no\n"
               "a == b; b == 7; a == c |- c == 7: yes\n");
}

Test(store_equality, conflicts_are_found) {
  expect_cheap("a == b; b == a + 1 |- a == b: conflict\n"
               "a == 5; a == 6 |- a == 5: conflict\n"
               "a == b; b == c; a != c |- a == c: conflict\n");
}
