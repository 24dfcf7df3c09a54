// SPDX-License-Identifier: Apache-2.0
// What IREE's operations say of integers and dims.
#include "tests/unit/ops/rules.h"

Test(iree, assumed_integers) {
  const char *rows = "%r = util.assume.int %n<umin = 4, umax = 64, udiv = 4> : index";
  expect_fact("%n: index", rows, "S0 >= 4");
  expect_fact("%n: index", rows, "S0 <= 64");
  expect_fact("%n: index", rows, "S0 % 4 == 0");
  expect_open("%n: index", rows, "S0 % 8 == 0");
  // A multiple alone says nothing of the sign.
  expect_open("%n: index", "%r = util.assume.int %n<udiv = 16> : index", "S0 >= 0");
  // Of several rows one holds.
  const char *either =
      "%r = util.assume.int %n[<umin = 0, umax = 0>, <umin = 64, umax = 64>] : index";
  expect_fact("%n: index", either, "S0 <= 64");
  expect_open("%n: index", either, "S0 == 64");
  expect_open("%n: index", "%r = util.assume.int %n[<umax = 4>, <>] : index", "S0 <= 4");
}

Test(iree, tied_shapes) {
  expect_arguments("%t: tensor<?x4xf32>, %n: index",
                   "%r = flow.tensor.tie_shape %t : tensor<?x4xf32>{%n}", "[S0, 4] []");
  expect_fact("%t: tensor<?x4xf32>, %n: index",
              "%r = flow.tensor.tie_shape %t : tensor<?x4xf32>{%n}", "S0 >= 0");
  expect_sizes("%v: !hal.buffer_view, %n: index",
               "%r = hal.tensor.import %v : !hal.buffer_view -> tensor<?x4xf32>{%n}", "[S0, 4]");
}
