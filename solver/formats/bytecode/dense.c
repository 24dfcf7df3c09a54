// SPDX-License-Identifier: Apache-2.0
// Numbers: integers and floats of any type, and lists of them. Elements that an analysis does not keep are not written,
// unless the whole program is: the type is then all that is said. Format: BuiltinAttributes.cpp, isValidRawBuffer.
#include "solver/formats/bytecode/reader.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// As MLIR prints it: six digits where they say all, else as many as needed; hexadecimal where there are none.
void bc_put_float(shape_strbuf *out, const bc_element *e, uint64_t bits) {
  double value, ulp;
  assert(e->bits <= 64);
  char text[64];
  if (e->bits < 64) bits &= (UINT64_C(1) << e->bits) - 1;
  if (!bc_float_decode(e, bits, &value, &ulp)) {
    strbuf_printf(out, "0x%0*llX", (int)(bc_element_bytes(e) * 2), (unsigned long long)bits);
    return;
  }
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*e", digits, value);
    double back = strtod(text, NULL);
    double off = back > value ? back - value : value - back;
    if (e->dtype == DTYPE_F64 ? back == value : off < ulp / 4) break;
  }
  strbuf_puts(out, text);
}

// --- one number

static void put_words(bc_cursor *c, shape_strbuf *out, uint32_t bits) {
  size_t at = bc_offset(c);
  uint32_t count = bc_count(c, "words");
  uint32_t need = (bits + 63) / 64;
  if (count > need)
    bc_fail(c->r, at, "expected at most %u words for an integer of %u bits, found %u", need, bits,
            count);
  uint64_t *words = arena_zalloc(c->r->arena, ((size_t)need + 1) * sizeof *words);
  for (uint32_t i = 0; i < count && !c->r->failed; i++) words[i] = (uint64_t)bc_svarint(c);
  if (c->r->failed) return;
  if (bits % 64) words[need - 1] &= (UINT64_C(1) << bits % 64) - 1;
  strbuf_puts(out, "0x");
  for (uint32_t i = need; i-- > 0;) strbuf_printf(out, "%016llX", (unsigned long long)words[i]);
}

static uint64_t read_int(bc_cursor *c, uint32_t bits) {
  return bits <= 8 ? bc_byte(c) : (uint64_t)bc_svarint(c);
}

static int64_t extended(uint64_t value, const bc_element *e) {
  assert(e->kind == 'i' || e->kind == 'u' || e->kind == 'b');
  if (!e->bits || e->bits >= 64) return (int64_t)value;
  uint64_t ones = (UINT64_C(1) << e->bits) - 1, sign = UINT64_C(1) << (e->bits - 1);
  value &= ones;
  return e->kind == 'i' ? (int64_t)((value ^ sign) - sign) : (int64_t)value;
}

static void put_int(shape_strbuf *out, const bc_element *e, int64_t value) {
  if (e->kind == 'b') {
    strbuf_puts(out, value ? "true" : "false");
  } else if (e->kind == 'u') {
    strbuf_printf(out, "%llu", (unsigned long long)value);
  } else {
    strbuf_int(out, value);
  }
}

// The type of a number, one of the kinds; false: the cursor's reader has failed.
static bool number_type(bc_cursor *c, const char *kinds, const char *what, bc_slice *text,
                        bc_element *e) {
  size_t at = bc_offset(c);
  uint32_t type = bc_type(c);
  *text = bc_type_text(c->r, type);
  *e = bc_element_of(*text);
  if (c->r->failed) return false;
  if (e->kind && strchr(kinds, e->kind)) return true;
  bc_fail(c->r, at, "expected %s, found type %u, which is none", what, type);
  return false;
}

void bc_typed_int(bc_cursor *c, shape_strbuf *out) {
  bc_slice text;
  bc_element e;
  if (!number_type(c, "iub", "an integer type of an integer", &text, &e)) return;
  if (e.bits > 64) {
    put_words(c, out, e.bits);
  } else {
    put_int(out, &e, extended(read_int(c, e.bits), &e));
  }
  if (e.kind == 'b') return;
  strbuf_puts(out, " : ");
  strbuf_add(out, text.text, text.length);
}

void bc_typed_float(bc_cursor *c, shape_strbuf *out) {
  bc_slice text;
  bc_element e;
  if (!number_type(c, "f", "a float type of a float", &text, &e)) return;
  if (e.bits > 64) {
    put_words(c, out, e.bits);
  } else {
    bc_put_float(out, &e, read_int(c, e.bits));
  }
  strbuf_puts(out, " : ");
  strbuf_add(out, text.text, text.length);
}

void bc_put_real(bc_cursor *c, shape_strbuf *out) {
  bc_element f64 = {.kind = 'f', .bits = 64, .dtype = DTYPE_F64};
  bc_put_float(out, &f64, (uint64_t)bc_svarint(c));
}

// --- lists

static uint64_t load(const unsigned char *at, uint32_t bytes) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < bytes && i < 8; i++) value |= (uint64_t)at[i] << (8 * i);
  return value;
}

