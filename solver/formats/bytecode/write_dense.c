// SPDX-License-Identifier: Apache-2.0
// Elements as bytes: dense<...>, array<...>, and single numbers. Format: BuiltinAttributes.cpp (raw buffers of dense
// elements): row-major, each element in whole bytes, i1 eight to a byte; elements that are all the same are one.
#include <stdio.h>
#include <stdlib.h>

#include "solver/base/decimal.h"
#include "solver/base/utf8.h"
#include "solver/formats/bytecode/writer.h"

// --- one number

static bool hex_bits(bc_slice text, uint64_t *out) {
  *out = 0;
  if (text.length < 3 || text.length > 18 || text.text[0] != '0' || text.text[1] != 'x')
    return false;
  for (uint32_t i = 2; i < text.length; i++) {
    int digit = hex_digit(text.text[i]);
    if (digit < 0) return false;
    *out = *out << 4 | (uint64_t)digit;
  }
  return true;
}

static bool real_bits(bc_slice text, const bc_element *e, uint64_t *out) {
  enum { LONGEST = 128 };
  char copy[LONGEST], *end;
  double value;
  if (!text.length || text.length >= LONGEST) return false;
  if (!decimal_short(text.text, text.length, &value)) {
    memcpy(copy, text.text, text.length);
    copy[text.length] = 0;
    value = strtod(copy, &end);
    if (end != copy + text.length) return false;
  }
  return bc_float_encode(e, value, out);
}

// The bits of a number in the type; false where they are more than 64, or it is none.
static bool number_bits(bc_slice text, const bc_element *e, uint64_t *out) {
  int64_t value;
  if (e->bits > 64 || !e->bits) return false;
  if (bc_is(text, "true") || bc_is(text, "false")) {
    *out = text.text[0] == 't';
    return e->kind == 'b';
  }
  if (hex_bits(text, out)) return true;
  if (e->kind == 'f') return real_bits(text, e, out);
  if (bw_int(text, &value)) {
    *out = (uint64_t)value;
    return true;
  }
  // From 2^63 on.
  uint64_t large = 0;
  for (uint32_t i = 0; i < text.length; i++) {
    unsigned digit = (unsigned)(unsigned char)text.text[i] - '0';
    if (digit > 9 || large > (UINT64_MAX - digit) / 10) return false;
    large = large * 10 + digit;
  }
  *out = large;
  return text.length > 0;
}

// As int(type) and float(type): up to 8 bits a byte, else a varint, not extended by the sign below 64 bits.
bool bw_number(bytecode_writer *w, bc_slice text, bc_slice type, shape_strbuf *out) {
  bc_element e = bc_element_of(type);
  uint64_t bits;
  (void)w;
  if (!number_bits(text, &e, &bits)) return false;
  if (e.bits < 64) bits &= (UINT64_C(1) << e.bits) - 1;
  if (e.bits <= 8) {
    strbuf_putc(out, (char)bits);
  } else {
    bw_svarint(out, (int64_t)bits);
  }
  return true;
}

// --- lists of elements

typedef struct elements {
  bc_element e;
  bc_element part;  // of a complex number
  uint64_t count;   // of the type
  uint32_t width;   // bytes of an element
  shape_strbuf bytes;
  uint64_t numbers;
} elements;

static void put_bits(shape_strbuf *out, const bc_element *e, uint64_t bits) {
  uint32_t width = bc_element_bytes(e);
  assert(width && width <= 8);
  if (e->bits < 64) bits &= (UINT64_C(1) << e->bits) - 1;
  for (uint32_t i = 0; i < width; i++) strbuf_putc(out, (char)(bits >> (8 * i)));
}

static bool is_between(char c) { return c == '[' || c == ']' || c == '(' || c == ')' || c == ','; }

