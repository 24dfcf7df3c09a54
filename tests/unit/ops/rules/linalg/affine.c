// SPDX-License-Identifier: Apache-2.0
// Integers of affine, index and arith as terms.
#include "tests/unit/ops/rules.h"

#define N "%n: index, %m: index"

Test(affine, maps) {
  expect_elements(N, "%r = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 - 1)>(%n)[%m]",
                  "[2*S0 + S1 - 1]");
  expect_elements(N, "%r = affine.min affine_map<(d0) -> (d0, d0 + 3)>(%n)", "[S0]");
  expect_elements(N, "%r = affine.max affine_map<(d0) -> (d0, 4)>(%n)", "[max(S0, 4)]");
  // A divisor is > 0 wherever the operation runs.
  expect_guards(N, "%r = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%n)[%m]", "S1 >= 1");
  expect_error(N, "%r = \"affine.apply\"(%n) {map = affine_map<(a, b) -> (a)>} : (index) -> index",
               "operand-count");
}

Test(affine, digits) {
  const char *digits = "%r:2 = affine.delinearize_index %n into (4, 8) : index, index";
  expect_fact(N, digits, "S0 <= 31");
  expect_open(N, digits, "S0 <= 30");
  expect_error(N, "%r:2 = affine.delinearize_index %n into (4, 0) : index, index", "attribute");
  expect_elements(N, "%r = affine.linearize_index [%n, %m] by (8) : index", "[8*S0 + S1]");
  const char *disjoint = "%r = affine.linearize_index disjoint [%n, %m] by (8) : index";
  expect_fact(N, disjoint, "S1 <= 7");
  expect_open(N, disjoint, "S0 <= 7");
}

Test(affine, index_and_extended) {
  expect_elements(N, "%c = index.constant 5\n%r = index.add %n, %c", "[S0 + 5]");
  expect_elements(N, "%c = index.constant -7\n%d = index.constant 2\n%r = index.floordivs %c, %d",
                  "[-4]");
  expect_elements("", "%a = arith.constant 7 : i32\n%r, %o = arith.addui_extended %a, %a : i32, i1",
                  "[14]");
}
