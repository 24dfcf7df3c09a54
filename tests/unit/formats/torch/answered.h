// SPDX-License-Identifier: Apache-2.0
// The answer about a program of torch.export.
#ifndef TESTS_UNIT_FORMATS_TORCH_ANSWERED_H
#define TESTS_UNIT_FORMATS_TORCH_ANSWERED_H

#include <criterion/criterion.h>
#include <string.h>

#include "solver/shape.h"
#include "tests/support/stored_zip.h"

static inline void answered_add(void *to, const char *data, size_t length) {
  strncat(to, data, length);
}

// As JSON, until the next one.
static inline const char *answered(const char *json) {
  static char answer[1 << 16];
  static unsigned char bytes[16384];
  *answer = 0;
  size_t length = stored_zip(json, strlen(json), bytes);
  shape_program *p = shape_program_new(NULL);
  cr_expect_eq(shape_program_load(p, bytes, length, "m.pt2"), SHAPE_OK);
  shape_analysis *a = shape_program_analyze(p, NULL);
  shape_emit_options emit = SHAPE_STRUCT(shape_emit_options);
  cr_expect_eq(shape_analysis_emit_with(a, "json", &emit, answered_add, answer), SHAPE_OK);
  shape_analysis_free(a);
  shape_program_free(p);
  return answer;
}

#endif
