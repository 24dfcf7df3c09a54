// SPDX-License-Identifier: Apache-2.0
// Canonical terms: whatever is equal inside of a term makes equal terms.
#include "tests/unit/claims.h"

Test(store_canon, inside_of_products_and_atoms) {
  expect_cheap("a == b |- a*c == b*c: yes\n"
               "a + b == c |- (a + b)*c == c*c: yes\n"
               "a == b |- mod(a*c, 5) == mod(b*c, 5): yes\n"
               "a == b |- a*a == a*b: yes\n"
               "a == b |- floordiv(min(a, c), 2) == floordiv(min(b, c), 2): yes\n"
               "a == b |- a*c == b*b: unknown\n");
}

Test(store_canon, products_are_rewritten) {
  expect_cheap("a*b == c |- a*b*c == c*c: yes\n"
               "a*b == 6 |- 2*a*b == 12: yes\n"
               "a*b == c; a == 1 |- b == c: yes\n");
}
