// SPDX-License-Identifier: Apache-2.0
// Passes on dims: what they write, and what they leave.
#include "solver/emit/dim_passes.h"

#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define T "tensor<?xf32>"
#define PROGRAM(body)                                                                              \
  "func.func @main(%x: " T ", %y: " T ") -> index {\n"                                             \
  "  %c0 = arith.constant 0 : index\n" body "  return %d : index\n}\n"

static void expect_pass(const char *pass, const char *body, const char *part, const char *absent) {
  expect_refined(&(refine_case){.program = body, .options = {.passes = pass}}, part, absent);
}

Test(dim_passes, dims_of_what_is_computed_are_those_of_arguments) {
  static const char BODY[] =
      PROGRAM("  %k = stablehlo.concatenate %x, %y, dim = 0 : (" T ", " T ") -> " T "\n"
              "  %d = tensor.dim %k, %c0 : " T "\n");
  expect_pass("materialize-dims", BODY, "arith.addi %dims_1, %dims_3", "tensor.dim %k");
}

// Only the addition says that %y is as long as %x; %s takes its dim from one of the two.
Test(dim_passes, what_a_requirement_makes_equal_is_not_merged) {
  static const char BODY[] = PROGRAM("  %s = stablehlo.add %x, %y : " T "\n"
                                     "  %a = tensor.dim %x, %c0 : " T "\n"
                                     "  %b = tensor.dim %y, %c0 : " T "\n"
                                     "  %d = arith.subi %a, %b : index\n");
  expect_pass("merge-dims", BODY, "arith.subi %a, %b", NULL);
}

Test(dim_passes, equal_dims_are_one_value) {
  static const char BODY[] = PROGRAM("  %s = stablehlo.tanh %x : " T "\n"
                                     "  %a = tensor.dim %x, %c0 : " T "\n"
                                     "  %b = tensor.dim %s, %c0 : " T "\n"
                                     "  %d = arith.addi %a, %b : index\n");
  expect_pass("merge-dims", BODY, "arith.addi %a, %a", "%b = ");
}

Test(dim_passes, all_uses_take_what_is_tied) {
  static const char BODY[] = PROGRAM("  %d = tensor.dim %x, %c0 : " T "\n");
  expect_pass("tie-shape", BODY, "\"disc_shape.tie_shape\"(%y, %dims_", "tensor.dim %x, %c0");
}

#define VEC "tensor<1xindex>"

// A broadcast that may fail ends the run: it stays.
Test(dim_passes, extents_become_scalars) {
  static const char BODY[] = PROGRAM("  %s = shape.shape_of %x : " T " -> " VEC "\n"
                                     "  %t = shape.shape_of %y : " T " -> " VEC "\n"
                                     "  %b = shape.broadcast %s, %t : " VEC ", " VEC " -> " VEC
                                     "\n  %d = shape.num_elements %s : " VEC " -> index\n");
  expect_pass("scalarize-shapes", BODY, "shape.broadcast", "shape.shape_of");
  expect_pass("scalarize-shapes", BODY, "tensor.extract %s", "shape.num_elements");
}

Test(dim_passes, hints_say_what_is_known) {
  static const char BODY[] = PROGRAM(
      "  %d = tensor.dim %x, %c0 : " T "\n"
      "  %s = tensor.from_elements %d : " VEC "\n"
      "  %b = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (" T ", " VEC ") -> " T "\n"
      "  %e = stablehlo.dynamic_broadcast_in_dim %y, %s, dims = [0] : (" T ", " VEC ") -> " T "\n");
  expect_pass("broadcast-hints", BODY, "known_nonexpanding_dimensions = array<i64: 0>",
              "known_expanding_dimensions");
  expect_pass("broadcast-hints", BODY, "%e = stablehlo.dynamic_broadcast_in_dim", NULL);
}

#define CALLEE(visibility)                                                                         \
  "func.func " visibility "@f(%z: " T ") -> index {\n  %c = arith.constant 0 : index\n"            \
  "  %t = stablehlo.tanh %z : " T "\n  %e = tensor.dim %t, %c : " T "\n  return %e : index\n}\n"
#define CALLED "  %d = func.call @f(%x) : (" T ") -> index\n"
#define TWICE                                                                                      \
  "  %s = stablehlo.concatenate %x, %x, dim = 0 : (" T ", " T ") -> " T "\n"                       \
  "  %q = func.call @f(%s) : (" T ") -> index\n"

// In a function that is called with several shapes, or that others may call, a dim is not that of one call.
Test(dim_passes, run_on_functions_that_are_called) {
  expect_pass("materialize-dims", PROGRAM(CALLED) CALLEE("private "), "tensor.dim %z, %dims_0",
              "tensor.dim %t");
  expect_pass("materialize-dims", PROGRAM(TWICE CALLED) CALLEE("private "), "tensor.dim %t", NULL);
  expect_pass("materialize-dims", PROGRAM(CALLED) CALLEE(""), "tensor.dim %t", NULL);
  expect_pass("tie-shape", PROGRAM(TWICE CALLED) CALLEE("private "), "tie_shape\"(%t, ", NULL);
}
