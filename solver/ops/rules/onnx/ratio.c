// SPDX-License-Identifier: Apache-2.0
#include "solver/ops/rules/onnx/ratio.h"

#include <math.h>

enum { MEANT_DENOMINATOR = 1024, MEANT_STEPS = 24, SCALE_SIZES = 4096 };

// 1.5 * 2^52: added to a smaller number and taken off again, it leaves the whole number next to that, ties to even.
static const double ROUNDER = 0x1.8p52;

double onnx_nearest(shape_dtype dtype, double value) {
  int exponent;
  if (dtype == DTYPE_F64) return value;
  if (dtype != DTYPE_F16 && dtype != DTYPE_BF16) return (double)(float)value;
  int bits = dtype == DTYPE_F16 ? 11 : 8;
  double mantissa = frexp(value, &exponent);
  return ldexp(ldexp(mantissa, bits) + ROUNDER - ROUNDER, exponent - bits);
}

bool onnx_exact_ratio(double value, onnx_ratio *out) {
  int exponent;
  if (!(fabs(value) < 0x1p62)) return false;
  double mantissa = frexp(value, &exponent);
  int64_t p = (int64_t)ldexp(mantissa, 53);
  for (exponent -= 53; p && p % 2 == 0; exponent++) p /= 2;
  if (p == 0) exponent = 0;
  if (exponent < -62) return false;
  *out = exponent < 0 ? (onnx_ratio){p, INT64_C(1) << -exponent}
                      : (onnx_ratio){p * (INT64_C(1) << exponent), 1};
  return true;
}

bool onnx_meant_ratio(shape_dtype dtype, double value, onnx_ratio *out) {
  double rest = fabs(value);
  int64_t p0 = 0, q0 = 1, p1 = 1, q1 = 0;  // the last two convergents
  for (int step = 0; step < MEANT_STEPS && rest < 0x1p31; step++) {
    int64_t whole = (int64_t)rest, p = whole * p1 + p0, q = whole * q1 + q0;
    if (q > MEANT_DENOMINATOR || p > INT32_MAX) return false;
    if (onnx_nearest(dtype, (double)p / (double)q) == fabs(value)) {
      *out = (onnx_ratio){value < 0 ? -p : p, q};
      return true;
    }
    if (rest == (double)whole) return false;
    rest = 1 / (rest - (double)whole);
    p0 = p1, q0 = q1, p1 = p, q1 = q;
  }
  return false;
}

// How many of the dims single precision and the ratio disagree on, or `most` when it is at least that.
static uint32_t misses(double scale, onnx_ratio ratio, uint32_t most) {
  int64_t step = ratio.numerator / ratio.denominator, more = ratio.numerator % ratio.denominator;
  int64_t whole = 0, rest = 0;  // n * ratio is whole + rest / denominator
  uint32_t count = 0;
  if (ratio.numerator > INT64_MAX / SCALE_SIZES) return most;
  for (int64_t n = 1; n <= SCALE_SIZES && count < most; n++) {
    whole += step;
    rest += more;
    if (rest >= ratio.denominator) {
      rest -= ratio.denominator;
      whole++;
    }
    count += (int64_t)((float)n * (float)scale) != whole;
  }
  return count;
}

bool onnx_scale_ratio(double scale, onnx_ratio *out) {
  onnx_ratio ratio;
  if (!(scale > 0) || !(scale < 0x1p31) || !onnx_exact_ratio(scale, out)) return false;
  if (!onnx_meant_ratio(DTYPE_F32, scale, &ratio)) return true;
  if (ratio.numerator == out->numerator && ratio.denominator == out->denominator) return true;
  uint32_t exact = misses(scale, *out, SCALE_SIZES + 1);
  if (misses(scale, ratio, exact) < exact) *out = ratio;
  return true;
}
