// SPDX-License-Identifier: Apache-2.0
// Lemmas about products.
#include "tests/unit/claims.h"

Test(decide_lemma, of_factors_with_ends) {
  expect_decided("a >= 2; b >= 3 |- a*b >= 2*b + 3*a - 6: yes\n"
                 "a >= 1; b >= a |- a*b >= a*a: yes\n"
                 "a <= 4; b <= 5 |- a*b <= 20: yes\n"
                 "|- a*a >= a: yes\n"
                 "|- a*a >= 2*a - 1: yes\n"
                 "a == b |- a*c == b*c: yes\n"
                 "|- a*b >= a: unknown\n");
}
