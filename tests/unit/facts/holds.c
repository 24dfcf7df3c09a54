// SPDX-License-Identifier: Apache-2.0
// Cheap queries: every relation, both answers, and none where nothing is known.
#include "tests/unit/claims.h"

Test(store_holds, every_relation) {
  expect_cheap("a == b + 2 |- a == b + 2: yes\n"
               "a == b + 2 |- a != b + 2: no\n"
               "a == b + 2 |- a < b + 2: no\n"
               "a == b + 2 |- a <= b + 2: yes\n"
               "a == b + 2 |- a > b: yes\n"
               "a == b + 2 |- a >= b + 3: no\n"
               "a == b + 2 |- divisible(a - b, 2): yes\n"
               "a == b + 2 |- divisible(a - b, 3): no\n");
}

Test(store_holds, what_is_not_known) {
  expect_cheap("a >= 1 |- a == b: unknown\n"
               "a >= 1 |- a != b: unknown\n"
               "a >= 1 |- a < b: unknown\n"
               "a >= 1 |- divisible(a, 2): unknown\n"
               "a >= 1 |- divisible(a, 1): yes\n"
               "a >= 1 |- a >= 1: yes\n"
               "a >= 1 |- a < 1: no\n");
}
