// SPDX-License-Identifier: Apache-2.0
// Text that grows, in an arena. With a sink, full chunks are handed on and the buffer stays small, so that an answer of
// any length needs constant memory.
#ifndef SHAPE_BASE_STRBUF_H
#define SHAPE_BASE_STRBUF_H

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "solver/base/arena.h"

typedef struct shape_strbuf {
  shape_arena *arena;
  char *data;  // `length` bytes; NUL only after strbuf_text
  uint32_t length, capacity;
  void (*sink)(void *to, const char *data, size_t length);  // NULL: keep everything
  void *sink_to;
} shape_strbuf;

void strbuf_init(shape_strbuf *buf, shape_arena *arena);
void strbuf_init_sink(shape_strbuf *buf, shape_arena *arena,
                      void (*sink)(void *to, const char *data, size_t length), void *to);
// The same with room for a text of the length that is expected.
static inline void strbuf_init_room(shape_strbuf *buf, shape_arena *arena, uint32_t room) {
  *buf = (shape_strbuf){.arena = arena, .data = arena_alloc(arena, room), .capacity = room};
}
void strbuf_flush(shape_strbuf *buf);  // hands the rest to the sink
void strbuf_reserve(shape_strbuf *buf, size_t extra);
const char *strbuf_text(shape_strbuf *buf);  // NUL-terminated; valid until the next change
void strbuf_int(shape_strbuf *buf, int64_t value);
void strbuf_printf(shape_strbuf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void strbuf_vprintf(shape_strbuf *buf, const char *format, va_list args);
// A text of its own, in the arena.
const char *arena_vprintf(shape_arena *arena, const char *format, va_list args);

// Copies a text and returns its end. Most texts are short, and a call costs more than copying them: in pieces of fixed
// length, which may overlap.
static inline char *text_put(char *to, const char *text, size_t length) {
  uint64_t first, last;
  if (length > 64) {
    memcpy(to, text, length);
  } else if (length > 16) {
    for (size_t i = 0; i < length - 16; i += 16) memcpy(to + i, text + i, 16);
    memcpy(to + length - 16, text + length - 16, 16);
  } else if (length >= 8) {
    memcpy(&first, text, 8);
    memcpy(&last, text + length - 8, 8);
    memcpy(to, &first, 8);
    memcpy(to + length - 8, &last, 8);
  } else if (length >= 4) {
    memcpy(&first, text, 4);
    memcpy(&last, text + length - 4, 4);
    memcpy(to, &first, 4);
    memcpy(to + length - 4, &last, 4);
  } else if (length) {
    to[0] = text[0];
    to[length / 2] = text[length / 2];
    to[length - 1] = text[length - 1];
  }
  return to + length;
}
// The same in pieces of 16 bytes alone, where TEXT_SLACK more than the text can be read and written: for texts that are
// copied again and again.
enum { TEXT_SLACK = 16 };
static inline char *text_put_pieces(char *to, const char *text, size_t length) {
  for (size_t i = 0; i < length; i += 16) memcpy(to + i, text + i, 16);
  return to + length;
}
// The same for an integer, of at most TEXT_INT bytes.
enum { TEXT_INT = 20 };
char *text_put_int(char *to, int64_t value);
// How many digits it has: a third of those in base 2, and one more from a power of ten on.
extern const uint64_t TEXT_POWERS[20];  // of ten, 0 for the first
static inline unsigned text_digits(uint64_t value) {
  unsigned least = (64 - (unsigned)__builtin_clzll(value | 1)) * 1233 >> 12;
  return least + (value >= TEXT_POWERS[least]);
}

static inline void strbuf_add(shape_strbuf *buf, const char *text, size_t length) {
  if (length > buf->capacity - buf->length) strbuf_reserve(buf, length);
  if (length) memcpy(buf->data + buf->length, text, length);
  buf->length += (uint32_t)length;
}
static inline void strbuf_puts(shape_strbuf *buf, const char *text) {
  strbuf_add(buf, text, strlen(text));
}
static inline void strbuf_putc(shape_strbuf *buf, char c) {
  if (buf->length == buf->capacity) strbuf_reserve(buf, 1);
  buf->data[buf->length++] = c;
}

#endif
