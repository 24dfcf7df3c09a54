// SPDX-License-Identifier: Apache-2.0
// Operations become static where the analysis knows what says their dims, whatever computes it.
#include <criterion/criterion.h>
#include <stdio.h>

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
