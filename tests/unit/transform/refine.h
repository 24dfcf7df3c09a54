// SPDX-License-Identifier: Apache-2.0
// A program that is written back with refined types, for tests.
#ifndef TESTS_UNIT_TRANSFORM_REFINE_H
#define TESTS_UNIT_TRANSFORM_REFINE_H

#include "solver/emit/emitter.h"
#include "solver/transform/types.h"
#include "tests/unit/formats/mlir/reading.h"

typedef struct refine_case {
  const char *program;
  program_options options;
  const char *argument_types;  // NULL: as declared
  const char *binding;         // "argK=N" or "argK.A=N"; NULL: none
} refine_case;

// What is written; "" where the request is refused. To be freed.
char *refine_text(const refine_case *c);
// Fails unless the text has `part` (NULL: anything), and has not `absent` (NULL: nothing).
void expect_refined(const refine_case *c, const char *part, const char *absent);

// An assertion that the dim of %x and 4 compare so.
#define SIZE_OF(x)                                                                                 \
  "  %n = stablehlo.get_dimension_size " x ", dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"

#define ASSERTION(condition)                                                                       \
  "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n" SIZE_OF(                               \
      "%x") "  %c = stablehlo.constant dense<4> : tensor<i32>\n"                                   \
            "  %p = stablehlo.compare " condition                                                  \
            ", %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"                                \
            "  stablehlo.custom_call @shape_assertion(%p) {has_side_effect = true} : "             \
            "(tensor<i1>) -> ()\n"                                                                 \
            "  return %x : tensor<?xf32>\n}\n"

// A reshape to a shape that is a constant.
#define RESHAPE(result)                                                                            \
  "func.func @main(%x: tensor<6xf32>) -> " result " {\n"                                           \
  "  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>\n"                                      \
  "  %r = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> " result "\n"       \
  "  return %r : " result "\n}\n"

// The elements of what the first function returns, where its first argument is that; "varies" where it is no constant.
const char *refine_returned(const char *program, int64_t first_argument);

// A program that was analysed, and its types.
typedef struct refined_program {
  const char *argument_types;
  analysis_request request;
  analysis_reply reply;
  analysis a;
  refined_types *types;  // NULL: the program has errors
} refined_program;

void refined_open(refined_program *c, const char *program, const char *argument_types);
void refined_close(refined_program *c);
// The type of the value of that name, printed; "" where there is none. Static.
const char *refined_type_of(refined_program *c, const char *name);

#endif
