// SPDX-License-Identifier: Apache-2.0
// The protocol buffers wire format, read in place and never past the end.
// Source: Protocol Buffers documentation, "Encoding". ONNX has no groups: those of a writer's own
// fields are stepped over, as parsers do with fields that they do not know.
// A message is a window of bytes; fields come in any order. Nothing is copied, so a payload that is stepped over is
// never touched (the pages of a model's weights stay on disk).
#ifndef SHAPE_FORMATS_ONNX_WIRE_H
#define SHAPE_FORMATS_ONNX_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wire_span {
  const uint8_t *data;
  size_t size;
} wire_span;

typedef enum wire_type {
  WIRE_VARINT = 0,
  WIRE_FIXED64 = 1,
  WIRE_BYTES = 2,
  WIRE_GROUP = 3,      // fields follow up to WIRE_GROUP_END of the same number
  WIRE_GROUP_END = 4,  // neither is a field that wire_next gives
  WIRE_FIXED32 = 5
} wire_type;

typedef struct wire_field {
  uint32_t number;
  wire_type type;
  uint64_t value;   // VARINT, FIXED64, FIXED32
  wire_span bytes;  // BYTES
} wire_field;

typedef struct wire_reader {
  const uint8_t *at, *end;
  bool malformed;  // the rest is not well-formed; `at` is where
} wire_reader;

static inline wire_reader wire_open(wire_span message) {
  // Nothing may be added to NULL, not even 0.
  const uint8_t *end = message.size ? message.data + message.size : message.data;
  return (wire_reader){message.data, end, false};
}
enum { WIRE_GROUPS_MAX = 100 };  // in one another: what the parsers of Protocol Buffers take
// The next field; false at the end of the message, or when it is not well-formed (then reader->invalid).
bool wire_next_any(wire_reader *reader, wire_field *field);
// Most fields are numbers or bytes whose key and number or length have one byte each.
static inline bool wire_next(wire_reader *reader, wire_field *field) {
  size_t left = (size_t)(reader->end - reader->at);
  if (left >= 2 && !reader->malformed) {
    uint32_t key = reader->at[0], value = reader->at[1];
    bool plain = ((key | value) & 0x80) == 0 && key >> 3;
    if (plain && (key & 7) == WIRE_BYTES && value <= left - 2) {
      *field = (wire_field){key >> 3, WIRE_BYTES, 0, {reader->at + 2, value}};
      reader->at += 2 + value;
      return true;
    }
    if (plain && (key & 7) == WIRE_VARINT) {
      *field = (wire_field){key >> 3, WIRE_VARINT, value, {NULL, 0}};
      reader->at += 2;
      return true;
    }
  }
  return wire_next_any(reader, field);
}
// The next one of that number.
bool wire_next_of(wire_reader *reader, uint32_t number, wire_field *field);
bool wire_varint(wire_reader *reader, uint64_t *value);
// Why bytes that a reader refused are not well-formed, as half a sentence, and where that is. `list`: they are packed numbers
// of `width` (see below), not fields. Reads them again: only for messages.
enum { WIRE_WHY = 120 };
const uint8_t *wire_explain(wire_span bytes, bool list, unsigned width, char why[WIRE_WHY]);

// A repeated number that may be packed (one BYTES field) or not (one field each): calls once per element.
// width: 0 varint, 4 or 8 fixed. False when the packed bytes are not whole elements.
typedef bool wire_number(void *data, uint64_t value);
bool wire_each_number(const wire_field *field, unsigned width, wire_number *each, void *data);

// The last field of that number, which is what a reader of a singular field must take; false when absent.
bool wire_find(wire_span message, uint32_t number, wire_field *field);

#endif
