// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/wire.h"

#include <assert.h>
#include <string.h>

bool wire_varint(wire_reader *r, uint64_t *value) {
  uint64_t result = 0;
  assert(r->at <= r->end);
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (r->at == r->end) break;
    uint8_t byte = *r->at++;
    if (shift == 63 && byte > 1) break;
    result |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) {
      *value = result;
      return true;
    }
  }
  r->malformed = true;
  return false;
}

static bool fixed(wire_reader *r, size_t size, uint64_t *value) {
  assert(r->at <= r->end);
  if ((size_t)(r->end - r->at) < size) {
    r->malformed = true;
    return false;
  }
  *value = 0;
  for (size_t i = 0; i < size; i++) *value |= (uint64_t)r->at[i] << (8 * i);
  r->at += size;
  return true;
}

static bool bytes(wire_reader *r, wire_span *out) {
  uint64_t size;
  if (!wire_varint(r, &size)) return false;
  if (size > (uint64_t)(r->end - r->at)) {
    r->malformed = true;
    return false;
  }
  *out = (wire_span){r->at, (size_t)size};
  r->at += size;
  return true;
}

bool wire_next(wire_reader *r, wire_field *field) {
  if (r->malformed || r->at == r->end) return false;
  uint64_t key;
  if (!wire_varint(r, &key)) return false;
  *field = (wire_field){.number = (uint32_t)(key >> 3), .type = (wire_type)(key & 7)};
  if (key >> 32 || !field->number) {
    r->malformed = true;
    return false;
  }
  switch (field->type) {
  case WIRE_VARINT: return wire_varint(r, &field->value);
  case WIRE_FIXED64: return fixed(r, 8, &field->value);
  case WIRE_FIXED32: return fixed(r, 4, &field->value);
  case WIRE_BYTES: return bytes(r, &field->bytes);
  default: r->malformed = true; return false;
  }
}

bool wire_each_number(const wire_field *field, unsigned width, wire_number *each, void *data) {
  assert(width == 0 || width == 4 || width == 8);
  if (field->type != WIRE_BYTES) return each(data, field->value);
  wire_reader r = wire_open(field->bytes);
  uint64_t value;
  while (r.at != r.end) {
    if (!(width ? fixed(&r, width, &value) : wire_varint(&r, &value))) return false;
    if (!each(data, value)) return false;
  }
  return true;
}

bool wire_find(wire_span message, uint32_t number, wire_field *field) {
  wire_reader r = wire_open(message);
  wire_field f;
  bool found = false;
  while (wire_next(&r, &f)) {
    if (f.number == number) {
      *field = f;
      found = true;
    }
  }
  return found;
}
