// SPDX-License-Identifier: Apache-2.0
// Few points: all of them are tried, whatever the terms are.
#include "tests/unit/claims.h"

Test(decide_box, every_point) {
  expect_decided("a <= 6; b >= 1; b <= 3 |- mod(a, b) <= 2: yes\n"
                 "a <= 6; b >= 1; b <= 3 |- mod(a, b) <= 1: unknown\n"
                 "a <= 5 |- mod(a*a, 4) <= 1: yes\n"
                 "a <= 5 |- mod(a*a, 3) != 2: yes\n"
                 "a >= 1; a <= 4; b >= 1; b <= 4; a*b == 6 |- a + b == 5: yes\n");
}
