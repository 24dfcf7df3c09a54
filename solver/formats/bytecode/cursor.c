// SPDX-License-Identifier: Apache-2.0
// Numbers and strings. Format: MLIR Bytecode Format, "Common Blocks".
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "solver/formats/bytecode/reader.h"

bool bc_fail(bc_reader *r, size_t offset, const char *format, ...) {
  if (r->failed) return false;
  r->failed = true;
  r->error->offset = offset;
  char *to = r->error->message;
  size_t room = sizeof r->error->message;
  int length = snprintf(to, room, "MLIR bytecode, byte %zu: ", offset);
  va_list args;
  va_start(args, format);
  vsnprintf(to + length, room - (size_t)length, format, args);
  va_end(args);
  for (; *to; to++) {
    if ((unsigned char)*to < 0x20 || (unsigned char)*to >= 0x7f) *to = '?';
  }
  return false;
}

bc_cursor bc_range(bc_reader *r, size_t at, size_t size) {
  assert(at <= r->length && size <= r->length - at);
  return (bc_cursor){r, r->bytes + at, r->bytes + at + size};
}

static void fail_short(bc_cursor *c, const char *what) {
  bc_fail(c->r, bc_offset(c), "%s is cut off: the section or entry ends here", what);
  c->at = c->end;
}

uint64_t bc_varint_slow(bc_cursor *c) {
  assert(c->at <= c->end && c->end <= c->r->bytes + c->r->length);
  if (c->at == c->end) {
    fail_short(c, "a number");
    return 0;
  }
  unsigned first = *c->at, more = first ? (unsigned)__builtin_ctz(first) : 8;
  if (bc_left(c) < more + 1) {
    fail_short(c, "a number");
    return 0;
  }
  uint64_t value = 0;
  for (unsigned i = more; i > 0; i--) value = value << 8 | c->at[i];
  // Of nine bytes the first holds no part of the value.
  if (more < 8) value = (value << 8 | first) >> (more + 1);
  c->at += more + 1;
  return value;
}

int64_t bc_svarint(bc_cursor *c) {
  uint64_t value = bc_varint(c);
  return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

uint8_t bc_byte(bc_cursor *c) {
  if (c->at < c->end) return *c->at++;
  fail_short(c, "a byte");
  return 0;
}

const unsigned char *bc_take(bc_cursor *c, uint64_t count) {
  if (bc_left(c) < count) {
    bc_fail(c->r, bc_offset(c), "%llu bytes are announced, %zu are left", (unsigned long long)count,
            bc_left(c));
    c->at = c->end;
    return NULL;
  }
  const unsigned char *from = c->at;
  assert(from <= c->end);
  c->at += count;
  return from;
}

uint32_t bc_count_of(bc_cursor *c, size_t at, uint64_t count, const char *what) {
  bc_fail(c->r, at, "%llu %s are announced, %zu bytes are left", (unsigned long long)count, what,
          bc_left(c));
  c->at = c->end;
  return 0;
}

uint32_t bc_index_of(bc_cursor *c, size_t at, uint64_t value, uint64_t limit, const char *what) {
  if (value < limit) return (uint32_t)value;
  bc_fail(c->r, at, "index %llu of %llu %s", (unsigned long long)value, (unsigned long long)limit,
          what);
  c->at = c->end;
  return BC_NONE;
}

bc_slice bc_string(bc_cursor *c) {
  uint32_t index = bc_index(c, c->r->strings.count, "strings");
  return index == BC_NONE ? (bc_slice){"", 0} : c->r->strings.items[index];
}

uint32_t bc_attr(bc_cursor *c) { return bc_index(c, c->r->attrs.count, "attributes"); }

uint32_t bc_type(bc_cursor *c) { return bc_index(c, c->r->types.count, "types"); }

uint32_t bc_optional_attr(bc_cursor *c) {
  size_t at = bc_offset(c);
  uint64_t value = bc_varint(c);
  if (c->r->failed || !(value & 1)) {
    if (value) bc_fail(c->r, at, "expected 0 or the index of an attribute");
    return BC_NONE;
  }
  return bc_index_of(c, at, value >> 1, c->r->attrs.count, "attributes");
}

void bc_end(bc_cursor *c, const char *what) {
  if (c->at < c->end)
    bc_fail(c->r, bc_offset(c), "expected the end after %s, found %zu bytes", what, bc_left(c));
}

bc_cursor bc_section(bc_cursor *c, unsigned *id) {
  bc_reader *r = c->r;
  size_t at = bc_offset(c);
  unsigned head = bc_byte(c);
  uint64_t length = bc_varint(c);
  *id = head & 0x7f;
  if (head & 0x80) {
    uint64_t alignment = bc_varint(c);
    if (!r->failed && (!alignment || (alignment & (alignment - 1)) || alignment > r->length))
      bc_fail(r, at, "expected a power of two as the alignment, found %llu",
              (unsigned long long)alignment);
    while (!r->failed && bc_offset(c) & (alignment - 1)) {
      size_t padding = bc_offset(c);
      if (bc_byte(c) != 0xcb) bc_fail(r, padding, "expected a byte 0xcb of padding");
    }
  }
  if (!r->failed && length > bc_left(c)) {
    bc_fail(r, at, "section %u has %llu bytes, %zu are left", *id, (unsigned long long)length,
            bc_left(c));
  }
  if (r->failed) return (bc_cursor){r, c->end, c->end};
  assert(length <= bc_left(c));
  bc_cursor inner = {r, c->at, c->at + length};
  c->at += length;
  return inner;
}
