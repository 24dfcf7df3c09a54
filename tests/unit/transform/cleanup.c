// SPDX-License-Identifier: Apache-2.0
// What nothing needs goes, what may end the run stays.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

Test(cleanup, removes_what_nothing_needs) {
  const refine_case kept = {.program = RESHAPE("tensor<?x?xf32>")};
  const refine_case c = {.program = RESHAPE("tensor<?x?xf32>"), .options = {.cleanup = true}};
  expect_refined(&kept, "dense<[2, 3]>", NULL);
  expect_refined(&c, "stablehlo.reshape %x", "dense<[2, 3]>");
}

Test(cleanup, removes_private_functions_without_a_caller) {
  const refine_case c = {.program = "func.func private @gone(%x: tensor<f32>) -> tensor<f32> {\n"
                                    "  return %x : tensor<f32>\n}\n"
                                    "func.func private @used(%x: tensor<f32>) -> tensor<f32> {\n"
                                    "  return %x : tensor<f32>\n}\n"
                                    "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
                                    "  %r = func.call @used(%x) : (tensor<f32>) -> tensor<f32>\n"
                                    "  return %r : tensor<f32>\n}\n",
                         .options = {.cleanup = true}};
  expect_refined(&c, "@used(%x: tensor<f32>)", "@gone");
}

Test(cleanup, keeps_what_may_end_the_run) {
  const refine_case c = {.program = ASSERTION("LT"), .options = {.cleanup = true}};
  expect_refined(&c, "@shape_assertion", NULL);
}

Test(cleanup, keeps_declarations_where_there_is_no_entry) {
  const refine_case c = {
      .program = "func.func private @f(tensor<?xf32>) -> tensor<?xf32>\n",
      .options = {.cleanup = true},
  };
  expect_refined(&c, "@f(tensor<?xf32>)", NULL);
}
