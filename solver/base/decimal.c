// SPDX-License-Identifier: Apache-2.0
#include "solver/base/decimal.h"

#include <assert.h>
#include <stdint.h>

enum { LARGEST_POWER = 22, LARGEST_EXPONENT = 1000 };

typedef struct decimal {
  const char *at, *end;
  uint64_t mantissa;
  int scale;  // the number is mantissa * 10^scale
  bool exact;
} decimal;

// Digits of the mantissa; returns how many there are.
static int digits(decimal *d) {
  const char *from = d->at;
  for (; d->at < d->end && *d->at >= '0' && *d->at <= '9'; d->at++) {
    if (d->mantissa >= (UINT64_C(1) << 53) / 10) d->exact = false;
    if (d->exact) d->mantissa = d->mantissa * 10 + (unsigned)(*d->at - '0');
  }
  return (int)(d->at - from);
}

static bool exponent(decimal *d) {
  bool negative = d->at < d->end && *d->at == '-';
  int value = 0;
  if (d->at < d->end && (*d->at == '-' || *d->at == '+')) d->at++;
  const char *from = d->at;
  assert(d->at <= d->end);
  for (; d->at < d->end && *d->at >= '0' && *d->at <= '9'; d->at++) {
    if (value < LARGEST_EXPONENT) value = value * 10 + (*d->at - '0');
  }
  d->scale += negative ? -value : value;
  return d->at > from;
}

bool decimal_short(const char *text, size_t length, double *out) {
  static const double POWERS[LARGEST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  enum { LONGEST = 64 };
  decimal d = {text, text + length, 0, 0, true};
  if (!length || length > LONGEST) return false;
  bool negative = *text == '-';
  d.at += negative;
  if (!digits(&d)) return false;
  if (d.at < d.end && *d.at == '.') {
    d.at++;
    d.scale -= digits(&d);
  }
  if (d.at < d.end && (*d.at == 'e' || *d.at == 'E')) {
    d.at++;
    if (!exponent(&d)) return false;
  }
  if (d.at != d.end || !d.exact || d.scale < -LARGEST_POWER || d.scale > LARGEST_POWER)
    return false;
  assert(d.mantissa < UINT64_C(1) << 53);
  double value = (double)d.mantissa;
  value = d.scale < 0 ? value / POWERS[-d.scale] : value * POWERS[d.scale];
  *out = negative ? -value : value;
  return true;
}
