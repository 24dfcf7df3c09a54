// SPDX-License-Identifier: Apache-2.0
// Affine maps as text: what is read, and what is refused.
#include <stdio.h>

#include "tests/unit/ops/rules.h"

#define N          "%n: index"
#define APPLY(map) "%r = \"affine.apply\"(%n) {map = " map "} : (index) -> index"

Test(affine_map, forms) {
  expect_elements(N, APPLY("affine_map<(d0) -> ((d0 - -3) * 2)>"), "[2*S0 + 6]");
  expect_elements(N, APPLY("affine_map<(i) -> (-i ceildiv 8)>"), "[-floordiv(S0, 8)]");
  expect_elements(N, APPLY("affine_map<()[s0] -> (s0 mod 4 + 7 floordiv 2)>"), "[mod(S0, 4) + 3]");
  expect_elements(N, APPLY("affine_map<(d0) -> (42)>"), "[42]");
}

// What does not read as a map, or divides by what is not positive, says nothing.
Test(affine_map, hostile) {
  static const char *const REFUSED[] = {
      "affine_map<>",
      "affine_map<(d0) -> (d1)>",
      "affine_map<(d0) -> (d0 +)>",
      "affine_map<(d0) -> (99999999999999999999)>",
      "affine_map<(d0) -> (d0 floordiv 0)>",
      "affine_map<(d0) -> (d0 mod -2)>",
      "affine_set<(d0) : (d0 >= 0)>",
      "affine_set<(d0) -> (d0)>",
      "affine_map<(d0) -> "
      "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((d0"
      "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))>"};
  for (unsigned i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
    char body[512];
    snprintf(body, sizeof body, "%%r = \"affine.apply\"(%%n) {map = %s} : (index) -> index",
             REFUSED[i]);
    expect_error(N, body, NULL);
    expect_open(N, body, "S0 >= 0");
  }
}
