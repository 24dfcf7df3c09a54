// SPDX-License-Identifier: Apache-2.0
// Branches, loops, calls: what holds where.
#include <stdio.h>

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

#define ADD4_OR_B                                                                                  \
  "%r = \"stablehlo.if\"(%q) ({\n" ADD4 "\nstablehlo.return %t : tensor<?xf32> }, {\n"             \
  "stablehlo.return %b : tensor<?xf32> }) : (tensor<i1>) -> tensor<?xf32>"

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
  const char *body = "%q = stablehlo.constant dense<false> : tensor<i1>\n" ADD4_OR_B;
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

Test(branches, constants_that_conflict_inside_are_errors) {
  const char *body =
      BRANCHES("%d = stablehlo.constant dense<1.0> : tensor<5xf32>\n"
               "%t = stablehlo.add %d, %c : (tensor<5xf32>, tensor<4xf32>) -> tensor<?xf32>",
               "%t = stablehlo.abs %a : tensor<?xf32>");
  expect_error(ARGS, body, "shape-mismatch");
}

Test(branches, symbols_that_conflict_inside_are_warnings) {
  const char *body =
      "%e = stablehlo.constant dense<1.0> : tensor<5xf32>\n"
      "%f = stablehlo.add %a, %e : (tensor<?xf32>, tensor<5xf32>) -> tensor<?xf32>\n" BRANCHES(
          ADD4, "%t = stablehlo.abs %b : tensor<?xf32>");
  expect_error(ARGS, body, NULL);
}

