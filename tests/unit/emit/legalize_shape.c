// SPDX-License-Identifier: Apache-2.0
// Functions without the shape dialect: what runs under a witness, the names there, and what stays.
#include "solver/emit/legalize_shape.h"

#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define T "tensor<?xf32>"
#define MAIN(body)                                                                                 \
  "func.func @main(%x: " T ", %p: i1) -> " T " {\n  %w = shape.const_witness true\n" body          \
  "  return %r : " T "\n}\n"

static void expect_legal(const char *program, const char *part, const char *absent) {
  expect_refined(
      &(refine_case){.program = program, .options = {.passes = "shape-legalize-to-stablehlo"}},
      part, absent);
}

Test(legalize_shape, what_runs_under_a_witness_needs_no_region) {
  static const char BODY[] = MAIN("  %r = shape.assuming %w -> (" T ") {\n    // kept\n"
                                  "    %a = stablehlo.tanh %x : " T "\n"
                                  "    shape.assuming_yield %a : " T "\n  } loc(\"f.py\":1:2)\n");
  expect_legal(BODY,
               "i1) -> " T " {\n    // kept\n    %a = stablehlo.tanh %x : " T "\n  return %a : " T
               "\n}\n",
               "shape.");
  expect_legal(MAIN("  %r = shape.assuming %w -> (" T ") { shape.assuming_yield %x : " T " }\n"),
               "i1) -> " T " {\n  return %x : " T, "shape.");
  expect_legal(MAIN("  shape.assuming %w {\n  }\n  %r = stablehlo.tanh %x : " T "\n"),
               "{\n  %r = ", "shape.");
}

// Names of a region are free again after it.
Test(legalize_shape, names_stay_unique) {
  static const char BODY[] = MAIN("  %1:2 = shape.assuming %w -> (" T ", !shape.size) {\n"
                                  "    %2 = stablehlo.tanh %x : " T "\n"
                                  "    %3 = shape.const_size 3\n"
                                  "    shape.assuming_yield %2, %3 : " T ", !shape.size\n  }\n"
                                  "  %2 = shape.size_to_index %1#1 : !shape.size\n"
                                  "  %3 = arith.addi %2, %2 : index\n"
                                  "  %r = stablehlo.tanh %1#0 : " T "\n");
  expect_legal(BODY, "%dims_0 = stablehlo.tanh %x", "%2 = stablehlo.tanh");
  expect_legal(BODY, "%dims_1 = arith.constant 3 : index\n  %3 = arith.addi %dims_1, %dims_1",
               NULL);
  expect_legal(BODY, "%r = stablehlo.tanh %dims_0", NULL);
}

Test(legalize_shape, regions) {
  static const char BODY[] =
      MAIN("  %r = scf.if %p -> (" T ") {\n"
           "    %a = shape.assuming %w -> (" T ") {\n"
           "      shape.assuming_yield %x : " T "\n    }\n"
           "    scf.yield %a : " T "\n  } else {\n    scf.yield %x : " T "\n  }\n");
  expect_legal(BODY, "(" T ") {\n    scf.yield %x : " T, "shape.");
}

// A loop whose body is that of the operation.
Test(legalize_shape, reduce) {
  static const char BODY[] =
      MAIN("  %s = shape.shape_of %x : " T " -> !shape.shape\n  %k = shape.const_size 1\n"
           "  %n:2 = shape.reduce(%s, %k, %s) : !shape.shape -> (!shape.size, !shape.shape) {\n"
           "  ^bb0(%i: index, %e: !shape.size, %a: !shape.size, %b: !shape.shape):\n"
           "    // kept\n    %m = shape.mul %a, %e : !shape.size, !shape.size -> !shape.size\n"
           "    shape.yield %m, %b : !shape.size, !shape.shape\n  }\n"
           "  %r = stablehlo.tanh %x : " T "\n");
  expect_legal(BODY,
               "  %n:2 = scf.for %i = %dims_4 to %dims_6 step %dims_5 iter_args(%a = %k, %b = %s) "
               "-> (index, tensor<?xindex>) {\n    %e = tensor.extract %s[%i] : tensor<?xindex>\n"
               "    // kept\n    %m = arith.muli %a, %e : index\n"
               "    scf.yield %m, %b : index, tensor<?xindex>\n  }\n",
               "shape.");
  expect_legal(MAIN("  %s = shape.shape_of %x : " T " -> tensor<?xindex>\n"
                    "  \"shape.reduce\"(%s) ({ ^bb0(%i: index, %e: index): \"shape.yield\"() : () "
                    "-> () }) : (tensor<?xindex>) -> ()\n"
                    "  %r = stablehlo.tanh %x : " T "\n"),
               " {\n    %e = tensor.extract %s[%i] : tensor<?xindex>\n    scf.yield\n  }\n  %r",
               "shape.");
}

#define FUNCTION(arguments, body) "func.func @main(" arguments ") -> index {\n" body "}\n"

