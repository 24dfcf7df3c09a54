// SPDX-License-Identifier: Apache-2.0
// What reasons say as requirements.
#include "solver/ops/required.h"

#include <criterion/criterion.h>

static void expect_required(const char *reason, const char *required) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 1u << 16);
  strbuf_init(&out, &arena);
  required_put(&out, reason);
  cr_expect_str_eq(strbuf_text(&out), required);
  arena_destroy(&arena);
}

Test(required, the_verb_is_what_must_be) {
  expect_required("the operands have the same shape", "the operands must have the same shape");
  expect_required("split_count divides the split dim", "split_count must divide the split dim");
  expect_required("there is a group", "there must be a group");
  expect_required("shape.cstr_require holds", "shape.cstr_require must hold");
}

Test(required, verbs_of_clauses_stay) {
  expect_required("dims that are broadcast together are equal, or one of them is 1",
                  "dims that are broadcast together must be equal, or one of them is 1");
  expect_required("what is cut off is in the dim", "what is cut off must be in the dim");
  expect_required("a slice has one element along an axis that goes",
                  "a slice must have one element along an axis that goes");
}

Test(required, negation_is_in_front_of_the_verb) {
  expect_required("the divisor is not 0", "the divisor must not be 0");
}

Test(required, a_text_without_a_verb_stays) {
  expect_required("the result's dim", "the result's dim");
  expect_required("is", "is");
  expect_required("", "");
}
