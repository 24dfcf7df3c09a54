// SPDX-License-Identifier: Apache-2.0
// Operations become static where the analysis knows what says their dims, whatever computes it.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/transform/tracked.h"
#include "tests/unit/transform/refine.h"

#define T "tensor<?xf32>"

// In a function with the size %n of %x as i32, %d as an index, and %p from data: %s is what says the dims of an iota.
static void expect_static(const char *computes, const char *shape_type, const char *result) {
  char program[4096];
  snprintf(program, sizeof program,
           "func.func @main(%%x: " T ", %%p: tensor<i1>) -> " T " {\n"
           "  %%n = stablehlo.get_dimension_size %%x, dim = 0 : (" T ") -> tensor<i32>\n"
           "  %%c0 = arith.constant 0 : index\n  %%c3 = arith.constant 3 : index\n"
           "  %%d = tensor.dim %%x, %%c0 : " T "\n%s\n"
           "  %%r = stablehlo.dynamic_iota %%s, dim = 0 : (%s) -> " T "\n"
           "  return %%r : " T "\n}\n",
           computes, shape_type);
  expect_refined(&(refine_case){.program = program,
                                .options = {.require_static = true},
                                .binding = "arg0.0=9"},
                 result, "dynamic_iota");
}

#define INDEX "tensor<1xindex>"
#define I32   "tensor<1xi32>"
#define VEC   "  %v = stablehlo.reshape %n : (tensor<i32>) -> " I32 "\n"

Test(tracked, dialects_that_compute_dims) {
  expect_static("  %q = arith.divui %d, %c3 : index\n"
                "  %s = tensor.from_elements %q : " INDEX,
                INDEX, "iota dim = 0 : tensor<3xf32>");
  expect_static("  %a = shape.shape_of %x : " T " -> " INDEX "\n"
                "  %b = shape.num_elements %a : " INDEX " -> index\n"
                "  %e = shape.mul %b, %c3 : index, index -> index\n"
                "  %s = tensor.from_elements %e : " INDEX,
                INDEX, "iota dim = 0 : tensor<27xf32>");
  expect_static(VEC
                "  %m = stablehlo.reshape %n : (tensor<i32>) -> tensor<1x1xi32>\n"
                "  %w = stablehlo.concatenate %m, %m, dim = 1 : (tensor<1x1xi32>, tensor<1x1xi32>) "
                "-> tensor<1x2xi32>\n"
                "  %t = stablehlo.reshape %w : (tensor<1x2xi32>) -> tensor<2xi32>\n"
                "  %o = stablehlo.constant dense<1> : tensor<i32>\n"
                "  %u = \"stablehlo.reduce\"(%t, %o) ({\n  ^bb0(%i: tensor<i32>, %j: "
                "tensor<i32>):\n    %k = stablehlo.multiply %i, %j : tensor<i32>\n"
                "    stablehlo.return %k : tensor<i32>\n  }) {dimensions = array<i64: 0>} : "
                "(tensor<2xi32>, tensor<i32>) -> tensor<i32>\n"
                "  %s = stablehlo.reshape %u : (tensor<i32>) -> " I32,
                I32, "iota dim = 0 : tensor<81xf32>");
}

Test(tracked, branches_and_loops) {
  expect_static("  %s = \"stablehlo.if\"(%p) ({\n" VEC "    stablehlo.return %v : " I32
                "\n  }, {\n" VEC "    stablehlo.return %v : " I32 "\n  }) : (tensor<i1>) -> " I32,
                I32, "iota dim = 0 : tensor<9xf32>");
  expect_static("  %z = stablehlo.constant dense<0> : tensor<i32>\n"
                "  %o = stablehlo.constant dense<1> : tensor<i32>\n" VEC
                "  %l:2 = stablehlo.while(%i = %z, %k = %v) : tensor<i32>, " I32 "\n  cond {\n"
                "    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                "    stablehlo.return %c : tensor<i1>\n  } do {\n"
                "    %j = stablehlo.add %i, %o : tensor<i32>\n"
                "    stablehlo.return %j, %k : tensor<i32>, " I32 "\n  }\n"
                "  %s = stablehlo.add %l#1, %l#1 : " I32,
                I32, "iota dim = 0 : tensor<18xf32>");
}

