// SPDX-License-Identifier: Apache-2.0
// Which values are constants whatever the input: what one operation computes (fold.c), and what calls and arguments hand
// on (propagate.c).
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/transform/constants.h"
#include "solver/transform/fold.h"
#include "tests/unit/formats/mlir/reading.h"

enum { TEXT_MAX = 4096 };

// The elements of what the first function returns; "varies" where it is no constant.
static const char *returned(reading *r, const char *program, int64_t first_argument) {
  static char out[TEXT_MAX];
  reading_of(r, program);
  shape_graph *g = &r->graph;
  cr_assert_str_empty(reading_errors(r), "%s", program);
  type_id *types = arena_alloc(g->arena, (g->value_count + 1) * sizeof *types);
  bool *roots = arena_zalloc(g->arena, g->func_count + 1);
  for (value_id v = 0; v < g->value_count; v++) types[v] = g->values[v].type;
  block_id body = g->regions[g->funcs[0].body].first_block;
  fixed_argument fixed = {g->blocks[body].arguments, first_argument};
  const constant_value *values =
      constants_of(g, types, roots, &fixed, g->blocks[body].argument_count ? 1 : 0);
  op_id last = graph_terminator(g, body);
  const constant_value *value = &values[graph_operand(g, last, 0)];
  if (value->varies || !value->items) return "varies";
  size_t length = 0;
  out[0] = '\0';
  for (uint32_t i = 0; i < value->count; i++)
    length += (size_t)snprintf(out + length, sizeof out - length, "%s%lld", i ? " " : "",
                               (long long)value->items[i]);
  return out;
}

static void expect_fold(const char *operation, const char *type, const char *items) {
  char program[TEXT_MAX];
  reading r;
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
  cr_expect_str_eq(returned(&r, program, 0), items, "%s", operation);
  reading_destroy(&r);
}

#define TWO "tensor<2xi32>"

Test(fold, operations_on_integers) {
  expect_fold("stablehlo.add %a, %b : " TWO, TWO, "9 -5");
  expect_fold("stablehlo.subtract %a, %b : " TWO, TWO, "5 -9");
  expect_fold("stablehlo.multiply %a, %b : " TWO, TWO, "14 -14");
  expect_fold("stablehlo.divide %a, %b : " TWO, TWO, "3 -3");
  expect_fold("stablehlo.remainder %a, %b : " TWO, TWO, "1 -1");
  expect_fold("stablehlo.maximum %a, %b : " TWO, TWO, "7 2");
  expect_fold("stablehlo.minimum %a, %b : " TWO, TWO, "2 -7");
  expect_fold("stablehlo.and %a, %b : " TWO, TWO, "2 0");
  expect_fold("stablehlo.or %a, %b : " TWO, TWO, "7 -5");
  expect_fold("stablehlo.xor %a, %b : " TWO, TWO, "5 -5");
  expect_fold("stablehlo.abs %a : " TWO, TWO, "7 7");
  expect_fold("stablehlo.negate %a : " TWO, TWO, "-7 7");
  expect_fold("stablehlo.sign %a : " TWO, TWO, "1 -1");
  expect_fold("stablehlo.not %p : tensor<2xi1>", "tensor<2xi1>", "0 1");
  expect_fold("stablehlo.not %a : " TWO, TWO, "varies");
}

Test(fold, what_leaves_its_type_varies) {
  expect_fold("stablehlo.divide %a, %z : " TWO, TWO, "varies");
  expect_fold("stablehlo.remainder %a, %z : " TWO, TWO, "varies");
  expect_fold("stablehlo.add %most, %b : " TWO, TWO, "varies");
  expect_fold("stablehlo.multiply %most, %b : " TWO, TWO, "varies");
  expect_fold("stablehlo.convert %a : (" TWO ") -> tensor<2xi8>", "tensor<2xi8>", "7 -7");
  expect_fold("stablehlo.convert %most : (" TWO ") -> tensor<2xi8>", "tensor<2xi8>", "varies");
  expect_fold("stablehlo.convert %a : (" TWO ") -> tensor<2xui8>", "tensor<2xui8>", "varies");
}

Test(fold, choices_and_moves) {
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

Test(fold, counts_elements_of_static_integers_alone) {
  reading r;
  reading_of(&r, "func.func @main() { return }\n");
  shape_graph *g = &r.graph;
  uint32_t count = 0;
  int64_t dims[] = {3, 4}, dynamic[] = {3, DIM_DYNAMIC}, large[] = {CONSTANT_MAX, 2};
  cr_expect(fold_count(g, type_tensor(&g->types, DTYPE_I32, dims, 2), &count) && count == 12);
  cr_expect(fold_count(g, type_scalar(&g->types, DTYPE_INDEX), &count) && count == 1);
  cr_expect_not(fold_count(g, type_tensor(&g->types, DTYPE_I32, dynamic, 2), &count));
  cr_expect_not(fold_count(g, type_tensor(&g->types, DTYPE_I32, large, 2), &count));
  cr_expect_not(fold_count(g, type_tensor(&g->types, DTYPE_F32, dims, 2), &count));
  cr_expect_not(fold_count(g, TYPE_NONE, &count));
  reading_destroy(&r);
}

// --- calls and arguments

#define SCALAR "tensor<i32>"
#define CALLEE                                                                                     \
  "func.func private @f(%x: " SCALAR ") -> " SCALAR " {\n"                                         \
  "  %y = stablehlo.add %x, %x : " SCALAR "\n  return %y : " SCALAR "\n}\n"

static void expect_returned(const char *program, int64_t first_argument, const char *items) {
  reading r;
  cr_expect_str_eq(returned(&r, program, first_argument), items, "%s", program);
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
