// SPDX-License-Identifier: Apache-2.0
// Branches, loops, calls: what holds where.
#include "tests/unit/ops/rules.h"

#define BRANCHES(first, second)                                                                    \
  "%r = \"stablehlo.if\"(%p) ({\n" first "\nstablehlo.return %t : tensor<?xf32> }, {\n" second     \
  "\nstablehlo.return %t : tensor<?xf32> }) : (tensor<i1>) -> tensor<?xf32>"
#define ADD4 "%t = stablehlo.add %a, %c : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>"
#define ARGS "%p: tensor<i1>, %a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<4xf32>"

Test(branches, facts_stay_inside) {
  const char *body = BRANCHES(ADD4, "%t = stablehlo.abs %a : tensor<?xf32>");
  expect_open(ARGS, body, "S0 == 4");
}

Test(branches, common_facts_hold_around) {
  const char *body = BRANCHES(
      ADD4, "%t = stablehlo.multiply %c, %a : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>");
  expect_arguments(ARGS, body, "[] [4] [S0] [4]");
  expect_sizes(ARGS, body, "[4]");
}

Test(branches, equal_results_join) {
  expect_sizes(
      ARGS,
      BRANCHES("%t = stablehlo.abs %b : tensor<?xf32>", "%t = stablehlo.negate %b : tensor<?xf32>"),
      "[S1]");
}

Test(branches, different_results_are_not_one) {
  const char *body =
      BRANCHES("%t = stablehlo.abs %a : tensor<?xf32>", "%t = stablehlo.abs %b : tensor<?xf32>");
  expect_open(ARGS, body, "S0 == S1");
}

Test(branches, a_constant_condition_chooses) {
  const char *body =
      "%q = stablehlo.constant dense<false> : tensor<i1>\n"
      "%r = \"stablehlo.if\"(%q) ({\n" ADD4 "\nstablehlo.return %t : tensor<?xf32> }, {\n"
      "stablehlo.return %b : tensor<?xf32> }) : (tensor<i1>) -> tensor<?xf32>";
  expect_sizes(ARGS, body, "[S1]");
  expect_open(ARGS, body, "S0 == 4");
}

Test(branches, a_dead_branch_is_no_error) {
  expect_error(ARGS,
               "%q = stablehlo.constant dense<false> : tensor<i1>\n"
               "%r = \"stablehlo.if\"(%q) ({\n"
               "%d = stablehlo.constant dense<1.0> : tensor<5xf32>\n"
               "%t = stablehlo.add %d, %c : (tensor<5xf32>, tensor<4xf32>) -> tensor<?xf32>\n"
               "stablehlo.return %t : tensor<?xf32> }, {\n"
               "stablehlo.return %b : tensor<?xf32> }) : (tensor<i1>) -> tensor<?xf32>",
               NULL);
}

Test(branches, constants_that_clash_inside_are_errors) {
  const char *body =
      BRANCHES("%d = stablehlo.constant dense<1.0> : tensor<5xf32>\n"
               "%t = stablehlo.add %d, %c : (tensor<5xf32>, tensor<4xf32>) -> tensor<?xf32>",
               "%t = stablehlo.abs %a : tensor<?xf32>");
  expect_error(ARGS, body, "shape-mismatch");
}

Test(branches, symbols_that_clash_inside_are_warnings) {
  const char *body =
      "%e = stablehlo.constant dense<1.0> : tensor<5xf32>\n"
      "%f = stablehlo.add %a, %e : (tensor<?xf32>, tensor<5xf32>) -> tensor<?xf32>\n" BRANCHES(
          ADD4, "%t = stablehlo.abs %b : tensor<?xf32>");
  expect_error(ARGS, body, NULL);
}