// What is in a loop is another thing in each iteration; a sum beyond the type taints what is computed from it; and what a
// requirement makes a number is not taken: the check would go.
Test(tracked, what_is_not_taken) {
  static const char *const PROGRAMS[] = {
      "func.func @main(%x: " T ") -> " T " {\n"
      "  %z = stablehlo.constant dense<0> : tensor<1xi32>\n"
      "  %o = stablehlo.constant dense<1> : tensor<1xi32>\n"
      "  %l:2 = stablehlo.while(%i = %z, %v = %x) : tensor<1xi32>, " T "\n  cond {\n"
      "    %a = stablehlo.reshape %i : (tensor<1xi32>) -> tensor<i32>\n"
      "    %b = stablehlo.constant dense<3> : tensor<i32>\n"
      "    %c = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    stablehlo.return %c : tensor<i1>\n  } do {\n"
      "    %j = stablehlo.add %i, %o : tensor<1xi32>\n"
      "    %w = stablehlo.dynamic_iota %j, dim = 0 : (tensor<1xi32>) -> " T "\n"
      "    stablehlo.return %j, %w : tensor<1xi32>, " T "\n  }\n"
      "  return %l#1 : " T "\n}\n",
      "func.func @main(%x: tensor<9xf32>, %n: tensor<2xi32>) -> tensor<3x3xf32> {\n"
      "  %r = stablehlo.dynamic_reshape %x, %n : (tensor<9xf32>, tensor<2xi32>) -> "
      "tensor<3x3xf32>\n"
      "  return %r : tensor<3x3xf32>\n}\n"};
  for (unsigned i = 0; i < sizeof PROGRAMS / sizeof *PROGRAMS; i++) {
    expect_refined(
        &(refine_case){.program = PROGRAMS[i], .options = {.cleanup = true}, .binding = "arg0.0=9"},
        i ? "dynamic_reshape" : "dynamic_iota", NULL);
  }
}

// In the branch a slice from 0 to %n needs 0 <= %n, which makes %n 0 there: with a static slice, nothing would say so.
Test(tracked, what_a_requirement_in_a_branch_makes_a_number_is_not_taken) {
  const refine_case c = {
      .program = "func.func @main(%x: " T ", %n: tensor<i32>) -> tensor<1xi32> {\n"
                 "  %o = stablehlo.constant dense<1> : tensor<i32>\n"
                 "  %o1 = stablehlo.constant dense<1> : " I32 "\n"
                 "  %p = stablehlo.compare GE, %n, %o : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                 "  %r = \"stablehlo.if\"(%p) ({\n    stablehlo.return %x : " T "\n  }, {\n" VEC
                 "    %z = stablehlo.constant dense<0> : " I32 "\n"
                 "    %s = stablehlo.real_dynamic_slice %x, %z, %v, %o1 : (" T ", " I32 ", " I32
                 ", " I32 ") -> " T "\n    stablehlo.return %s : " T "\n  }) : (tensor<i1>) -> " T
                 "\n  return %o1 : " I32 "\n}\n",
      .options = {.cleanup = true},
  };
  expect_refined(&c, "real_dynamic_slice", NULL);
}

// --- what one operation computes of constants

enum { TEXT_MAX = 4096 };

static void expect_fold(const char *operation, const char *type, const char *items) {
  char program[TEXT_MAX];
  snprintf(program, sizeof program,
           "func.func @main() -> %s {\n"
           "  %%a = stablehlo.constant dense<[7, -7]> : tensor<2xi32>\n"
           "  %%b = stablehlo.constant dense<[2, 2]> : tensor<2xi32>\n"
           "  %%z = stablehlo.constant dense<[1, 0]> : tensor<2xi32>\n"
           "  %%most = stablehlo.constant dense<2147483647> : tensor<2xi32>\n"
           "  %%p = stablehlo.constant dense<[true, false]> : tensor<2xi1>\n"
           "  %%t = stablehlo.constant dense<0.0> : tensor<3x5xf32>\n"
           "  %%r = %s\n  return %%r : %s\n}\n",
           type, operation, type);
  cr_expect_str_eq(refine_returned(program, 0), items, "%s", operation);
}

