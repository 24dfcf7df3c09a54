// SPDX-License-Identifier: Apache-2.0
// Atoms that get a definition, and what follows where they are used.
#include "tests/unit/claims.h"

Test(store_define, arguments_that_are_equal_make_equal_atoms) {
  expect_cheap("a == b |- floordiv(a, 3) == floordiv(b, 3): yes\n"
               "a == b |- min(a, c) == min(b, c): yes\n"
               "a == b + 1 |- floordiv(a, 3) == floordiv(b, 3): unknown\n");
}

Test(store_define, numbers_evaluate_them) {
  expect_cheap("floordiv(a, 4) == c; a == 8 |- c == 2: yes\n"
               "a == 8; floordiv(a, 4) == c |- c == 2: yes\n"
               "min(a, b) == c; a == 3; b == 2 |- c == 2: yes\n"
               "mod(a, 5) == c; a == 13 |- c == 3: yes\n");
}

Test(store_define, a_definition_is_replaced) {
  expect_cheap(
      "floordiv(a, 2) == c; floordiv(b, 2) == c; a == b |- floordiv(a, 2) == floordiv(b, 2): yes\n"
      "floordiv(a, 2) == b; b == c |- floordiv(a, 2) == c: yes\n"
      "floordiv(a, 2) == 3; a == 8 |- floordiv(a, 2) == 3: conflict\n");
}
