// SPDX-License-Identifier: Apache-2.0
// Functions that run with other arguments than their calls hand over say no more than what holds for any.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define T "tensor<?xf32>"
#define S "tensor<i32>"

// @f makes as many elements as its argument says.
#define MADE                                                                                       \
  "  %v = stablehlo.reshape %n : (" S ") -> tensor<1xi32>\n"                                       \
  "  %i = stablehlo.dynamic_iota %v, dim = 0 : (tensor<1xi32>) -> " T "\n"

static void expect_type(const char *program, const char *type) {
  refined_program c;
  refined_open(&c, program, NULL);
  cr_expect_str_eq(refined_type_of(&c, "i"), type, "%s", program);
  refined_close(&c);
}

Test(roots, a_function_that_is_called_alone_is_what_its_calls_make_it) {
  expect_type("func.func @main() -> " T " {\n  %c = stablehlo.constant dense<3> : " S "\n"
              "  %y = func.call @f(%c) : (" S ") -> " T "\n  return %y : " T "\n}\n"
              "func.func private @f(%n: " S ") -> " T " {\n" MADE "  return %i : " T "\n}\n",
              "tensor<3xf32>");
}

Test(roots, calls_that_are_not_followed_hand_over_anything) {
  expect_type("func.func @main(%m: " S ") -> " T " {\n  %c = stablehlo.constant dense<3> : " S "\n"
              "  %y = func.call @f(%c, %m) : (" S ", " S ") -> " T "\n  return %y : " T "\n}\n"
              "func.func private @f(%n: " S ", %m: " S ") -> " T " {\n" MADE
              "  %p = stablehlo.compare LE, %n, %m : (" S ", " S ") -> tensor<i1>\n"
              "  %r = \"stablehlo.if\"(%p) ({\n    stablehlo.return %i : " T "\n  }, {\n"
              "    %k = stablehlo.subtract %n, %m : " S "\n"
              "    %y = func.call @f(%k, %m) : (" S ", " S ") -> " T "\n"
              "    stablehlo.return %y : " T "\n  }) : (tensor<i1>) -> " T "\n  return %r : " T
              "\n}\n",
              T);
}

Test(roots, what_refers_to_a_function_runs_it_with_anything) {
  expect_type("func.func @main() -> " T " {\n  %c = stablehlo.constant dense<3> : " S "\n"
              "  %y = func.call @f(%c) : (" S ") -> " T "\n"
              "  stablehlo.custom_call @g(%y) {called_computations = [@f], has_side_effect = true} "
              ": (" T ") -> ()\n  return %y : " T "\n}\n"
              "func.func private @f(%n: " S ") -> " T " {\n" MADE "  return %i : " T "\n}\n",
              T);
}