// The dims that a condition over dims chooses are expressions over dims.
Test(branches, a_condition_over_dims_is_an_expression) {
#define CHOSEN(how)                                                                                \
  "%a: tensor<?xf32>, %b: tensor<?xf32>",                                                          \
      "%n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"           \
      "%m = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"           \
      "%p = stablehlo.compare " how ", %n, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"        \
      "%r = \"stablehlo.if\"(%p) ({\n"                                                             \
      "%t = stablehlo.concatenate %b, %b, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> "            \
      "tensor<?xf32>\nstablehlo.return %t : tensor<?xf32> }, {\n"                                  \
      "stablehlo.return %a : tensor<?xf32> }) : (tensor<i1>) -> tensor<?xf32>"
  expect_sizes(CHOSEN("LT"), "[select(is_neg(S0 - S1), 2*S1, S0)]");
  expect_sizes(CHOSEN("GE"), "[select(is_neg(S0 - S1), S0, 2*S1)]");
  expect_sizes(CHOSEN("EQ"), "[S0*is_zero(S0 - S1) + S0]");
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

// --- branches that cannot run

#define SIZE_BELOW_3                                                                               \
  "%n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"               \
  "%three = stablehlo.constant dense<3> : tensor<i32>\n"                                           \
  "%q = stablehlo.compare LT, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"

// Four elements where there are fewer than three: only the other branch is left, and it is a requirement that it runs.
Test(branches, one_that_cannot_run_is_left_out) {
  const char *body = SIZE_BELOW_3 ADD4_OR_B;
  expect_sizes(ARGS, body, "[S1]");
  expect_fact(ARGS, body, "S0 >= 3");
  expect_error(ARGS, body, NULL);
}

Test(branches, what_the_only_possible_one_requires_holds) {
  const char *body = SIZE_BELOW_3
      "%r = \"stablehlo.if\"(%q) ({\n" ADD4 "\nstablehlo.return %t : tensor<?xf32> }, {\n"
      "%u = stablehlo.add %a, %b : tensor<?xf32>\n"
      "stablehlo.return %u : tensor<?xf32> }) : (tensor<i1>) -> tensor<?xf32>";
  expect_arguments(ARGS, body, "[] [S0] [S0] [4]");
}

// --- what holds by induction over the trips of a loop

#define COUNTS(direction, step, limit)                                                             \
  "%zero = stablehlo.constant dense<0> : tensor<i32>\n"                                            \
  "%k = stablehlo.constant dense<" step "> : tensor<i32>\n"                                        \
  "%r = stablehlo.while(%i = %m) : tensor<i32> cond {\n"                                           \
  "%c = stablehlo.compare " direction ", %i, " limit                                               \
  " : (tensor<i32>, tensor<i32>) -> tensor<i1>\nstablehlo.return %c : tensor<i1> } do {\n"         \
  "%j = stablehlo.add %i, %k : tensor<i32>\nstablehlo.return %j : tensor<i32> }\n"                 \
  "%v = stablehlo.reshape %r : (tensor<i32>) -> tensor<1xi32>\n"
#define TWO_SIZES                                                                                  \
  "%a: tensor<?xf32>, %b: tensor<?xf32>", /* their dims are the limit and the start */             \
      "%m = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"           \
      "%n = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"

#define SLICE_OF_3                                                                                 \
  "%h = stablehlo.constant dense<5> : tensor<1xi32>\n%s = stablehlo.constant dense<1> : "          \
  "tensor<1xi32>\n%k = stablehlo.constant dense<4> : tensor<i32>\n"                                \
  "%r = stablehlo.while(%i = %z) : tensor<i32>\n"                                                  \
  "cond { %t = stablehlo.compare GE, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"          \
  "stablehlo.return %t : tensor<i1> }\n"                                                           \
  "do { %x = stablehlo.real_dynamic_slice %a, %s, %h, %s : (tensor<3xf32>, tensor<1xi32>, "        \
  "tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>\nstablehlo.return %i : tensor<i32> }"

// It is like a branch that never runs: what it would do is no error, and nothing is required.
Test(loops, a_body_that_never_runs_has_no_errors) {
  const char *three = "%z = stablehlo.constant dense<3> : tensor<i32>\n";
  const char *four = "%z = stablehlo.constant dense<4> : tensor<i32>\n";
  char body[2048];
  snprintf(body, sizeof body, "%s%s", three, SLICE_OF_3);
  expect_error("%a: tensor<3xf32>", body, NULL);
  snprintf(body, sizeof body, "%s%s", four, SLICE_OF_3);
  expect_error("%a: tensor<3xf32>", body, "shape-mismatch");
  expect_error("%a: tensor<3xf32>, %z: tensor<i32>", SLICE_OF_3, "shape-mismatch");
}

Test(loops, a_counter_ends_at_its_limit_or_where_it_began) {
  expect_elements(TWO_SIZES COUNTS("LT", "1", "%n"), "[max(S0, S1)]");
  expect_elements(TWO_SIZES COUNTS("LE", "1", "%n"), "[max(S0, S1 + 1)]");
  expect_elements(TWO_SIZES COUNTS("GT", "-1", "%n"), "[min(S0, S1)]");
  expect_elements(TWO_SIZES COUNTS("GE", "-1", "%zero"), "[-1]");
}

// With steps of two the end is one of two numbers; a counter that runs away from its limit has no such end.
Test(loops, other_counters_have_no_exact_end) {
  expect_elements(TWO_SIZES COUNTS("LT", "2", "%n"), "[S2]");
  expect_elements(TWO_SIZES COUNTS("GT", "1", "%n"), "[S2]");
}

#define GROWS                                                                                      \
  "%r:2 = stablehlo.while(%i = %n, %x = %a) : tensor<i32>, tensor<?xf32> cond {\n"                 \
  "%z = stablehlo.constant dense<0> : tensor<i32>\n"                                               \
  "%c = stablehlo.compare GT, %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"                 \
  "stablehlo.return %c : tensor<i1> } do {\n"                                                      \
  "%k = stablehlo.constant dense<1> : tensor<i32>\n"                                               \
  "%j = stablehlo.subtract %i, %k : tensor<i32>\n"                                                 \
  "%y = stablehlo.concatenate %x, %b, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n" \
  "stablehlo.return %j, %y : tensor<i32>, tensor<?xf32> }\n"

// Every trip makes %x longer or leaves it: it is at least as long as %a, so the slice of its first part is fine.
Test(loops, what_only_grows_is_no_smaller_than_it_was) {
  const char *body = GROWS
      "%s = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
      "%t = stablehlo.get_dimension_size %r#1, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
      "%p = stablehlo.compare GE, %t, %s : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "%one = stablehlo.constant dense<1> : tensor<i1>\n"
      "%q = stablehlo.compare EQ, %p, %one : (tensor<i1>, tensor<i1>) -> tensor<i1>\n"
      "\"stablehlo.custom_call\"(%q) {call_target_name = \"shape_assertion\", error_message = "
      "\"no\", has_side_effect = true} : (tensor<i1>) -> ()\n"
      "%e = stablehlo.abs %a : tensor<?xf32>";
  expect_error("%a: tensor<?xf32>, %b: tensor<?xf32>, %n: tensor<i32>", body, NULL);
}

// --- what a loop requires before its first trip

Test(loops, its_condition_runs_at_least_once) {
  expect_arguments("%a: tensor<?xf32>, %b: tensor<?xf32>, %n: tensor<i32>",
                   "%r:2 = stablehlo.while(%i = %n, %x = %a) : tensor<i32>, tensor<?xf32> cond {\n"
                   "%y = stablehlo.add %x, %b : tensor<?xf32>\n"
                   "%z = stablehlo.constant dense<0> : tensor<i32>\n"
                   "%c = stablehlo.compare GT, %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                   "stablehlo.return %c : tensor<i1> } do {\n"
                   "%k = stablehlo.constant dense<1> : tensor<i32>\n"
                   "%j = stablehlo.subtract %i, %k : tensor<i32>\n"
                   "stablehlo.return %j, %x : tensor<i32>, tensor<?xf32> }\n",
                   "[S0] [S0] []");
}

#define MAYBE_ONE_TRIP(first)                                                                      \
  "%a: tensor<?xf32>, %b: tensor<?xf32>, %n: tensor<i32>",                                         \
      "%z = stablehlo.constant dense<0> : tensor<i32>\n"                                           \
      "%i0 = stablehlo." first " : tensor<i32>\n"                                                  \
      "%r = stablehlo.while(%i = %i0) : tensor<i32> cond {\n"                                      \
      "%c = stablehlo.compare GT, %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"             \
      "stablehlo.return %c : tensor<i1> } do {\n"                                                  \
      "%y = stablehlo.add %a, %b : tensor<?xf32>\n"                                                \
      "stablehlo.return %z : tensor<i32> }\n"

Test(loops, its_body_requires_where_the_first_trip_is_certain) {
  expect_arguments(MAYBE_ONE_TRIP("constant dense<1>"), "[S0] [S0] []");
  expect_open(MAYBE_ONE_TRIP("abs %n"), "S0 == S1");
}

// --- functions of several blocks

#define BLOCK_ARGS "%p: i1, %a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<4xf32>"

Test(blocks, facts_of_a_block_that_may_not_run_stay_inside) {
  const char *body = "cf.cond_br %p, ^bb1, ^bb2\n^bb1:\n" ADD4 "\ncf.br ^bb2\n^bb2:\n";
  expect_open(BLOCK_ARGS, body, "S0 == 4");
  expect_arguments(BLOCK_ARGS, body, "[] [S0] [S1] [4]");
}

Test(blocks, symbols_that_conflict_inside_are_no_errors) {
  expect_error(BLOCK_ARGS,
               "%d = stablehlo.constant dense<1.0> : tensor<5xf32>\n"
               "%e = stablehlo.add %a, %d : (tensor<?xf32>, tensor<5xf32>) -> tensor<?xf32>\n"
               "cf.cond_br %p, ^bb1, ^bb2\n^bb1:\n" ADD4 "\ncf.br ^bb2\n^bb2:\n",
               NULL);
}

Test(blocks, the_entry_block_runs) {
  expect_arguments(BLOCK_ARGS, ADD4 "\ncf.cond_br %p, ^bb1, ^bb2\n^bb1:\ncf.br ^bb2\n^bb2:\n",
                   "[] [4] [S0] [4]");
}

Test(blocks, a_value_keeps_its_sizes_in_the_blocks_that_its_own_dominates) {
  expect_sizes(BLOCK_ARGS,
               "cf.br ^bb1\n^bb1:\n%x = stablehlo.add %a, %b : tensor<?xf32>\ncf.br ^bb2\n"
               "^bb2:\n%r = stablehlo.abs %x : tensor<?xf32>\n",
               "[S0]");
}

#define LAST     "%last = stablehlo.abs %r : tensor<?xf32>\n"
#define TWO_WAYS "cf.cond_br %p, ^bb1, ^bb2\n^bb1:\ncf.br ^bb3(%a : tensor<?xf32>)\n^bb2:\n"

Test(blocks, arguments_have_the_sizes_that_all_branches_hand_over) {
  expect_sizes(BLOCK_ARGS,
               TWO_WAYS "%x = stablehlo.abs %a : tensor<?xf32>\ncf.br ^bb3(%x : tensor<?xf32>)\n"
                        "^bb3(%r: tensor<?xf32>):\n" LAST,
               "[S0]");
  expect_sizes(BLOCK_ARGS,
               TWO_WAYS "cf.br ^bb3(%b : tensor<?xf32>)\n^bb3(%r: tensor<?xf32>):\n" LAST, "[S3]");
}

Test(blocks, an_argument_that_a_later_block_hands_over_is_its_own) {
  expect_sizes(BLOCK_ARGS,
               "cf.br ^bb1(%a : tensor<?xf32>)\n^bb1(%x: tensor<?xf32>):\n"
               "%r = stablehlo.abs %x : tensor<?xf32>\ncf.cond_br %p, ^bb2, ^bb3\n^bb2:\n"
               "%z = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> "
               "tensor<?xf32>\ncf.br ^bb1(%z : tensor<?xf32>)\n^bb3:\n" LAST,
               "[S3]");
}

Test(blocks, what_runs_without_a_choice_holds) {
  expect_arguments(BLOCK_ARGS, "cf.br ^bb1\n^bb1:\n" ADD4 "\n", "[] [4] [S0] [4]");
}

Test(blocks, an_end_that_is_not_understood_may_go_anywhere) {
  expect_sizes(BLOCK_ARGS,
               "cf.cond_br %p, ^bb1(%a : tensor<?xf32>), ^bb2\n^bb1(%r: tensor<?xf32>):\n" LAST
               "cf.br ^bb3\n^bb2:\nother.br ^bb1(%b : tensor<?xf32>)\n^bb3:\n",
               "[S3]");
}

Test(blocks, only_functions_have_several) {
  expect_error("%w: !shape.witness, %p: i1, %a: tensor<?xf32>, %c: tensor<4xf32>",
               "%r = \"shape.assuming\"(%w) ({\n"
               "\"cf.cond_br\"(%p)[^bb1, ^bb2] : (i1) -> ()\n^bb1:\n" ADD4
               "\n\"x.y\"() : () -> ()\n"
               "^bb2:\n\"shape.assuming_yield\"(%a) : (tensor<?xf32>) -> ()\n"
               "}) : (!shape.witness) -> tensor<?xf32>",
               "region");
}

// --- requirements of regions

Test(requirements, of_a_branch_count_where_it_runs) {
  expect_guards(ARGS, BRANCHES(ADD4, "%t = stablehlo.abs %a : tensor<?xf32>"), "S2*S0 == 4*S2");
}

Test(requirements, of_a_branch_that_runs_on_data_count_always) {
  const char *body = "%q = \"unknown.test\"(%a) : (tensor<?xf32>) -> tensor<i1>\n" ADD4_OR_B;
  expect_guards(ARGS, body, "S0 == 4");
  expect_unchecked(ARGS, body, "");
}

Test(requirements, of_data_are_unchecked) {
  expect_unchecked(ARGS,
                   "%q = \"unknown.array\"(%a) : (tensor<?xf32>) -> tensor<?xf32>\n"
                   "%t = stablehlo.add %q, %a : tensor<?xf32>",
                   "the operands have the same shape: it depends on what the program computes from "
                   "data");
}

Test(requirements, before_a_loop_are_not_proven_by_its_end) {
  const char *loop =
      "%one = stablehlo.constant dense<1> : tensor<i32>\n"
      "%m = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
      "%n = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
      "%r = \"stablehlo.if\"(%p) ({\n"
      "%s = stablehlo.real_dynamic_slice %a, %z, %k, %i : (tensor<?xf32>, tensor<1xi32>, "
      "tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>\n"
      "stablehlo.return %b : tensor<?xf32> }, {\n"
      "stablehlo.return %b : tensor<?xf32> }) : (tensor<i1>) -> tensor<?xf32>\n"
      "%e = stablehlo.while(%j = %m) : tensor<i32> cond {\n"
      "%g = stablehlo.compare GT, %n, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "stablehlo.return %g : tensor<i1> } do { stablehlo.return %j : tensor<i32> }\n";
  char body[2048];
  snprintf(body, sizeof(body),
           "%%z = stablehlo.constant dense<0> : tensor<1xi32>\n"
           "%%i = stablehlo.constant dense<1> : tensor<1xi32>\n"
           "%%h = stablehlo.get_dimension_size %%b, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
           "%%k = stablehlo.reshape %%h : (tensor<i32>) -> tensor<1xi32>\n%s",
           loop);
  expect_guards(ARGS, body, "S2*S1 <= S2*S0");
}