// Brackets and commas say where an element is in the shape; their number is what counts.
static bool read_numbers(bytecode_writer *w, bc_slice text, elements *d) {
  bw_cursor c = bw_open(text);
  while (bw_peek(&c)) {
    if (is_between(*c.at)) {
      c.at++;
      continue;
    }
    const char *from = c.at;
    uint64_t bits;
    while (c.at < c.end && !is_between(*c.at) && (unsigned char)*c.at > ' ') c.at++;
    if (!number_bits((bc_slice){from, (uint32_t)(c.at - from)}, &d->part, &bits)) return false;
    put_bits(&d->bytes, &d->part, bits);
    d->numbers++;
    if (d->numbers % 64 == 0) budget_take(w->budget, 1);
  }
  uint64_t parts = d->e.kind == 'c' ? 2 : 1, whole = d->numbers / parts;
  bool ok = d->numbers % parts == 0;
  d->numbers = whole;
  return ok;
}

// "0x..." is the bytes as they are.
static bool read_bytes(bc_slice text, elements *d, bool *packed) {
  if (text.length < 4 || text.length % 2 || !bc_begins(text, "\"0x")) return false;
  for (uint32_t i = 3; i + 1 < text.length; i += 2) {
    int high = hex_digit(text.text[i]), low = hex_digit(text.text[i + 1]);
    if (high < 0 || low < 0) return false;
    strbuf_putc(&d->bytes, (char)(high << 4 | low));
  }
  *packed = d->e.kind == 'b';
  if (*packed) return d->bytes.length == d->count / 8 + (d->count % 8 != 0);
  if (d->bytes.length % d->width) return false;
  d->numbers = d->bytes.length / d->width;
  return true;
}

static bool all_same(const elements *d) {
  if (d->count < 2 || !d->numbers) return false;
  assert(d->width && d->bytes.length % d->width == 0);
  for (uint64_t i = d->width; i < d->bytes.length; i += d->width) {
    if (memcmp(d->bytes.data, d->bytes.data + i, d->width) != 0) return false;
  }
  return true;
}

static void put_booleans(elements *d, shape_strbuf *out) {
  const char *bytes = d->bytes.data;
  assert(d->e.kind == 'b' && d->numbers == d->bytes.length);
  if (d->numbers == 1 || all_same(d)) {
    bw_varint(out, 1);
    strbuf_putc(out, bytes[0] ? (char)0xff : 0);
    return;
  }
  bw_varint(out, d->numbers / 8 + (d->numbers % 8 != 0));
  for (uint64_t i = 0; i < d->numbers; i += 8) {
    unsigned byte = 0;
    for (uint64_t k = i; k < i + 8 && k < d->numbers; k++)
      byte |= (unsigned)(bytes[k] != 0) << (k - i);
    strbuf_putc(out, (char)byte);
  }
}

static bool put_elements(bytecode_writer *w, bc_slice body, bc_slice type, shape_strbuf *out) {
  elements d = {.count = 0};
  int64_t dims[BC_RANK_MAX];
  uint32_t rank;
  bc_slice element;
  bool packed = false;
  if (!bc_shape_of(type, dims, &rank, &d.count, &element)) return false;
  d.e = d.part = bc_element_of(bw_expand(w, bw_trim(element)));
  if (d.e.kind == '?') return false;
  if (d.e.kind == 'c') d.part.kind = d.e.part;
  d.width = bc_element_bytes(&d.e) * (d.e.kind == 'c' ? 2 : 1);
  if (!d.width) return false;
  strbuf_init(&d.bytes, w->arena);
  body = bw_trim(body);
  bool hex = body.length && body.text[0] == '"';
  if (body.length && !(hex ? read_bytes(body, &d, &packed) : read_numbers(w, body, &d)))
    return false;
  if (!packed && d.numbers != d.count && d.numbers != 1) return false;
  if (d.e.kind == 'b' && d.numbers && !packed) {
    put_booleans(&d, out);
    return true;
  }
  uint32_t length = !packed && all_same(&d) ? d.width : d.bytes.length;
  bw_varint(out, length);
  strbuf_add(out, d.bytes.data, length);
  return true;
}

