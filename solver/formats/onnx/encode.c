// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/encode.h"

#include <assert.h>

// The length of a message that is not written as yet has this many bytes, more than it may need: numbers of the wire
// format may be padded.
enum { LENGTH_BYTES = 5 };

static void put_varint(shape_strbuf *out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) strbuf_putc(out, (char)(value | 0x80));
  strbuf_putc(out, (char)value);
}

static void put_key(shape_strbuf *out, uint32_t field, wire_type type) {
  put_varint(out, (uint64_t)field << 3 | type);
}

static void put_fixed(shape_strbuf *out, uint64_t bits, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) strbuf_putc(out, (char)(bits >> (8 * i)));
}

void encode_integer(shape_strbuf *out, uint32_t field, uint64_t value) {
  put_key(out, field, WIRE_VARINT);
  put_varint(out, value);
}

void encode_float(shape_strbuf *out, uint32_t field, double value) {
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  put_key(out, field, WIRE_FIXED32);
  put_fixed(out, bits, sizeof bits);
}

void encode_double(shape_strbuf *out, uint32_t field, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_key(out, field, WIRE_FIXED64);
  put_fixed(out, bits, sizeof bits);
}

void encode_bytes(shape_strbuf *out, uint32_t field, const char *bytes, size_t length) {
  put_key(out, field, WIRE_BYTES);
  put_varint(out, length);
  strbuf_add(out, bytes, length);
}

uint32_t encode_open(shape_strbuf *out, uint32_t field) {
  put_key(out, field, WIRE_BYTES);
  strbuf_add(out, "\0\0\0\0", LENGTH_BYTES);  // with the NUL at its end
  return out->length;
}

void encode_close(shape_strbuf *out, uint32_t from) {
  uint32_t length = out->length - from;
  assert(from >= LENGTH_BYTES && out->length >= from);
  for (unsigned i = 0; i < LENGTH_BYTES; i++, length >>= 7)
    out->data[from - LENGTH_BYTES + i] =
        (char)((length & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}
