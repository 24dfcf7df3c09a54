// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/wire.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool long_varint(wire_reader *r, uint64_t *value) {
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

// Most keys and lengths have one byte or two.
static inline bool varint(wire_reader *r, uint64_t *value) {
  if (r->at != r->end && !(*r->at & 0x80)) {
    *value = *r->at++;
    return true;
  }
  if (r->end - r->at < 2 || r->at[1] & 0x80) return long_varint(r, value);
  *value = (uint64_t)(r->at[0] & 0x7f) | (uint64_t)r->at[1] << 7;
  r->at += 2;
  return true;
}

bool wire_varint(wire_reader *r, uint64_t *value) { return varint(r, value); }

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

static inline bool bytes(wire_reader *r, wire_span *out) {
  uint64_t size;
  if (!varint(r, &size)) return false;
  if (size > (uint64_t)(r->end - r->at)) {
    r->malformed = true;
    return false;
  }
  *out = (wire_span){r->at, (size_t)size};
  r->at += size;
  return true;
}

static inline bool next_key(wire_reader *r, wire_field *field) {
  uint64_t key;
  if (!varint(r, &key)) return false;
  *field = (wire_field){.number = (uint32_t)(key >> 3), .type = (wire_type)(key & 7)};
  if (key >> 32 || !field->number) r->malformed = true;
  return !r->malformed;
}

// What follows the key; false where that is no field of its own.
static inline bool field_value(wire_reader *r, wire_field *field) {
  switch (field->type) {
  case WIRE_BYTES: return bytes(r, &field->bytes);
  case WIRE_VARINT: return varint(r, &field->value);
  case WIRE_FIXED64: return fixed(r, 8, &field->value);
  case WIRE_FIXED32: return fixed(r, 4, &field->value);
  default: r->malformed = true; return false;
  }
}

// The rest of a group of that number, and the groups in it. O(bytes).
static bool skip_group(wire_reader *r, uint32_t number) {
  uint32_t open[WIRE_GROUPS_MAX], depth = 0;
  wire_field f;
  open[depth++] = number;
  while (depth && next_key(r, &f)) {
    if (f.type == WIRE_GROUP && depth < WIRE_GROUPS_MAX)
      open[depth++] = f.number;
    else if (f.type == WIRE_GROUP_END && open[depth - 1] == f.number)
      depth--;
    else if (!field_value(r, &f))
      return false;
  }
  return !depth;
}

static inline bool next_field(wire_reader *r, wire_field *field) {
  while (!r->malformed && r->at != r->end) {
    if (!next_key(r, field)) return false;
    if (field->type != WIRE_GROUP) return field_value(r, field);
    if (!skip_group(r, field->number)) return false;
  }
  return false;
}

bool wire_next_any(wire_reader *r, wire_field *field) { return next_field(r, field); }

// Steps over fields of bytes that have another number, as long as keys and lengths have one byte.
static inline void step_over(wire_reader *r, uint32_t number) {
  assert(r->at <= r->end);
  while (!r->malformed && r->end - r->at >= 2) {
    uint32_t key = r->at[0], size = r->at[1];
    bool plain = (key & 0x87) == WIRE_BYTES && key >> 3 && size < 0x80;
    if (!plain || key >> 3 == number || size > (size_t)(r->end - r->at) - 2) return;
    r->at += 2 + size;
  }
}

bool wire_next_of(wire_reader *r, uint32_t number, wire_field *field) {
  do {
    step_over(r, number);
    if (!next_field(r, field)) return false;
  } while (field->number != number);
  return true;
}

typedef struct wire_fault {
  char *why;
  const uint8_t *at;
} wire_fault;

static void fault_set(wire_fault *f, const uint8_t *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void fault_set(wire_fault *f, const uint8_t *at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(f->why, WIRE_WHY, format, args);
  va_end(args);
  f->at = at;
}

static void explain_number(wire_fault *f, wire_reader r, unsigned width) {
  const uint8_t *begin = r.at;
  uint64_t value;
  if (width) {
    fault_set(f, begin, "expected a number of %u bytes, found %zu", width, (size_t)(r.end - begin));
  } else if (wire_varint(&r, &value) || (r.at > begin && !(r.at[-1] & 0x80)) || r.at < r.end) {
    fault_set(f, begin, "expected a number of at most 64 bits, found a longer one");
  } else {
    fault_set(f, begin, "expected the last byte of a number, found the end");
  }
}

static void explain_field(wire_fault *f, wire_reader r) {
  const uint8_t *begin = r.at;
  assert(begin < r.end);
  uint64_t key, size;
  if (!wire_varint(&r, &key)) {
    explain_number(f, (wire_reader){begin, r.end, false}, 0);
    return;
  }
  unsigned type = (unsigned)(key & 7);
  unsigned long long number = key >> 3;
  const uint8_t *value = r.at;
  if (!number || key >> 32) {
    fault_set(f, begin, "expected a field of 1 to %u, found field %llu", (1u << 29) - 1, number);
  } else if (type == WIRE_FIXED64 || type == WIRE_FIXED32) {
    explain_number(f, r, type == WIRE_FIXED64 ? 8 : 4);
  } else if (type == WIRE_BYTES && wire_varint(&r, &size)) {
    fault_set(f, value, "expected the %llu bytes of field %llu, found %zu",
              (unsigned long long)size, number, (size_t)(r.end - r.at));
  } else if (type == WIRE_BYTES || type == WIRE_VARINT) {
    explain_number(f, (wire_reader){value, r.end, false}, 0);
  } else if (type == WIRE_GROUP) {
    skip_group(&r, (uint32_t)number);
    fault_set(f, r.at, "expected the end of the group of field %llu, found %s", number,
              r.at == r.end ? "the end" : "what is no field of it");
  } else if (type == WIRE_GROUP_END) {
    fault_set(f, begin, "expected a field, found the end of a group of field %llu", number);
  } else {
    fault_set(f, begin, "expected a wire type of 0 to 5 for field %llu, found %u", number, type);
  }
}

// Past the groups that are well-formed in front of what is not.
static wire_reader after_groups(wire_reader r) {
  wire_reader next = r;
  wire_field f;
  while (next_key(&next, &f) && f.type == WIRE_GROUP && skip_group(&next, f.number)) r = next;
  return r;
}

const uint8_t *wire_explain(wire_span bytes, bool list, unsigned width, char why[WIRE_WHY]) {
  assert(list || !width);
  assert(width == 0 || width == 4 || width == 8);
  wire_fault f = {why, bytes.data};
  wire_reader r = wire_open(bytes), before = r;
  wire_field field;
  uint64_t value;
  why[0] = 0;
  if (list) {
    while (r.at != r.end && (width ? fixed(&r, width, &value) : wire_varint(&r, &value)))
      before = r;
    if (r.malformed) explain_number(&f, before, width);
  } else {
    while (wire_next(&r, &field)) before = r;
    if (r.malformed) explain_field(&f, after_groups(before));
  }
  assert(f.at == bytes.data || f.at <= bytes.data + bytes.size);
  assert(!r.malformed == !why[0]);
  return f.at;
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
  while (wire_next_of(&r, number, &f)) {
    *field = f;
    found = true;
  }
  return found;
}