static void put_element(shape_strbuf *out, const bc_element *e, const unsigned char *at) {
  bc_element part = *e;
  uint32_t bytes = bc_element_bytes(e);
  assert(e->bits > 0);
  if (e->kind != 'c') {
    if (e->kind == 'f') {
      bc_put_float(out, e, load(at, bytes));
    } else {
      put_int(out, e, extended(load(at, bytes), e));
    }
    return;
  }
  part.kind = e->part;
  strbuf_putc(out, '(');
  put_element(out, &part, at);
  strbuf_putc(out, ',');
  put_element(out, &part, at + bytes);
  strbuf_putc(out, ')');
}

typedef struct dense {
  bc_slice type, element_type;
  bc_element element;
  int64_t dims[BC_RANK_MAX];
  uint32_t rank;
  uint64_t count;
  const unsigned char *data;
  uint32_t bytes;
  uint32_t width;  // bytes of an element
  bool splat, packed;
} dense;

// The type and the bytes, which are held against one another.
static bool read_dense(bc_cursor *c, dense *d, bool bytes_allowed) {
  bc_reader *r = c->r;
  size_t at = bc_offset(c);
  uint32_t type = bc_type(c);
  d->type = bc_type_text(r, type);
  size_t data_at = bc_offset(c);
  uint64_t size = bc_varint(c);
  d->data = r->failed ? NULL : bc_take(c, size);
  if (!d->data) return false;
  d->bytes = (uint32_t)size;
  if (!bc_shape_of(d->type, d->dims, &d->rank, &d->count, &d->element_type))
    return bc_fail(
        r, at, "expected a static shape of dense elements, found type %u, which has none", type);
  d->element = bc_element_of(d->element_type);
  if (d->element.kind == '?' || !d->element.bits)
    return bc_fail(r, at, "expected elements of a fixed number of bits, found type %u", type);
  d->width = bc_element_bytes(&d->element) * (d->element.kind == 'c' ? 2 : 1);
  d->splat = d->packed = false;
  uint64_t need = d->count;
  if (d->element.kind == 'b') {
    uint64_t packed = need / 8 + (need % 8 != 0);
    d->splat =
        size == 1 && (d->data[0] == 0xff || (d->data[0] == 0 && !(bytes_allowed && need == 1)));
    d->packed = !d->splat && size == packed && !(bytes_allowed && size == need);
    if (d->splat || d->packed || (bytes_allowed && size == need)) return true;
  } else {
    d->splat = size == d->width && need != 1;
    if (d->splat || (need <= size && size == need * d->width)) return true;
  }
  if (!need && !size) return true;
  return bc_fail(r, data_at, "%llu bytes for %llu elements of %u bytes", (unsigned long long)size,
                 (unsigned long long)need, d->width);
}

static int64_t dense_int(const dense *d, uint64_t i) {
  assert(i < d->count && (d->splat || d->packed || (i + 1) * d->width <= d->bytes));
  if (d->splat) i = 0;
  if (d->packed) return d->data[i / 8] >> (i % 8) & 1;
  uint64_t value = load(d->data + i * d->width, d->width);
  return d->element.kind == 'b' ? value != 0 : extended(value, &d->element);
}

static void put_hex(shape_strbuf *out, const dense *d) {
  assert(d->data);
  static const char DIGITS[] = "0123456789ABCDEF";
  strbuf_puts(out, "\"0x");
  for (uint32_t i = 0; i < d->bytes; i++) {
    char two[2] = {DIGITS[d->data[i] >> 4], DIGITS[d->data[i] & 15]};
    strbuf_add(out, two, 2);
  }
  strbuf_putc(out, '"');
}

static void put_one(shape_strbuf *out, const dense *d, uint64_t i) {
  assert(i < d->count && !d->splat);
  if (d->element.kind == 'b') {
    strbuf_puts(out, dense_int(d, i) ? "true" : "false");
  } else {
    put_element(out, &d->element, d->data + i * d->width);
  }
}

// [[1, 2], [3, 4]]
static void put_nested(shape_strbuf *out, const dense *d) {
  uint64_t inner[BC_RANK_MAX + 1];
  assert(d->rank <= BC_RANK_MAX);
  inner[d->rank] = 1;
  for (uint32_t k = d->rank; k-- > 0;) inner[k] = inner[k + 1] * (uint64_t)d->dims[k];
  for (uint64_t i = 0; i < d->count; i++) {
    if (i) strbuf_puts(out, ", ");
    for (uint32_t k = 0; k < d->rank; k++) {
      if (i % inner[k] == 0) strbuf_putc(out, '[');
    }
    put_one(out, d, i);
    for (uint32_t k = 0; k < d->rank; k++) {
      if ((i + 1) % inner[k] == 0) strbuf_putc(out, ']');
    }
  }
}

