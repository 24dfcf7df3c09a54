// SPDX-License-Identifier: Apache-2.0
// Regions of operations that are not known.
#include <stdio.h>

#include "tests/unit/ops/rules.h"

#define T "tensor<?x?xf32>"

// What requires something need not have tensors: shapes, conditions, calls.
Test(requires, may_be_without_tensors) {
  static const char *const BODIES[] = {
      "%w = shape.cstr_eq %p, %q : !shape.shape, !shape.shape",
      "%w = shape.cstr_require %c, \"x\"",
      "cf.assert %c, \"y\"",
      "func.call @other(%c) : (i1) -> ()",
  };
  for (unsigned i = 0; i < sizeof BODIES / sizeof *BODIES; i++) {
    char body[400];
    snprintf(body, sizeof body,
             "%%r = \"my.op\"(%%a) ({\n%s\n\"my.end\"() : () -> ()\n}) : (" T ") -> " T, BODIES[i]);
    expect_unchecked("%a: " T ", %p: !shape.shape, %q: !shape.shape, %c: i1", body,
                     "what its regions require: nothing is known of the operation around them");
  }
}

Test(requires, scalars_that_are_only_computed_require_nothing) {
  expect_unchecked(
      "%a: " T ", %n: index",
      "%r = \"my.op\"(%a) ({\n%m = arith.addi %n, %n : index\n\"my.end\"() : () -> ()\n}) : (" T
      ") -> " T,
      "");
}
