// SPDX-License-Identifier: Apache-2.0
// The quotient of integers for a scale in single precision.
#include "solver/ops/rules/onnx/ratio.h"

#include <criterion/criterion.h>

static uint32_t misses(double scale, onnx_ratio ratio) {
  uint32_t count = 0;
  for (int64_t n = 1; n <= 4096; n++)
    count += (int64_t)((float)n * (float)scale) !=
             (int64_t)((__int128)n * ratio.numerator / ratio.denominator);
  return count;
}

// As its header says, with a division for each dim.
static onnx_ratio expected(double scale) {
  onnx_ratio exact, meant;
  cr_assert(onnx_exact_ratio(scale, &exact));
  bool other = onnx_meant_ratio(DTYPE_F32, scale, &meant);
  return other && misses(scale, meant) < misses(scale, exact) ? meant : exact;
}

static void check(double scale) {
  onnx_ratio ratio, right = expected(scale);
  cr_assert(onnx_scale_ratio(scale, &ratio), "%g", scale);
  cr_expect_eq(ratio.numerator, right.numerator, "%g", scale);
  cr_expect_eq(ratio.denominator, right.denominator, "%g", scale);
}

Test(ratio, is_the_one_that_gives_what_single_precision_gives_for_more_dims) {
  for (int p = 1; p <= 24; p++) {
    for (int q = 1; q <= 24; q++) check((float)p / (float)q);
  }
  for (int k = 1; k <= 20; k++) check((float)0.1 * (float)k);
  check(0x1p-40);
  check(3e8);
  check((float)2147483520);
  check((float)1.00000012);
}

Test(ratio, is_none_of_a_scale_that_no_image_has) {
  onnx_ratio ratio;
  cr_expect_not(onnx_scale_ratio(0, &ratio));
  cr_expect_not(onnx_scale_ratio(-1.5, &ratio));
  cr_expect_not(onnx_scale_ratio(0x1p31, &ratio));
}
