// SPDX-License-Identifier: Apache-2.0
// Whether concrete types of arguments make a program static.
#include <criterion/criterion.h>
#include <string.h>

#include "solver/shape.h"

static void expect_refinable_with(const char *text, const shape_binding *bindings, size_t count,
                                  bool is) {
  shape_options options = SHAPE_STRUCT(shape_options);
  options.refinable = true;
  options.bindings = bindings;
  options.binding_count = count;
  shape_program *p = shape_program_new(NULL);
  cr_assert_eq(shape_program_load(p, text, strlen(text), NULL), SHAPE_OK);
  shape_analysis *a = shape_program_analyze(p, &options);
  cr_expect_eq(shape_analysis_error_count(a) == 0, is, "%s", text);
  shape_analysis_free(a);
  shape_program_free(p);
}

static void expect_refinable(const char *text, bool is) {
  expect_refinable_with(text, NULL, 0, is);
}

#define MAIN(arguments, body, result)                                                              \
  "func.func @main(" arguments ") -> " result " {\n" body "  return %r : " result "\n}\n"
#define V    "tensor<?xf32>"
#define IOTA "stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>\n"
#define F(visible)                                                                                 \
  "func.func " visible "@f(%s: tensor<1xi32>) -> tensor<?xi32> {\n  %r = " IOTA                    \
  "  return %r : tensor<?xi32>\n}\n"
#define CALLED                                                                                     \
  "func.func private @f(%x: " V ") -> tensor<?xi32> {\n"                                           \
  "  %d = stablehlo.get_dimension_size %x, dim = 0 : (" V ") -> tensor<i32>\n"                     \
  "  %s = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>\n  %r = " IOTA                     \
  "  return %r : tensor<?xi32>\n}\n"
#define CALL(name) "call @f(%" name ") : (" V ") -> tensor<?xi32>\n"

Test(refinable, what_arguments_hold_is_data) {
  expect_refinable(MAIN("%s: tensor<1xi32>", "  %r = " IOTA, "tensor<?xi32>"), false);
  expect_refinable(MAIN("%x: " V, "  %r = stablehlo.abs %x : " V "\n", V), true);
  // Also where the operation requires what its type says, or that it is a dim.
  expect_refinable(MAIN("%x: " V ", %s: tensor<2xi32>",
                        "  %r = stablehlo.dynamic_reshape %x, %s : (" V
                        ", tensor<2xi32>) -> tensor<2x3xf32>\n",
                        "tensor<2x3xf32>"),
                   false);
  expect_refinable(MAIN("%x: tensor<?xi32>, %s: tensor<1xi32>",
                        "  %i = " IOTA "  %r = stablehlo.add %x, %i : tensor<?xi32>\n",
                        "tensor<?xi32>"),
                   false);
}

// What a branch requires of an element makes it no number before.
Test(refinable, what_arguments_hold_is_data_in_branches) {
  expect_refinable(
      MAIN("%x: tensor<4xf32>, %p: tensor<2xi32>, %c: tensor<i1>",
           "  %r = \"stablehlo.if\"(%c) ({\n"
           "    %s = stablehlo.slice %p [0:1] : (tensor<2xi32>) -> tensor<1xi32>\n"
           "    %0 = stablehlo.dynamic_reshape %x, %s : (tensor<4xf32>, tensor<1xi32>) -> "
           "tensor<4xf32>\n"
           "    stablehlo.return %0 : tensor<4xf32>\n  }, {\n"
           "    stablehlo.return %x : tensor<4xf32>\n  }) : (tensor<i1>) -> tensor<4xf32>\n",
           "tensor<4xf32>"),
      false);
}

// Only an argument of which each element is given becomes a constant: that the operation requires the rest says nothing.
Test(refinable, what_is_given_is_no_data) {
  const char *text =
      MAIN("%x: " V ", %s: tensor<2xi32>, %n: tensor<i32>",
           "  %r = stablehlo.dynamic_reshape %x, %s : (" V ", tensor<2xi32>) -> tensor<2x3xf32>\n",
           "tensor<2x3xf32>");
  const shape_binding bindings[] = {{"n", 3}, {"x.0", 6}, {"s[0]", 2}, {"s[1]", 3}};
  expect_refinable_with(text, bindings, 2, false);
  expect_refinable_with(text, bindings, 3, false);
  expect_refinable_with(text, bindings, 4, true);
  expect_refinable_with(text, bindings + 2, 2, true);
}

Test(refinable, each_call_has_dims_of_its_own) {
  expect_refinable(
      MAIN("%x: " V ", %y: " V, "  %q = " CALL("x") "  %r = " CALL("y"), "tensor<?xi32>") CALLED,
      true);
}

Test(refinable, a_function_that_nothing_calls_counts_unless_it_is_private) {
  expect_refinable(MAIN("%r: " V, "", V) F("private "), true);
  expect_refinable(MAIN("%r: " V, "", V) F(""), false);
}

Test(refinable, a_rank_is_that_of_the_argument) {
  expect_refinable(MAIN("%x: tensor<*xf32>",
                        "  %r = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>\n",
                        "tensor<?xindex>"),
                   true);
  expect_refinable(MAIN("%x: tensor<*xf32>, %s: tensor<2xi32>",
                        "  %r = stablehlo.dynamic_reshape %x, %s : (tensor<*xf32>, tensor<2xi32>) "
                        "-> tensor<?x?xf32>\n",
                        "tensor<?x?xf32>"),
                   false);
}