#define LOOP(limit, step)                                                                          \
  "%z = stablehlo.constant dense<0> : tensor<i32>\n"                                               \
  "%l = stablehlo.constant dense<" limit "> : tensor<i32>\n"                                       \
  "%k = stablehlo.constant dense<" step "> : tensor<i32>\n"                                        \
  "%r:3 = stablehlo.while(%i = %z, %y = %a, %g = %a) : tensor<i32>, tensor<?xf32>, "               \
  "tensor<?xf32>\n"                                                                                \
  "cond { %t = stablehlo.compare LT, %i, "
#define LOOP_REST                                                                                  \
  " : (tensor<i32>, tensor<i32>) -> tensor<i1>\nstablehlo.return %t : tensor<i1> }\n"              \
  "do { %j = stablehlo.add %i, %k : tensor<i32>\n%w = stablehlo.add %y, %y : tensor<?xf32>\n"      \
  "%v = stablehlo.concatenate %g, %g, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n" \
  "stablehlo.return %j, %w, %v : tensor<i32>, tensor<?xf32>, tensor<?xf32> }"

Test(loops, a_known_trip_count_is_run) {
  expect_sizes("%a: tensor<?xf32>", LOOP("5", "2") "%l" LOOP_REST, "[] [S0] [8*S0]");
  expect_elements("%a: tensor<?xf32>", LOOP("5", "2") "%l" LOOP_REST, "[6]");
  expect_sizes("%a: tensor<?xf32>", LOOP("0", "2") "%l" LOOP_REST, "[] [S0] [S0]");
}

Test(loops, what_does_not_change_stays) {
  expect_open("%a: tensor<?xf32>, %n: tensor<i32>", LOOP("5", "1") "%n" LOOP_REST, "S0 == 0");
  expect_sizes("%a: tensor<?xf32>, %n: tensor<i32>", LOOP("5", "1") "%n" LOOP_REST, "[] [S0] [S2]");
}

Test(loops, facts_of_the_body_stay_inside) {
  expect_open(
      "%a: tensor<?xf32>, %n: tensor<i32>, %c: tensor<4xf32>",
      "%z = stablehlo.constant dense<0> : tensor<i32>\n"
      "%r:2 = stablehlo.while(%i = %z, %y = %a) : tensor<i32>, tensor<?xf32>\n"
      "cond { %t = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "stablehlo.return %t : tensor<i1> }\n"
      "do { %w = stablehlo.add %y, %c : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>\n"
      "stablehlo.return %i, %y : tensor<i32>, tensor<?xf32> }",
      "S0 == 4");
}

Test(branches, an_assumed_rank_stays_inside) {
  expect_arguments(
      "%p: tensor<i1>, %a: tensor<*xf32>, %c: tensor<4xf32>",
      "%r = \"stablehlo.if\"(%p) ({\n"
      "%t = stablehlo.add %a, %c : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>\n"
      "stablehlo.return %t : tensor<*xf32> }, {\nstablehlo.return %a : tensor<*xf32> }) : "
      "(tensor<i1>) -> tensor<*xf32>",
      "[] * [4]");
}

Test(arguments, a_global_constant_has_its_name) {
  expect_arguments("%n: tensor<i32> {jax.global_constant = \"b\"}, %a: tensor<?xf32>",
                   "%h = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"
                   "%f = stablehlo.dynamic_iota %h, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
                   "%r = stablehlo.add %f, %a : tensor<?xf32>",
                   "[] [b]");
}

// An unknown element is one and the same for all that read it.
Test(arguments, unknown_elements_have_identity) {
  expect_arguments("%a: tensor<?xf32>, %b: tensor<?xf32>, %n: tensor<f32>",
                   "%u = stablehlo.convert %n : (tensor<f32>) -> tensor<i32>\n"
                   "%h = stablehlo.reshape %u : (tensor<i32>) -> tensor<1xi32>\n"
                   "%x = stablehlo.dynamic_iota %h, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
                   "%y = stablehlo.dynamic_iota %h, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
                   "%v = stablehlo.add %x, %a : tensor<?xf32>\n"
                   "%w = stablehlo.add %y, %b : tensor<?xf32>",
                   "[S0] [S0] []");
}
