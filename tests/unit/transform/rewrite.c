// SPDX-License-Identifier: Apache-2.0
// Changes to operations besides their types: wrappers and assertions, static forms, clean-up, fixed arguments, copies of
// functions, and the two forms of dynamism.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define SIZE(x)                                                                                    \
  "  %n = stablehlo.get_dimension_size " x ", dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"

// --- wrappers.c

#define ASSERTION(condition)                                                                       \
  "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n" SIZE(                                  \
      "%x") "  %c = stablehlo.constant dense<4> : tensor<i32>\n"                                   \
            "  %p = stablehlo.compare " condition                                                  \
            ", %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"                                \
            "  stablehlo.custom_call @shape_assertion(%p) {has_side_effect = true} : "             \
            "(tensor<i1>) -> ()\n"                                                                 \
            "  return %x : tensor<?xf32>\n}\n"

Test(wrappers, an_assertion_goes_where_it_holds) {
  const refine_case open = {.program = ASSERTION("GE")};
  const refine_case fixed = {.program = ASSERTION("GE"), .argument_types = "tensor<8xf32>"};
  expect_refined(&open, "@shape_assertion", NULL);
  expect_refined(&fixed, "tensor<8xf32>", "@shape_assertion");
}

#define WRAPPER                                                                                    \
  "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"                                        \
  "  %s = stablehlo.constant dense<8> : tensor<1xi64>\n"                                           \
  "  %w = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%x, %s) "              \
  "{indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<?xf32>, tensor<1xi64>) -> "    \
  "tensor<?xf32>\n"                                                                                \
  "  %r = stablehlo.negate %w : tensor<?xf32>\n  return %r : tensor<?xf32>\n}\n"

Test(wrappers, a_wrapper_makes_way_for_its_operand) {
  const refine_case c = {.program = WRAPPER, .argument_types = "tensor<8xf32>"};
  expect_refined(&c, "stablehlo.negate %x : tensor<8xf32>", "operand_wrapper");
}

// --- static_forms.c

#define RESHAPE(result)                                                                            \
  "func.func @main(%x: tensor<6xf32>) -> " result " {\n"                                           \
  "  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>\n"                                      \
  "  %r = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> " result "\n"       \
  "  return %r : " result "\n}\n"

Test(static_forms, a_reshape_to_constants_is_static) {
  const refine_case c = {.program = RESHAPE("tensor<?x?xf32>"), .argument_types = "tensor<6xf32>"};
  expect_refined(&c, "stablehlo.reshape %x : (tensor<6xf32>) -> tensor<2x3xf32>",
                 "dynamic_reshape");
}

Test(static_forms, a_reshape_to_data_stays) {
  const refine_case c = {
      .program = "func.func @main(%x: tensor<6xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {\n"
                 "  %r = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> "
                 "tensor<?x?xf32>\n  return %r : tensor<?x?xf32>\n}\n"};
  expect_refined(&c, "stablehlo.dynamic_reshape %x, %s", NULL);
}

// --- cleanup.c

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

// --- arguments.c

Test(arguments, a_fixed_argument_is_a_constant_of_its_name) {
  const refine_case c = {.program = "func.func @main(%n: tensor<i32>) -> tensor<i32> {\n"
                                    "  %r = stablehlo.add %n, %n : tensor<i32>\n"
                                    "  return %r : tensor<i32>\n}\n",
                         .binding = "arg0=5"};
  expect_refined(&c, "@main(%n_argument: tensor<i32>)", "@main(%n:");
  expect_refined(&c, "%n = stablehlo.constant dense<5> : tensor<i32>", NULL);
}

// --- clone.c and contexts.c

#define CALLS(first, second)                                                                       \
  "func.func @main(%x: tensor<" first "xf32>, %y: tensor<" second "xf32>) {\n"                     \
  "  %a = func.call @f(%x) : (tensor<" first "xf32>) -> tensor<?xf32>\n"                           \
  "  %b = func.call @f(%y) : (tensor<" second "xf32>) -> tensor<?xf32>\n  return\n}\n"             \
  "func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n"                                   \
  "  %r = stablehlo.negate %x : tensor<?xf32>\n  return %r : tensor<?xf32>\n}\n"

Test(clone, a_function_is_copied_for_each_shape) {
  const refine_case c = {.program = CALLS("?", "?"),
                         .argument_types = "tensor<2xf32>,tensor<3xf32>"};
  expect_refined(&c, "@f_1(%x: tensor<2xf32>)", NULL);
  expect_refined(&c, "@f_2(%x: tensor<3xf32>)", NULL);
}

Test(clone, one_shape_needs_no_copy) {
  const refine_case c = {.program = CALLS("?", "?"),
                         .argument_types = "tensor<2xf32>,tensor<2xf32>"};
  expect_refined(&c, "@f(%x: tensor<2xf32>)", "@f_1");
}

// --- dynamism.c

#define CUT                                                                                        \
  "func.func @main(%data: tensor<4xi32>, %count: tensor<i32>) -> tensor<?xi32> {\n"                \
  "  %start = stablehlo.constant dense<0> : tensor<1xi32>\n"                                       \
  "  %limit = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>\n"                         \
  "  %step = stablehlo.constant dense<1> : tensor<1xi32>\n"                                        \
  "  %r = stablehlo.real_dynamic_slice %data, %start, %limit, %step : (tensor<4xi32>, "            \
  "tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>\n"                                \
  "  return %r : tensor<?xi32>\n}\n"

Test(dynamism, a_slice_of_unknown_length_is_a_bounded_dim) {
  const refine_case c = {.program = CUT, .options = {.dynamism = DYNAMISM_BOUNDED}};
  expect_refined(&c, "stablehlo.set_dimension_size", "real_dynamic_slice");
  expect_refined(&c, "tensor<?xi32, #stablehlo.bounds<4>>", NULL);
}

Test(dynamism, and_back) {
  const refine_case bounded = {.program = CUT, .options = {.dynamism = DYNAMISM_BOUNDED}};
  char *text = refine_text(&bounded);
  const refine_case back = {.program = text, .options = {.dynamism = DYNAMISM_UNBOUNDED}};
  expect_refined(&back, "stablehlo.real_dynamic_slice", "set_dimension_size");
  free(text);
}

// --- types.c and text.c

Test(types, what_must_be_one_type_gets_what_covers_all_of_it) {
  const refine_case c = {
      .program = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
                 "  %n = stablehlo.constant dense<4> : tensor<1xi32>\n"
                 "  %r = stablehlo.dynamic_reshape %a, %n : (tensor<?xf32>, tensor<1xi32>) -> "
                 "tensor<4xf32>\n"
                 "  %s = stablehlo.negate %a : tensor<?xf32>\n"
                 "  return %s : tensor<?xf32>\n}\n"};
  expect_refined(&c, "@main(%a: tensor<4xf32>) -> tensor<4xf32>", NULL);
  expect_refined(&c, "stablehlo.negate %a : tensor<4xf32>", "tensor<?xf32>");
}

Test(types, a_dim_that_is_dynamic_is_an_error_where_none_may_be) {
  const refine_case open = {.program = ASSERTION("GE"), .options = {.require_static = true}};
  const refine_case fixed = {.program = ASSERTION("GE"),
                             .options = {.require_static = true},
                             .argument_types = "tensor<8xf32>"};
  expect_refined(&open, NULL, "func.func");
  expect_refined(&fixed, "func.func", NULL);
}
