// SPDX-License-Identifier: Apache-2.0
// Minima and maxima under every order of their symbols.
#include "tests/unit/claims.h"

Test(decide_lattice, under_every_order) {
  expect_decided("|- min(a, b) + max(a, b) == a + b: yes\n"
                 "|- min(a, max(b, c)) == max(min(a, b), min(a, c)): yes\n"
                 "|- min(a, b) <= max(b, c): yes\n"
                 "|- min(a, b) <= c: unknown\n"
                 "|- max(a, b) - min(a, b) >= 0: yes\n"
                 "a <= b |- min(a, c) <= min(b, c): yes\n");
}
