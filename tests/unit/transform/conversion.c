// SPDX-License-Identifier: Apache-2.0
// An operation written as several: names of what is new, and lines.
#include "solver/transform/conversion.h"

#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define SET(name, before)                                                                          \
  "func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>> {\n" \
  "    " before "%" name                                                                           \
  " = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4xf32>, tensor<i32>) "                \
  "-> tensor<?xf32, #stablehlo.bounds<4>>\n"                                                       \
  "  return %" name " : tensor<?xf32, #stablehlo.bounds<4>>\n}\n"

static void expect_unbounded(const char *program, const char *part) {
  const refine_case c = {.program = program, .options = {.dynamism = DYNAMISM_UNBOUNDED}};
  expect_refined(&c, part, "set_dimension_size");
}

Test(conversion, names_are_new) {
  expect_unbounded(SET("r", ""), "\n    %r_limit = stablehlo.concatenate %r_limit0");
  expect_unbounded(SET("0", ""), "%v0_limit = stablehlo.concatenate %v0_limit0");
  expect_unbounded(SET("r", "%r_start = stablehlo.tanh %x : tensor<4xf32>\n    "),
                   "%r_1_limit = stablehlo.concatenate %r_1_limit0");
}
