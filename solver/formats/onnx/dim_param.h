// SPDX-License-Identifier: Apache-2.0
// Expressions as exporters write them into dim_param: SymPy (torch), JAX, onnx-light, paddle2onnx, and the prefix form of
// ONNX's proposal 0010. Values are exact rationals; what is asked for is an integer.
//
//   lowest   a ^ b (maximum)
//            a & b (minimum)
//            a + b, a - b
//            a * b, a / b (rational), a // b (floor), a % b (of a floor), a /: b (exact)
//            -a, +a
//   highest  a ** k (0 <= k <= 64, to the right)
//            numbers (42, 0.5, 1.0), names, parentheses, calls of the functions in DIM_FUNCTIONS, whatever their case
//
// A text that is no such expression is the name of a dim, and so is one that is a number below 0. White space is ignored.
// Limits: 4,096 bytes, nesting 100, numbers of 18 digits.
#ifndef SHAPE_FORMATS_ONNX_DIM_PARAM_H
#define SHAPE_FORMATS_ONNX_DIM_PARAM_H

#include "solver/term/term.h"

typedef struct dim_param {
  term_id value;      // an integer: the floor of the quotient
  term_id remainder;  // has to be 0 so that the quotient is an integer; TERM_ZERO: it always is
} dim_param;

// True where the text is an expression; `symbol` gives the term of a name. O(length) and the cost of the terms.
bool dim_param_read(term_table *terms, const char *text, size_t length,
                    term_id (*symbol)(void *data, const char *name, size_t length), void *data,
                    dim_param *out);

// False for names: words, and words joined by hyphens (batch-size), which exporters do not write for a difference. O(length).
bool dim_param_is_candidate(const char *text, size_t length);

#endif