// Types that other operations and functions write.
Test(legalize_shape, types) {
  expect_legal(FUNCTION("%s: !shape.shape",
                        "  %r = shape.rank %s : !shape.shape -> index\n  return %r : index\n"),
               "@main(%s: tensor<?xindex>) -> index {", "shape.");
  expect_legal(
      FUNCTION("%i: index, %p: i1", "  %a = shape.index_to_size %i\n"
                                    "  %b = arith.select %p, %a, %a : !shape.size\n"
                                    "  %c = func.call @f(%b) : (!shape.size) -> !shape.size\n"
                                    "  %r = shape.size_to_index %c : !shape.size\n  return %r : "
                                    "index\n") "func.func private @f(%x: !shape.size) -> "
                                               "!shape.size {\n  return %x : !shape.size\n}\n",
      "arith.select %p, %i, %i : index\n  %c = func.call @f(%b) : (index) -> index", "shape.");
  expect_legal("func.func @main(%x: " T ") -> !shape.shape {\n"
               "  %r = shape.shape_of %x : " T " -> !shape.shape\n  return %r : !shape.shape\n}\n",
               "%r = tensor.cast %dims_3 : tensor<1xindex> to tensor<?xindex>", "shape.shape");
}

// Operations of the module itself are in no function of its own type.
Test(legalize_shape, operations_of_a_module) {
  expect_legal("\"disc_shape.SymbolicDim\"() {sym_name = \"S0\"} : () -> ()\n"
               "func.func @main(%x: tensor<?xf32, [@S0]>) -> index {\n"
               "  %s = shape.shape_of %x : tensor<?xf32, [@S0]> -> !shape.shape\n"
               "  %r = shape.rank %s : !shape.shape -> index\n  return %r : index\n}\n",
               "%r = arith.constant 1 : index", "shape.rank");
}

Test(legalize_shape, what_stays) {
  expect_legal(
      "\"func.func\"() <{function_type = (!shape.size) -> index, sym_name = \"main\"}> ({\n"
      "^bb0(%x: !shape.size):\n  %r = shape.size_to_index %x : !shape.size\n"
      "  \"func.return\"(%r) : (index) -> ()\n}) : () -> ()\n",
      "a function has no form in StableHLO, arith or tensor: a type of the shape dialect stays",
      "func.func");
  expect_legal(FUNCTION("%w: !shape.witness, %i: index",
                        "  shape.assuming %w {\n  }\n  return %i : index\n"),
               "an argument of its block has a type of the shape dialect", "func.func");
  expect_legal(FUNCTION("%i: index", "  %a = shape.index_to_size %i\n  what.ever %a to there\n"
                                     "  return %i : index\n"),
               "an operation of its function has an unknown syntax", "func.func");
  expect_legal(FUNCTION("%i: index, %p: memref<4xindex>",
                        "  %a = shape.index_to_size %i\n"
                        "  %r = memref.atomic_rmw assign %a, %p[%i] : (!shape.size, "
                        "memref<4xindex>) -> !shape.size\n  return %i : index\n"),
               "3:8: error: memref.atomic_rmw has no form in StableHLO, arith or tensor: a type of "
               "the shape dialect stays",
               "func.func");
}

// What loops carry, and what a declaration takes and makes.
Test(legalize_shape, types_of_loops_and_declarations) {
  expect_legal(FUNCTION("%i: index", "  %a = shape.index_to_size %i\n"
                                     "  %b = affine.for %j = 0 to 4 iter_args(%y = %a) -> "
                                     "(!shape.size) {\n    affine.yield %y : !shape.size\n  }\n"
                                     "  %r = shape.size_to_index %b : !shape.size\n"
                                     "  return %r : index\n"),
               "iter_args(%y = %i) -> (index) {\n    affine.yield %y : index\n  }\n  return %b",
               "shape.");
  expect_legal(FUNCTION("%i: index, %p: i1, %s: !shape.shape",
                        "  %q:2 = scf.while (%x = %s) : (!shape.shape) -> (!shape.shape, index) {\n"
                        "    scf.condition(%p) %x, %i : !shape.shape, index\n  } do {\n"
                        "  ^bb0(%y: !shape.shape, %z: index):\n"
                        "    scf.yield %y : !shape.shape\n  }\n  return %q#1 : index\n"),
               "(%x = %s) : (tensor<?xindex>) -> (tensor<?xindex>, index) {\n"
               "    scf.condition(%p) %x, %i : tensor<?xindex>, index\n",
               "shape.");
  expect_legal("func.func private @size(!shape.shape) -> (index, !shape.size)\n" FUNCTION(
                   "%s: !shape.shape", "  %r:2 = call @size(%s) : (!shape.shape) -> (index, "
                                       "!shape.size)\n  return %r#0 : index\n"),
               "@size(tensor<?xindex>) -> (index, index)", "shape.");
}

// Dims that are no numbers of 32 bits.
Test(legalize_shape, extents_of_many_elements) {
  static const char PROGRAM[] =
      "func.func @main(%x: tensor<5000000000x?xi8>) -> tensor<2xindex> {\n"
      "  %s = shape.shape_of %x : tensor<5000000000x?xi8> -> tensor<2xindex>\n"
      "  return %s : tensor<2xindex>\n}\n";
  expect_legal(PROGRAM, "dense<5000000000> : tensor<1xi64>", "error");
  expect_legal(PROGRAM, "arith.index_cast %dims_4 : tensor<2xi64> to tensor<2xindex>", "2xi32");
}

// An operation of a dialect that is not known, with a symbol's name: a function without a type.
Test(legalize_shape, functions_without_a_type_stay) {
  static const char PROGRAM[] = "\"my.func\"() {sym_name = \"f\"} : () -> ()\n";
  expect_legal(PROGRAM, PROGRAM, "error");
}