void bc_dense(bc_cursor *c, shape_strbuf *out, bool bytes_allowed) {
  bc_reader *r = c->r;
  dense d;
  if (!read_dense(c, &d, bytes_allowed)) return;
  bool large = d.count > DENSE_TRACKED && !d.splat;
  if (large && !r->whole) {
    strbuf_puts(out, "dense_resource<__elided__> : ");
  } else {
    strbuf_puts(out, "dense<");
    if (!d.count) {
      // Nothing.
    } else if (d.splat) {
      if (d.element.kind == 'b') {
        strbuf_puts(out, d.data[0] ? "true" : "false");
      } else if (d.element.bits > 64) {
        put_hex(out, &d);
      } else {
        put_element(out, &d.element, d.data);
      }
    } else if (d.element.bits > 64 || (large && d.element.kind != 'b')) {
      put_hex(out, &d);
    } else {
      put_nested(out, &d);
    }
    strbuf_puts(out, "> : ");
  }
  strbuf_add(out, d.type.text, d.type.length);
}

void bc_dense_array(bc_cursor *c, shape_strbuf *out) {
  bc_reader *r = c->r;
  size_t at = bc_offset(c);
  uint32_t type = bc_type(c);
  uint64_t count = bc_varint(c);
  size_t size_at = bc_offset(c);
  uint64_t size = bc_varint(c);
  bc_slice text = bc_type_text(r, type);
  bc_element e = bc_element_of(text);
  const unsigned char *data = r->failed ? NULL : bc_take(c, size);
  if (!data) return;
  if (e.kind == '?' || e.kind == 'c' || !e.bits || e.bits > 64) {
    bc_fail(r, at, "expected an integer or float type of an array, found type %u, which is none",
            type);
    return;
  }
  uint32_t width = bc_element_bytes(&e);
  if (count > size || count * width != size) {
    bc_fail(r, size_at, "%llu bytes for %llu elements of %u bytes", (unsigned long long)size,
            (unsigned long long)count, width);
    return;
  }
  strbuf_puts(out, "array<");
  strbuf_add(out, text.text, text.length);
  for (uint64_t i = 0; i < count; i++) {
    strbuf_puts(out, i ? ", " : ": ");
    if (e.kind == 'b') {
      strbuf_puts(out, data[i] ? "true" : "false");
    } else {
      put_element(out, &e, data + i * width);
    }
  }
  strbuf_putc(out, '>');
}

void bc_dense_strings(bc_cursor *c, shape_strbuf *out) {
  bc_reader *r = c->r;
  size_t at = bc_offset(c);
  uint32_t index = bc_type(c);
  bc_slice type = bc_type_text(r, index), element;
  uint64_t splat = bc_varint(c), count;
  dense d = {.type = type};
  if (r->failed) return;
  if (!bc_shape_of(type, d.dims, &d.rank, &count, &element)) {
    bc_fail(r, at, "expected a static shape of dense strings, found type %u, which has none",
            index);
    return;
  }
  if (!splat && count > bc_left(c)) {
    bc_fail(r, at, "%llu strings, %zu bytes are left", (unsigned long long)count, bc_left(c));
    return;
  }
  strbuf_puts(out, "dense<");
  if (splat) bc_put_quoted(out, bc_string(c));
  uint64_t inner[BC_RANK_MAX + 1];
  inner[d.rank] = 1;
  for (uint32_t k = d.rank; k-- > 0;) inner[k] = inner[k + 1] * (uint64_t)d.dims[k];
  for (uint64_t i = 0; !splat && i < count && !r->failed; i++) {
    if (i) strbuf_puts(out, ", ");
    for (uint32_t k = 0; k < d.rank; k++) {
      if (i % inner[k] == 0) strbuf_putc(out, '[');
    }
    bc_put_quoted(out, bc_string(c));
    for (uint32_t k = 0; k < d.rank; k++) {
      if ((i + 1) % inner[k] == 0) strbuf_putc(out, ']');
    }
  }
  strbuf_puts(out, "> : ");
  strbuf_add(out, type.text, type.length);
}

// --- as data

bool bc_dense_ints(bc_reader *r, uint32_t attr, const int64_t **values, uint32_t *count,
                   bool *splat) {
  uint64_t code;
  bc_cursor c;
  dense d;
  bool vhlo = false;
  if (!bc_open_attr(r, attr, "builtin", &code, &c) || code != BUILTIN_DENSE) {
    vhlo = bc_open_attr(r, attr, "vhlo", &code, &c) && code == VHLO_TENSOR;
    if (!vhlo) return false;
  }
  if (!read_dense(&c, &d, vhlo)) return false;
  if (d.element.kind == 'f' || d.element.kind == 'c' || d.element.bits > 64) return false;
  if (d.count > UINT32_MAX / 16 || (d.splat && d.count > DENSE_TRACKED)) return false;
  int64_t *made = arena_alloc(r->arena, ((size_t)d.count + 1) * sizeof *made);
  *splat = d.count > 0;
  for (uint32_t i = 0; i < d.count; i++) {
    made[i] = dense_int(&d, i);
    *splat &= made[i] == made[0];
  }
  *values = made;
  *count = (uint32_t)d.count;
  return true;
}