#define TWO "tensor<2xi32>"

// Operations on %a and %b, or on %a alone, and what they give.
static void expect_folds(const char *operands, const char *const (*rows)[2], size_t count) {
  for (size_t i = 0; i < count; i++) {
    char operation[64];
    snprintf(operation, sizeof operation, "stablehlo.%s %s : " TWO, rows[i][0], operands);
    expect_fold(operation, TWO, rows[i][1]);
  }
}

Test(tracked, operations_on_integers) {
  static const char *const BOTH[][2] = {
      {"add", "9 -5"},       {"subtract", "5 -9"}, {"multiply", "14 -14"}, {"divide", "3 -3"},
      {"remainder", "1 -1"}, {"maximum", "7 2"},   {"minimum", "2 -7"},    {"and", "2 0"},
      {"or", "7 -5"},        {"xor", "5 -5"}};
  static const char *const ONE[][2] = {
      {"abs", "7 7"}, {"negate", "-7 7"}, {"sign", "1 -1"}, {"not", "-8 6"}};
  expect_folds("%a, %b", BOTH, sizeof BOTH / sizeof *BOTH);
  expect_folds("%a", ONE, sizeof ONE / sizeof *ONE);
  expect_fold("stablehlo.not %p : tensor<2xi1>", "tensor<2xi1>", "0 1");
}

Test(tracked, what_leaves_its_type_wraps) {
  expect_fold("stablehlo.divide %a, %z : " TWO, TWO, "varies");
  expect_fold("stablehlo.remainder %a, %z : " TWO, TWO, "varies");
  expect_fold("stablehlo.add %most, %b : " TWO, TWO, "-2147483647 -2147483647");
  expect_fold("stablehlo.multiply %most, %b : " TWO, TWO, "-2 -2");
  expect_fold("stablehlo.convert %a : (" TWO ") -> tensor<2xi8>", "tensor<2xi8>", "7 -7");
  expect_fold("stablehlo.convert %most : (" TWO ") -> tensor<2xi8>", "tensor<2xi8>", "-1 -1");
  expect_fold("stablehlo.convert %a : (" TWO ") -> tensor<2xui8>", "tensor<2xui8>", "7 249");
}

Test(tracked, choices_and_moves) {
  expect_fold("stablehlo.compare LT, %a, %b : (" TWO ", " TWO ") -> tensor<2xi1>", "tensor<2xi1>",
              "0 1");
  expect_fold("stablehlo.select %p, %a, %b : tensor<2xi1>, " TWO, TWO, "7 2");
  expect_fold("stablehlo.clamp %z, %a, %b : " TWO, TWO, "2 0");
  expect_fold("stablehlo.concatenate %a, %b, dim = 0 : (" TWO ", " TWO ") -> tensor<4xi32>",
              "tensor<4xi32>", "7 -7 2 2");
  expect_fold("stablehlo.slice %a [1:2] : (" TWO ") -> tensor<1xi32>", "tensor<1xi32>", "-7");
  expect_fold("stablehlo.reshape %a : (" TWO ") -> tensor<1x2xi32>", "tensor<1x2xi32>", "7 -7");
  expect_fold("stablehlo.get_dimension_size %t, dim = 1 : (tensor<3x5xf32>) -> tensor<i32>",
              "tensor<i32>", "5");
}

