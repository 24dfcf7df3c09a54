// SPDX-License-Identifier: Apache-2.0
// Custom calls of dynamic operations become the static operations that they are of.
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/unit/transform/refine.h"

#define X "tensor<?x8xf32>"
#define V "tensor<2xi32>"

static void expect_call(const char *call, const char *result, const char *part,
                        const char *absent) {
  char program[4096];
  snprintf(
      program, sizeof program,
      "func.func @main(%%x: " X ", %%s: tensor<2xui64>, %%data: " V ") -> %s {\n"
      "  %%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "  %%n = stablehlo.get_dimension_size %%x, dim = 0 : (" X ") -> tensor<i32>\n"
      "  %%n1 = stablehlo.reshape %%n : (tensor<i32>) -> tensor<1xi32>\n"
      "  %%v = stablehlo.concatenate %%n1, %%n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> " V
      "\n  %%o = stablehlo.constant dense<1> : " V
      "\n  %%p = stablehlo.constant dense<[[0, 0], [1, 1]]> : tensor<2x2xi32>\n"
      "  %s\n  return %%r%s : %s\n}\n"
      "func.func private @add(%%a: tensor<f32>, %%b: tensor<f32>) -> tensor<f32> {\n"
      "  %%c = stablehlo.add %%a, %%b : tensor<f32>\n  return %%c : tensor<f32>\n}\n",
      result, call, strstr(call, "%r:2") ? "#1" : "", result);
  const refine_case c = {.program = program,
                         .options = {.cleanup = true},
                         .argument_types = "tensor<4x8xf32>,tensor<2xui64>," V};
  expect_refined(&c, part, absent);
}

#define WINDOW(dialect, sizes)                                                                     \
  "%r = " dialect ".custom_call @" dialect ".dynamic_reduce_window(%x, %z, " sizes                 \
  ", %o, %o, %o, %p) {called_computations = [@add]} : (" X                                         \
  ", tensor<f32>, " V ", " V ", " V ", " V ", tensor<2x2xi32>) -> tensor<?x?xf32>"

Test(dynamic_calls, a_reduce_window_calls_its_reducer) {
  expect_call(WINDOW("stablehlo", "%v"), "tensor<?x?xf32>", "-> tensor<1x7xf32>", "custom_call");
  expect_call(WINDOW("stablehlo", "%v"), "tensor<?x?xf32>", "func.call @add(", NULL);
  expect_call(WINDOW("stablehlo", "%data"), "tensor<?x?xf32>", "custom_call", "reduce_window\"");
}

Test(dynamic_calls, numbers_of_a_shape) {
  expect_call("%r:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %v) "
              "{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, " V
              ") -> (tensor<2xui64>, tensor<?x?xui32>)",
              "tensor<?x?xui32>",
              "\"stablehlo.rng_bit_generator\"(%s) {rng_algorithm = #stablehlo<rng_algorithm "
              "DEFAULT>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x4xui32>)",
              "custom_call");
}

Test(dynamic_calls, the_largest_elements) {
  expect_call("%r:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %n) : (" X
              ", tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)",
              "tensor<?x?xi32>", "\"chlo.top_k\"(%x) {k = 4 : i64} : (tensor<4x8xf32>) -> ",
              "custom_call");
  expect_call("%r:2 = \"mhlo.custom_call\"(%x, %n) {call_target_name = \"mhlo.dynamic_top_k\"} : "
              "(" X ", tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)",
              "tensor<?x?xi32>", "\"mhlo.topk\"(%x) {k = 4 : i64, largest = true}", "custom_call");
}
