// SPDX-License-Identifier: Apache-2.0
// Text of arithmetic on dims: under which names, and what it asserts.
#include "solver/emit/dim_writer.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/unit/transform/refine.h"

#define T "tensor<?xf32>"
#define V "tensor<1xindex>"

static void expect_pass(const char *pass, const char *body, const char *part, const char *absent) {
  static char program[4096];
  snprintf(program, sizeof program,
           "func.func @main(%%x: " T ", %%y: " T ") -> index {\n"
           "  %%c0 = arith.constant 0 : index\n%s  return %%d : index\n}\n",
           body);
  expect_refined(&(refine_case){.program = program, .options = {.passes = pass}}, part, absent);
}

Test(dim_writer, names_of_the_program_are_left_alone) {
  static const char BODY[] = "  %dims_0 = stablehlo.tanh %x : " T "\n"
                             "  %d = tensor.dim %dims_0, %c0 : " T "\n";
  expect_pass("materialize-dims", BODY, "%dims1_0 = ", "tensor.dim %dims_0");
}

// As far to the right as the operation; a type of any length.
Test(dim_writer, lines) {
  static const char BODY[] = "    %s = shape.shape_of %x : " T " -> " V "\n"
                             "  %d = shape.num_elements %s : " V " -> index\n";
  expect_pass("scalarize-shapes", BODY, "\n    %dims_0 = arith.constant 0 : index\n    %dims_1",
              "shape.shape_of");
}

// A broadcast that nothing proves ends some runs, also one that is not analysed.
Test(dim_writer, what_may_end_a_run) {
  static const char BODY[] =
      "  %s = shape.shape_of %x : " T " -> " V "\n"
      "  %d = arith.addi %c0, %c0 : index\n"
      "  return %d : index\n}\nfunc.func @g(%s: " V ", %t: " V ") -> " V " {\n"
      "  %b = shape.broadcast %s, %t : " V ", " V " -> " V "\n"
      "  return %b : " V "\n}\nfunc.func @h(%d: index) -> index {\n";
  expect_pass("scalarize-shapes", BODY, "%b = shape.broadcast %s, %t", NULL);
  expect_pass("shape-legalize-to-stablehlo", BODY, "@shape_assertion", "shape.broadcast");
}