Test(requirements, of_regions_too_deep_are_unchecked) {
  enum { DEEP = 160 };
  static char body[64 * 1024];
  size_t at = 0;
  for (int i = 0; i < DEEP; i++)
    at += (size_t)snprintf(body + at, sizeof(body) - at, "%%r%d = \"stablehlo.if\"(%%p) ({\n", i);
  at += (size_t)snprintf(body + at, sizeof(body) - at,
                         "%%t = stablehlo.add %%a, %%c : (tensor<?xf32>, tensor<4xf32>) -> "
                         "tensor<?xf32>\nstablehlo.return %%t : tensor<?xf32>\n");
  for (int i = DEEP - 1; i >= 0; i--) {
    at += (size_t)snprintf(body + at, sizeof(body) - at,
                           "}, { stablehlo.return %%b : tensor<?xf32> }) : (tensor<i1>) -> "
                           "tensor<?xf32>\n");
    if (i)
      at += (size_t)snprintf(body + at, sizeof(body) - at,
                             "stablehlo.return %%r%d : tensor<?xf32>\n", i);
  }
  expect_unchecked(ARGS, body,
                   "the requirements in it hold: too many regions and calls are in one another");
}

// A hundred diagnostics are kept; what fails beyond them is unchecked like what fails before.
Test(branches, failures_beyond_the_limit_of_diagnostics_are_unchecked) {
  enum { MANY = 104 };
  static char body[MANY * 320 + 512], rows[MANY * 384];
  int used = 0;
  int at = snprintf(body, sizeof body,
                    "%%c = stablehlo.concatenate %%a, %%one, dim = 0 : (tensor<?xf32>, "
                    "tensor<1xf32>) -> tensor<?xf32>\n");
  for (int i = 0; i <= MANY; i++) {
    at +=
        snprintf(body + at, sizeof body - (size_t)at,
                 "%%p%d = stablehlo.custom_call @data() : () -> tensor<i1>\n"
                 "%%r%d = \"stablehlo.if\"(%%p%d) ({\n%%x = stablehlo.%s %%a, %%c : tensor<?xf32>\n"
                 "stablehlo.return %%x : tensor<?xf32> }, {\n"
                 "stablehlo.return %%a : tensor<?xf32> }) : (tensor<i1>) -> tensor<?xf32>\n",
                 i, i, i, i < MANY ? "add" : "multiply");
    used += snprintf(rows + used, sizeof rows - (size_t)used,
                     "%sa branch that cannot run is not chosen: it depends on what the program "
                     "computes from data; stablehlo.%s: the operands must have the same shape: "
                     "found arg0.0 (dim 0 of operand #0) and arg0.0 + 1 (at least 1, dim 0 of "
                     "operand #1); this region cannot run: it fails wherever it runs, and the "
                     "arguments do not determine where",
                     i ? "; " : "", i < MANY ? "add" : "multiply");
  }
  expect_unchecked("%a: tensor<?xf32>, %one: tensor<1xf32>", body, rows);
}

// The signature says that the argument is 0: there is nothing left to check.
Test(branches, failures_where_an_argument_chooses_are_excluded_by_the_signature) {
  expect_unchecked("%a: tensor<2xf32>, %p: tensor<i1>, %n: tensor<?xf32>",
                   "%r = \"stablehlo.if\"(%p) ({\n"
                   "%x = stablehlo.concatenate %n, %n, %a, dim = 0 : (tensor<?xf32>, "
                   "tensor<?xf32>, tensor<2xf32>) -> tensor<?xf32>\n"
                   "%y = stablehlo.add %x, %n : tensor<?xf32>\n"
                   "stablehlo.return %y : tensor<?xf32> }, {\n"
                   "stablehlo.return %n : tensor<?xf32> }) : (tensor<i1>) -> tensor<?xf32>\n",
                   "");
}
