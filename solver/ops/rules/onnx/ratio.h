// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers of shape computations as quotients of integers.
//
// A number of p bits is exactly n / 2^e. Beside it is the quotient of small integers that was meant: 0.1f is
// 13421773 / 2^27, but it was written for 1/10, and a product with it, rounded to the numbers of its type, is that with
// 1/10 far more often than the exact one (5 * 2.6f is 13, not 12.99...). Only quotients that the type rounds to the same
// number are meant. The method is that of continued fractions: each convergent is the best quotient of its size.
#ifndef SHAPE_OPS_RULES_ONNX_RATIO_H
#define SHAPE_OPS_RULES_ONNX_RATIO_H

#include <stdbool.h>
#include <stdint.h>

#include "solver/graph/type.h"

typedef struct onnx_ratio {
  int64_t numerator, denominator;  // denominator > 0
} onnx_ratio;

// The number of the type next to `value`, ties to even; a value of any other type than F64, F16, BF16 is taken for F32.
double onnx_nearest(shape_dtype dtype, double value);

// The number itself; false when that takes more than 62 bits.
bool onnx_exact_ratio(double value, onnx_ratio *out);

// The quotient that was meant, with a denominator of at most 1024; false when there is none.
bool onnx_meant_ratio(shape_dtype dtype, double value, onnx_ratio *out);

// Of the exact ratio of a single-precision scale of dims and the one that was meant: the one whose floor(n * ratio) is
// what single precision gives for more of the dims n up to 4096; the exact one where they are even.
bool onnx_scale_ratio(double scale, onnx_ratio *out);

#endif
