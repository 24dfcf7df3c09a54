// SPDX-License-Identifier: Apache-2.0
// Elements of dense attributes: what a type's spelling says of them, and floats as bits.
#include <assert.h>
#include <math.h>

#include "solver/formats/bytecode/tables.h"

// --- element types

static bc_element integer_of(bc_slice text) {
  enum { WIDTH_MAX = 1 << 24 };
  bc_element e = {.kind = '?'};
  uint32_t i = text.length && (text.text[0] == 'u' || text.text[0] == 's');
  if (i >= text.length || text.text[i] != 'i' || i + 1 == text.length) return e;
  uint32_t bits = 0;
  for (uint32_t k = i + 1; k < text.length; k++) {
    if (text.text[k] < '0' || text.text[k] > '9' || bits >= WIDTH_MAX) return e;
    bits = bits * 10 + (uint32_t)(text.text[k] - '0');
  }
  e.kind = i && text.text[0] == 'u' ? 'u' : bits == 1 && !i ? 'b' : 'i';
  e.bits = bits;
  return e;
}

bc_element bc_element_of(bc_slice text) {
  bc_element e = {.kind = '?', .dtype = DTYPE_OTHER};
  shape_dtype dtype;
  if (bc_begins(text, "complex<") && text.text[text.length - 1] == '>') {
    bc_element part = bc_element_of((bc_slice){text.text + 8, text.length - 9});
    if (part.kind == '?' || part.kind == 'c') return e;
    part.part = part.kind;
    part.kind = 'c';
    return part;
  }
  if (bc_is(text, "index")) return (bc_element){.kind = 'i', .bits = 64, .index = true};
  if (bc_is(text, "f80") || bc_is(text, "f128") || bc_is(text, "tf32")) {
    e.kind = 'f';
    e.bits = bc_is(text, "f80") ? 80 : bc_is(text, "tf32") ? 19 : 128;
    return e;
  }
  if (dtype_from_name(text.text, text.length, &dtype) && dtype_is_float(dtype))
    return (bc_element){.kind = 'f', .bits = dtype_bits(dtype), .dtype = dtype};
  return integer_of(text);
}

bool bc_shape_of(bc_slice type, int64_t *dims, uint32_t *rank, uint64_t *count, bc_slice *element) {
  uint32_t i = bc_begins(type, "tensor<") || bc_begins(type, "vector<") ? 7 : 0;
  if (!i || type.text[type.length - 1] != '>') return false;
  *rank = 0;
  *count = 1;
  const char *at = type.text + i, *end = type.text + type.length - 1;
  for (;;) {
    const char *from = at;
    uint64_t dim = 0;
    while (at < end && *at >= '0' && *at <= '9') {
      if (dim > UINT64_MAX / 16) return false;
      dim = dim * 10 + (uint64_t)(*at++ - '0');
    }
    if (at == from || at == end || *at != 'x') {
      at = from;
      break;
    }
    if (*rank == BC_RANK_MAX || dim > INT64_MAX) return false;
    dims[(*rank)++] = (int64_t)dim;
    if (dim && *count > UINT64_MAX / dim) return false;
    *count *= dim;
    at++;
  }
  if (at < end && (*at == '?' || *at == '*' || *at == '[')) return false;
  // The element type ends where the encoding begins.
  const char *to = at;
  int depth = 0;
  for (; to < end && (depth || *to != ','); to++) depth += *to == '<' ? 1 : *to == '>' ? -1 : 0;
  *element = (bc_slice){at, (uint32_t)(to - at)};
  return true;
}

// --- floats

// Layouts of the small ones: bits of the exponent and the mantissa, the bias, and what the largest exponent is for.
typedef struct float_row {
  shape_dtype dtype;
  uint8_t exponent, mantissa;
  int16_t bias;
  char special;  // 'I' infinities and NaN, 'N' NaN of all ones, 'Z' NaN is minus zero, '-' none
} float_row;

