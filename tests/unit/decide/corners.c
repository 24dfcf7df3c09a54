// SPDX-License-Identifier: Apache-2.0
// Polynomials that are linear in each symbol take their ends at the corners of the ranges.
#include "tests/unit/claims.h"

Test(decide_corners, boxes) {
  expect_decided("a >= 1; a <= 9; b >= 1; b <= 9 |- 9*a + 9*b - a*b >= 17: yes\n"
                 "a >= 1; a <= 9; b >= 1; b <= 9 |- 9*a + 9*b - a*b >= 18: unknown\n"
                 "a >= 1; a <= 9; b >= 1; b <= 9 |- 9*a + 9*b - a*b <= 81: yes\n"
                 "a >= 1; a <= 9; b >= 1; b <= 9 |- 9*a + 9*b - a*b <= 80: unknown\n");
}

Test(decide_corners, endless) {
  expect_decided("a >= 1; b >= 1 |- a*b >= a + b - 1: yes\n"
                 "a >= 1; b >= 1 |- a*b >= a + b: unknown\n"
                 "a >= 1; b >= 1; c >= 1 |- a*b*c >= c: yes\n"
                 "a >= 2; b <= 3 |- a*b <= 3*a: yes\n"
                 "a >= 2; b <= 3 |- a*b <= 3*a - 1: unknown\n"
                 "a >= 1; b >= 1 |- a + b - a*b != 2: yes\n");
}