// dense<["a", "b"]> : tensor<2x!tf_type.string>
static bool put_strings(bytecode_writer *w, bc_slice body, bc_slice type, shape_strbuf *out) {
  bw_cursor c = bw_open(body);
  shape_strbuf list;
  uint64_t count = 0, need;
  int64_t dims[BC_RANK_MAX];
  uint32_t rank;
  bc_slice element;
  if (!bc_shape_of(type, dims, &rank, &need, &element)) return false;
  strbuf_init(&list, w->arena);
  while (bw_peek(&c)) {
    const char *from = c.at;
    if (*c.at != '"') {
      if (!is_between(*c.at++)) return false;
      continue;
    }
    bw_skip_one(&c);
    bw_varint(&list, bw_string(w, bw_unquote(w->arena, (bc_slice){from, (uint32_t)(c.at - from)})));
    count++;
  }
  bool splat = count == 1 && need != 1;
  if (count != need && !splat) return false;
  bw_varint(out, splat);
  strbuf_add(out, list.data, list.length);
  return true;
}

bool bw_dense(bytecode_writer *w, bc_slice text, uint32_t *attr) {
  static const char HEAD[] = "dense";
  bw_cursor c = bw_open(text);
  c.at += sizeof HEAD - 1;
  bc_slice body;
  if (!bw_brackets(&c, &body) || !bw_accept(&c, ":")) return false;
  bc_slice type = bw_expand(w, bw_scan_type(&c));
  if (bw_peek(&c)) return false;
  uint32_t id = bw_type(w, type);
  shape_strbuf out;
  strbuf_init(&out, w->arena);
  bw_varint(&out, w->vhlo ? (unsigned)VHLO_TENSOR : (unsigned)BUILTIN_DENSE);
  bw_varint(&out, id);
  if (!put_elements(w, body, type, &out)) {
    bc_slice trimmed = bw_trim(body);
    bool strings = trimmed.length && strchr("[\"", trimmed.text[0]) && !bc_begins(trimmed, "\"0x");
    if (w->vhlo || !strings) return false;
    out.length = 0;
    bw_varint(&out, BUILTIN_DENSE_STRINGS);
    bw_varint(&out, id);
    if (!put_strings(w, body, type, &out)) return false;
  }
  assert(out.length > 2);  // the kind, the type, what there is
  *attr = bw_add_entry(w, &w->attrs, w->vhlo ? "vhlo" : "builtin", true, 0, &out);
  return true;
}

// array<i64: 1, 2>. VHLO has those of i64 and i1 as tensors.
bool bw_dense_array(bytecode_writer *w, bc_slice text, uint32_t *attr) {
  static const char HEAD[] = "array<";
  bw_cursor c = bw_open(bw_inside(text, sizeof HEAD - 1));
  bc_slice type = bw_expand(w, bw_scan_type(&c));
  elements d = {.e = bc_element_of(type)};
  bool known = d.e.kind == 'i' || d.e.kind == 'b' || d.e.kind == 'f' || d.e.kind == 'u';
  if (!known || !d.e.bits || d.e.bits > 64 || (!bw_accept(&c, ":") && bw_peek(&c))) return false;
  bc_slice body = {c.at, (uint32_t)(c.end - c.at)};
  d.part = d.e;
  d.width = bc_element_bytes(&d.e);
  strbuf_init(&d.bytes, w->arena);
  if (!read_numbers(w, body, &d)) return false;
  if (w->vhlo) {
    if (!bc_is(type, "i64") && d.e.kind != 'b') return false;
    bc_slice dense = bw_text(w->arena, "dense<%s%.*s%s> : tensor<%llux%.*s>", d.numbers ? "[" : "",
                             (int)body.length, body.text, d.numbers ? "]" : "",
                             (unsigned long long)d.numbers, (int)type.length, type.text);
    return bw_dense(w, dense, attr);
  }
  uint32_t id = bw_type(w, type);
  shape_strbuf out;
  strbuf_init(&out, w->arena);
  bw_varint(&out, BUILTIN_DENSE_ARRAY);
  bw_varint(&out, id);
  bw_varint(&out, d.numbers);
  bw_varint(&out, d.bytes.length);
  strbuf_add(&out, d.bytes.data, d.bytes.length);
  *attr = bw_add_entry(w, &w->attrs, "builtin", true, 0, &out);
  return true;
}
