// SPDX-License-Identifier: Apache-2.0
// Integer and float literals. Grammar: MLIR LangRef, integer-literal and float-literal.
#include <math.h>
#include <stdlib.h>

#include "solver/base/decimal.h"
#include "solver/formats/mlir/parser.h"

static int digit_of(char c, unsigned base) {
  int value = mlir_is_digit(c)         ? c - '0'
              : (c >= 'a' && c <= 'f') ? c - 'a' + 10
              : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                       : 99;
  return value < (int)base ? value : -1;
}

static void read_digits(mlir_parser *p, unsigned base, mlir_number *out) {
  const char *at = p->at, *end = p->end;
  uint64_t value = 0;
  int digit;
  while (at < end && (digit = digit_of(*at, base)) >= 0) {
    if (value > (UINT64_MAX - (unsigned)digit) / base) {
      out->too_large = true;
    } else {
      value = value * base + (unsigned)digit;
    }
    at++;
  }
  out->magnitude = value;
  p->at = at;
}

static bool starts_exponent(const mlir_parser *p) {
  char c = mlir_char(p, 0);
  if (c != 'e' && c != 'E') return false;
  char next = mlir_char(p, 1);
  return mlir_is_digit(next) || ((next == '+' || next == '-') && mlir_is_digit(mlir_char(p, 2)));
}

static double real_of(mlir_parser *p, const char *from, const char *to) {
  double value;
  if (decimal_short(from, (size_t)(to - from), &value)) return value;
  return strtod(arena_strndup(p->g->arena, from, (size_t)(to - from)), NULL);
}

bool mlir_number_here(mlir_parser *p, mlir_number *out) {
  memset(out, 0, sizeof *out);
  char first = mlir_peek(p);
  if (!mlir_is_digit(first) && (first != '-' || !mlir_is_digit(mlir_char(p, 1)))) return false;
  out->text = p->at;
  out->negative = first == '-';
  p->at += out->negative;
  if (*p->at == '0' && mlir_char(p, 1) == 'x' && digit_of(mlir_char(p, 2), 16) >= 0) {
    p->at += 2;
    out->is_hex = true;
    read_digits(p, 16, out);
  } else {
    const char *digits = p->at;
    read_digits(p, 10, out);
    if (mlir_char(p, 0) == '.') {
      out->is_float = true;
      p->at++;
      while (p->at < p->end && mlir_is_digit(*p->at)) p->at++;
      if (starts_exponent(p)) {
        p->at += 2;
        while (p->at < p->end && mlir_is_digit(*p->at)) p->at++;
      }
      out->real = real_of(p, digits, p->at);
      if (out->negative) out->real = -out->real;
    }
  }
  out->end = p->at;
  return true;
}

// A signless integer of n bits takes -2^(n-1) .. 2^n - 1 (MLIR, buildAttributeAPInt).
bool mlir_number_as(const mlir_number *number, shape_dtype dtype, int64_t *out) {
  if (number->too_large || number->is_float) return false;
  uint32_t bits = dtype_bits(dtype);
  if (!bits || bits > 64) bits = 64;
  uint64_t largest = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  uint64_t smallest = UINT64_C(1) << (bits - 1);
  bool is_unsigned = !dtype_is_signed(dtype) && dtype != DTYPE_I1;
  if (number->negative) {
    if (number->magnitude > (is_unsigned ? 0 : smallest)) return false;
    *out = (int64_t)(0 - number->magnitude);
  } else {
    if (number->magnitude > largest) return false;
    *out = (int64_t)number->magnitude;
    if (!is_unsigned && bits < 64 && number->magnitude >= smallest) {
      *out = (int64_t)(number->magnitude | ~largest);
    }
  }
  if (dtype == DTYPE_I1) *out = *out != 0;
  return true;
}

bool mlir_number_bits(uint64_t bits, shape_dtype dtype, double *out) {
  uint32_t narrow = (uint32_t)bits;
  float real;
  switch (dtype) {
  case DTYPE_F64: memcpy(out, &bits, sizeof *out); return true;
  case DTYPE_BF16: narrow <<= 16;  // fall through
  case DTYPE_F32:
    memcpy(&real, &narrow, sizeof real);
    *out = real;
    return true;
  case DTYPE_F16: {
    int exponent = (narrow >> 10) & 31;
    double mantissa = narrow & 1023;
    double value = exponent == 0    ? mantissa / (1 << 24)
                   : exponent == 31 ? (mantissa ? (double)NAN : (double)INFINITY)
                                    : (mantissa + 1024) * (UINT64_C(1) << exponent) / (1 << 25);
    *out = narrow & 0x8000 ? -value : value;
    return true;
  }
  default: return false;
  }
}

bool mlir_int(mlir_parser *p, int64_t *out) {
  enum { SHORT = 9 };
  mlir_number number;
  int64_t value = 0;
  const char *at = (mlir_skip(p), p->at);
  while (at < p->end && mlir_is_digit(*at) && at - p->at < SHORT)
    value = value * 10 + (*at++ - '0');
  if (at > p->at && at < p->end && *at != '.' && *at != 'x' && !mlir_is_digit(*at)) {
    p->at = at;
    *out = value;
    return true;
  }
  if (!mlir_number_here(p, &number) || number.is_float) return mlir_expected(p, "an integer");
  if (number.too_large || number.magnitude > (uint64_t)INT64_MAX + number.negative) {
    return mlir_wrong(p, number.text, number.end, "the integer does not fit in 64 bits");
  }
  *out = number.negative ? (int64_t)(0 - number.magnitude) : (int64_t)number.magnitude;
  return true;
}

bool mlir_int_list(mlir_parser *p, const int64_t **out, uint32_t *count) {
  int64_t few[16], *values = few;
  uint32_t capacity = 0, length = 0;
  if (!mlir_expect(p, '[')) return false;
  while (mlir_peek(p) != ']') {
    if (length && !mlir_expect(p, ',')) return false;
    int64_t value;
    if (mlir_accept_word(p, "true")) {
      value = 1;
    } else if (mlir_accept_word(p, "false")) {
      value = 0;
    } else if (!mlir_int(p, &value)) {
      return false;
    }
    if (length == 16 && values == few) {
      values = arena_grow(p->g->arena, NULL, 0, 64, &capacity, sizeof *values);
      memcpy(values, few, sizeof few);
    } else if (values != few) {
      values =
          arena_grow(p->g->arena, values, length, (size_t)length + 1, &capacity, sizeof *values);
    }
    values[length++] = value;
  }
  p->at++;
  int64_t *kept = arena_alloc(p->g->arena, length * sizeof *kept);
  if (length) memcpy(kept, values, length * sizeof *kept);
  *out = kept;
  *count = length;
  return true;
}
