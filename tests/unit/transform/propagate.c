// SPDX-License-Identifier: Apache-2.0
// Which values are constants whatever the input: what calls and arguments hand on.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define SCALAR "tensor<i32>"
#define CALLEE                                                                                     \
  "func.func private @f(%x: " SCALAR ") -> " SCALAR " {\n"                                         \
  "  %y = stablehlo.add %x, %x : " SCALAR "\n  return %y : " SCALAR "\n}\n"

static void expect_returned(const char *program, int64_t first_argument, const char *items) {
  reading r;
  cr_expect_str_eq(refine_returned(&r, program, first_argument), items, "%s", program);
  reading_destroy(&r);
}

Test(propagate, a_call_hands_over_its_operands) {
  expect_returned("func.func @main() -> " SCALAR " {\n"
                  "  %c = stablehlo.constant dense<21> : " SCALAR "\n"
                  "  %r = func.call @f(%c) : (" SCALAR ") -> " SCALAR "\n"
                  "  return %r : " SCALAR "\n}\n" CALLEE,
                  0, "42");
}

Test(propagate, calls_that_differ_make_an_argument_vary) {
  expect_returned("func.func @main() -> " SCALAR " {\n"
                  "  %c = stablehlo.constant dense<21> : " SCALAR "\n"
                  "  %d = stablehlo.constant dense<4> : " SCALAR "\n"
                  "  %q = func.call @f(%d) : (" SCALAR ") -> " SCALAR "\n"
                  "  %r = func.call @f(%c) : (" SCALAR ") -> " SCALAR "\n"
                  "  return %r : " SCALAR "\n}\n" CALLEE,
                  0, "varies");
}

Test(propagate, an_argument_that_the_caller_fixes_is_a_constant) {
  expect_returned("func.func @main(%n: " SCALAR ", %m: " SCALAR ") -> " SCALAR " {\n"
                  "  %r = stablehlo.multiply %n, %n : " SCALAR "\n"
                  "  return %r : " SCALAR "\n}\n",
                  9, "81");
  expect_returned("func.func @main(%n: " SCALAR ", %m: " SCALAR ") -> " SCALAR " {\n"
                  "  %r = stablehlo.multiply %n, %m : " SCALAR "\n"
                  "  return %r : " SCALAR "\n}\n",
                  9, "varies");
}

Test(propagate, a_function_that_calls_itself_ends) {
  expect_returned("func.func @main(%n: " SCALAR ") -> " SCALAR " {\n"
                  "  %one = stablehlo.constant dense<1> : " SCALAR "\n"
                  "  %m = stablehlo.add %n, %one : " SCALAR "\n"
                  "  %r = func.call @main(%m) : (" SCALAR ") -> " SCALAR "\n"
                  "  return %m : " SCALAR "\n}\n",
                  0, "varies");
}
