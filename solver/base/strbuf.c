// SPDX-License-Identifier: Apache-2.0
#include "solver/base/strbuf.h"

#include <assert.h>
#include <stdio.h>

enum { CHUNK = 1 << 16 };  // handed to a sink when reached

void strbuf_init(shape_strbuf *buf, shape_arena *arena) {
  memset(buf, 0, sizeof *buf);
  buf->arena = arena;
}

void strbuf_init_sink(shape_strbuf *buf, shape_arena *arena,
                      void (*sink)(void *to, const char *data, size_t length), void *to) {
  strbuf_init(buf, arena);
  buf->sink = sink;
  buf->sink_to = to;
}

void strbuf_flush(shape_strbuf *buf) {
  if (buf->sink && buf->length) {
    assert(buf->length <= buf->capacity);
    buf->sink(buf->sink_to, buf->data, buf->length);
    buf->length = 0;
  }
}

void strbuf_reserve(shape_strbuf *buf, size_t extra) {
  if (buf->sink && buf->length >= CHUNK / 2) {
    arena_poll(buf->arena);
    strbuf_flush(buf);
  }
  size_t need = (size_t)buf->length + extra;
  if (need < CHUNK && buf->sink) need = CHUNK;
  if (need > buf->capacity) {
    buf->data = arena_grow(buf->arena, buf->data, buf->length, need, &buf->capacity, 1);
  }
  assert(extra <= buf->capacity - buf->length);
}

const char *strbuf_text(shape_strbuf *buf) {
  strbuf_reserve(buf, 1);
  buf->data[buf->length] = 0;
  return buf->data;
}

static const char PAIRS[] = "0001020304050607080910111213141516171819202122232425262728293031323334"
                            "3536373839404142434445464748"
                            "4950515253545556575859606162636465666768697071727374757677787980818283"
                            "8485868788899091929394959697"
                            "9899";

const uint64_t TEXT_POWERS[20] = {0,
                                  10,
                                  100,
                                  1000,
                                  10000,
                                  100000,
                                  1000000,
                                  10000000,
                                  100000000,
                                  1000000000,
                                  10000000000,
                                  100000000000,
                                  1000000000000,
                                  10000000000000,
                                  100000000000000,
                                  1000000000000000,
                                  10000000000000000,
                                  100000000000000000,
                                  1000000000000000000,
                                  10000000000000000000U};

char *text_put_int(char *to, int64_t value) {
  if (value >= 0 && value < 10) {
    *to = (char)('0' + value);
    return to + 1;
  }
  if (value >= 0 && value < 100) {
    memcpy(to, PAIRS + 2 * value, 2);
    return to + 2;
  }
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  if (value < 0) *to++ = '-';
  char *end = to + text_digits(rest), *at = end;
  for (; rest >= 100; rest /= 100) memcpy(at -= 2, PAIRS + 2 * (rest % 100), 2);
  if (rest >= 10) {
    memcpy(at -= 2, PAIRS + 2 * rest, 2);
  } else {
    *--at = (char)('0' + rest);
  }
  assert(at == to);
  return end;
}

void strbuf_int(shape_strbuf *buf, int64_t value) {
  if (TEXT_INT > buf->capacity - buf->length) strbuf_reserve(buf, TEXT_INT);
  buf->length = (uint32_t)(text_put_int(buf->data + buf->length, value) - buf->data);
}

void strbuf_vprintf(shape_strbuf *buf, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  if (length > 0) {
    strbuf_reserve(buf, (size_t)length + 1);
    vsnprintf(buf->data + buf->length, (size_t)length + 1, format, again);
    buf->length += (uint32_t)length;
  }
  va_end(again);
}

const char *arena_vprintf(shape_arena *arena, const char *format, va_list args) {
  shape_strbuf text;
  strbuf_init(&text, arena);
  strbuf_vprintf(&text, format, args);
  return strbuf_text(&text);
}

void strbuf_printf(shape_strbuf *buf, const char *format, ...) {
  va_list args;
  va_start(args, format);
  strbuf_vprintf(buf, format, args);
  va_end(args);
}
