// SPDX-License-Identifier: Apache-2.0
// Decimal numbers to doubles without strtod, which looks up the locale first.
#ifndef SHAPE_BASE_DECIMAL_H
#define SHAPE_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

// Reads `-? digit+ (. digit*)? ([eE] [+-]? digit+)?` where it is short: a mantissa below 2^53 and a power of ten up to
// 10^22 are doubles, so one rounding gives the nearest, as strtod does (Clinger, How to read floating point numbers
// accurately, 1990). False for all other texts, which strtod may still read.
bool decimal_short(const char *text, size_t length, double *out);

#endif