static const float_row FLOATS[] = {
    {DTYPE_F64, 11, 52, 1023, 'I'},       {DTYPE_F32, 8, 23, 127, 'I'},
    {DTYPE_BF16, 8, 7, 127, 'I'},         {DTYPE_F16, 5, 10, 15, 'I'},
    {DTYPE_F8E5M2, 5, 2, 15, 'I'},        {DTYPE_F8E4M3, 4, 3, 7, 'I'},
    {DTYPE_F8E3M4, 3, 4, 3, 'I'},         {DTYPE_F8E4M3FN, 4, 3, 7, 'N'},
    {DTYPE_F8E4M3FNUZ, 4, 3, 8, 'Z'},     {DTYPE_F8E5M2FNUZ, 5, 2, 16, 'Z'},
    {DTYPE_F8E4M3B11FNUZ, 4, 3, 11, 'Z'}, {DTYPE_F4E2M1FN, 2, 1, 1, '-'},
    {DTYPE_F6E2M3FN, 2, 3, 1, '-'},       {DTYPE_F6E3M2FN, 3, 2, 3, '-'}};

static const float_row *row_of(shape_dtype dtype) {
  for (unsigned i = 0; i < sizeof FLOATS / sizeof *FLOATS; i++) {
    if (FLOATS[i].dtype == dtype) return &FLOATS[i];
  }
  return NULL;
}

bool bc_float_decode(const bc_element *e, uint64_t bits, double *value, double *ulp) {
  const float_row *row = row_of(e->dtype);
  if (e->dtype == DTYPE_F8E8M0FNU) {
    *value = *ulp = ldexp(1, (int)bits - 127);
    return bits != 255;
  }
  if (!row) return false;
  uint64_t ones = (UINT64_C(1) << row->mantissa) - 1, mantissa = bits & ones;
  uint32_t most = (1u << row->exponent) - 1;
  uint32_t exponent = (uint32_t)(bits >> row->mantissa) & most;
  bool negative = bits >> (row->mantissa + row->exponent) & 1;
  if (row->special == 'I' && exponent == most) return false;
  if (row->special == 'N' && exponent == most && mantissa == ones) return false;
  if (row->special == 'Z' && negative && !exponent && !mantissa) return false;
  int scale = (exponent ? (int)exponent : 1) - row->bias - row->mantissa;
  if (exponent) mantissa |= ones + 1;
  assert(exponent <= most && mantissa <= 2 * ones + 1);
  *ulp = ldexp(1, scale);
  *value = ldexp((double)mantissa, scale);
  if (negative) *value = -*value;
  return true;
}

bool bc_float_encode(const bc_element *e, double value, uint64_t *bits) {
  const float_row *row = row_of(e->dtype);
  int exponent;
  if (e->dtype == DTYPE_F8E8M0FNU) {
    bool power = value > 0 && isfinite(value) && frexp(value, &exponent) == 0.5;
    *bits = power ? (uint64_t)(exponent - 1 + 127) : 0;
    return power && *bits < 255;
  }
  if (!row || isnan(value)) return false;
  assert(row->mantissa + row->exponent < 64 && (e->bits == 0 || e->bits <= 64));
  uint64_t ones = (UINT64_C(1) << row->mantissa) - 1, most = (UINT64_C(1) << row->exponent) - 1;
  uint64_t sign = signbit(value) ? UINT64_C(1) << (row->mantissa + row->exponent) : 0;
  value = fabs(value);
  if (value == 0) {
    *bits = row->special == 'Z' ? 0 : sign;
    return true;
  }
  *bits = sign | most << row->mantissa;
  if (isinf(value)) return row->special == 'I';
  frexp(value, &exponent);
  int scale = (exponent - 1 < 1 - row->bias ? 1 - row->bias : exponent - 1) - row->mantissa;
  uint64_t rounded = (uint64_t)rint(ldexp(value, -scale));
  if (rounded > 2 * ones + 1) {
    rounded /= 2;
    scale++;
  }
  assert(rounded <= 2 * ones + 1);
  int field = rounded > ones ? scale + row->mantissa + row->bias : 0;
  if (row->special == 'I' && field >= (int)most) return true;  // infinite
  if (field > (int)most) return false;
  if (row->special == 'N' && field == (int)most && (rounded & ones) == ones) return false;
  *bits = sign | (uint64_t)field << row->mantissa | (rounded & ones);
  if (row->special == 'Z' && *bits == sign) *bits = 0;  // minus zero is its NaN
  return true;
}
