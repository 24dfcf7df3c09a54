// SPDX-License-Identifier: Apache-2.0
// Types of what branches and loops yield fit together, also where a branch never runs.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define BRANCHES(which)                                                                            \
  "func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {\n"                     \
  "  %p = stablehlo.constant dense<" which "> : tensor<i1>\n"                                      \
  "  %r = \"stablehlo.if\"(%p) ({\n"                                                               \
  "    %a = stablehlo.negate %x : tensor<?xf32>\n    stablehlo.return %a : tensor<?xf32>\n  }, "   \
  "{\n"                                                                                            \
  "    %b = stablehlo.negate %y : tensor<?xf32>\n    stablehlo.return %b : tensor<?xf32>\n"        \
  "  }) : (tensor<i1>) -> tensor<?xf32>\n  return %r : tensor<?xf32>\n}\n"

static void expect_types(const char *program, const char *a, const char *b, const char *r) {
  refined_program p;
  refined_open(&p, program, "tensor<2xf32>,tensor<3xf32>");
  refine_branches(p.types);
  cr_expect_str_eq(refined_type_of(&p, "a"), a);
  cr_expect_str_eq(refined_type_of(&p, "b"), b);
  cr_expect_str_eq(refined_type_of(&p, "r"), r);
  refined_close(&p);
}

Test(branches, one_that_never_runs_makes_way_for_the_result) {
  expect_types(BRANCHES("true"), "tensor<2xf32>", "tensor<?xf32>", "tensor<2xf32>");
  expect_types(BRANCHES("false"), "tensor<?xf32>", "tensor<3xf32>", "tensor<3xf32>");
}

Test(branches, equal_ones_keep_their_types) {
  refined_program p;
  refined_open(&p, BRANCHES("true"), "tensor<2xf32>,tensor<2xf32>");
  refine_branches(p.types);
  cr_expect_str_eq(refined_type_of(&p, "a"), "tensor<2xf32>");
  cr_expect_str_eq(refined_type_of(&p, "b"), "tensor<2xf32>");
  refined_close(&p);
}

// What is written reads without an error.
Test(branches, what_is_written_is_accepted) {
  const refine_case c = {.program = BRANCHES("true"),
                         .argument_types = "tensor<2xf32>,tensor<3xf32>"};
  char *text = refine_text(&c);
  const refine_case again = {.program = text};
  expect_refined(&again, "stablehlo.negate %y : (tensor<3xf32>) -> tensor<?xf32>", NULL);
  free(text);
}