Test(tracked, counts_elements_of_static_integers_alone) {
  reading r;
  reading_of(&r, "func.func @main() { return }\n");
  shape_graph *g = &r.graph;
  uint32_t count = 0;
  int64_t dims[] = {3, 4}, dynamic[] = {3, DIM_DYNAMIC}, large[] = {CONSTANT_MAX, 2};
  cr_expect(constant_count(g, type_tensor(&g->types, DTYPE_I32, dims, 2), &count) && count == 12);
  cr_expect(constant_count(g, type_scalar(&g->types, DTYPE_INDEX), &count) && count == 1);
  cr_expect_not(constant_count(g, type_tensor(&g->types, DTYPE_I32, dynamic, 2), &count));
  cr_expect_not(constant_count(g, type_tensor(&g->types, DTYPE_I32, large, 2), &count));
  cr_expect_not(constant_count(g, type_tensor(&g->types, DTYPE_F32, dims, 2), &count));
  cr_expect_not(constant_count(g, TYPE_NONE, &count));
  reading_destroy(&r);
}

// --- what calls and arguments hand on

#define SCALAR "tensor<i32>"
#define CALLEE                                                                                     \
  "func.func private @f(%x: " SCALAR ") -> " SCALAR " {\n"                                         \
  "  %y = stablehlo.add %x, %x : " SCALAR "\n  return %y : " SCALAR "\n}\n"

static void expect_returned(const char *program, int64_t first_argument, const char *items) {
  cr_expect_str_eq(refine_returned(program, first_argument), items, "%s", program);
}

Test(tracked, a_call_hands_over_its_operands) {
  expect_returned("func.func @main() -> " SCALAR " {\n"
                  "  %c = stablehlo.constant dense<21> : " SCALAR "\n"
                  "  %r = func.call @f(%c) : (" SCALAR ") -> " SCALAR "\n"
                  "  return %r : " SCALAR "\n}\n" CALLEE,
                  0, "42");
}

Test(tracked, each_call_has_a_result_of_its_own) {
  expect_returned("func.func @main() -> " SCALAR " {\n"
                  "  %c = stablehlo.constant dense<21> : " SCALAR "\n"
                  "  %d = stablehlo.constant dense<4> : " SCALAR "\n"
                  "  %q = func.call @f(%d) : (" SCALAR ") -> " SCALAR "\n"
                  "  %r = func.call @f(%c) : (" SCALAR ") -> " SCALAR "\n"
                  "  return %r : " SCALAR "\n}\n" CALLEE,
                  0, "42");
}

Test(tracked, an_argument_that_the_caller_fixes_is_a_constant) {
  expect_returned("func.func @main(%n: " SCALAR ", %m: " SCALAR ") -> " SCALAR " {\n"
                  "  %r = stablehlo.multiply %n, %n : " SCALAR "\n"
                  "  return %r : " SCALAR "\n}\n",
                  9, "81");
  expect_returned("func.func @main(%n: " SCALAR ", %m: " SCALAR ") -> " SCALAR " {\n"
                  "  %r = stablehlo.multiply %n, %m : " SCALAR "\n"
                  "  return %r : " SCALAR "\n}\n",
                  9, "varies");
}

Test(tracked, integers_that_other_callers_of_a_public_function_give_are_not_taken) {
  static const char *const VISIBILITIES[] = {"private ", ""};
  for (int i = 0; i < 2; i++) {
    char program[1024];
    snprintf(program, sizeof program,
             "func.func %s@f(%%x: " SCALAR ") -> " SCALAR " {\n"
             "  %%y = stablehlo.add %%x, %%x : " SCALAR "\n  return %%y : " SCALAR "\n}\n"
             "func.func @main() -> " SCALAR " {\n"
             "  %%c = stablehlo.constant dense<21> : " SCALAR "\n"
             "  %%r = func.call @f(%%c) : (" SCALAR ") -> " SCALAR "\n"
             "  return %%r : " SCALAR "\n}\n",
             VISIBILITIES[i]);
    refined_program c;
    refined_open(&c, program, NULL);
    shape_graph *g = c.types->graph;
    type_id *types = arena_alloc(g->arena, (g->value_count + 1) * sizeof *types);
    for (value_id v = 0; v < g->value_count; v++) types[v] = g->values[v].type;
    const constant_value *values = tracked_constants(shape_run_report(c.a.program), types, NULL, 0);
    const graph_block *body = &g->blocks[g->regions[g->funcs[0].body].first_block];
    cr_expect_eq(values[body->arguments].items != NULL, i == 0, "%s", program);
    refined_close(&c);
  }
}
