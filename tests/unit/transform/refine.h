// SPDX-License-Identifier: Apache-2.0
// A program that is written back with refined types, for tests.
#ifndef TESTS_UNIT_TRANSFORM_REFINE_H
#define TESTS_UNIT_TRANSFORM_REFINE_H

#include "solver/emit/emitter.h"

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

#endif
