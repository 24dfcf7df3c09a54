// SPDX-License-Identifier: Apache-2.0
// UTF-8 of JSON texts: skipping what needs no escape, and writing code points.
#ifndef SHAPE_FORMATS_JSON_UTF8_H
#define SHAPE_FORMATS_JSON_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "solver/base/arena.h"
#include "solver/base/utf8.h"

// The high bit of each byte of `word` that is below `least` (at most 128); above the first such byte bits may be wrong.
static inline uint64_t bytes_below(uint64_t word, unsigned least) {
  return (word - UINT64_C(0x0101010101010101) * least) & ~word & UINT64_C(0x8080808080808080);
}

// Not 0 where one of eight bytes is none that a JSON string holds as it is: what is not ASCII, a control, a quote or a
// backslash. The lowest bit that is set says the first such byte; those above it may be wrong.
static inline uint64_t bytes_special(uint64_t word) {
  const uint64_t each = UINT64_C(0x0101010101010101);
  return (word & each << 7) | bytes_below(word, 0x20) | bytes_below(word ^ each * '"', 1) |
         bytes_below(word ^ each * '\\', 1);
}

// Skips bytes eight at a time that a JSON string holds as they are: ASCII, no control, quote or backslash.
// Up to seven of them may be left before the end of the text; the caller inspects those one by one.
static inline const char *skip_plain(const char *at, const char *end) {
  uint64_t word;
  for (; end - at >= 8; at += 8) {
    memcpy(&word, at, 8);
    uint64_t other = bytes_special(word);
    if (!other) continue;
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) break;
    return at + __builtin_ctzll(other) / 8;  // the lowest bit is right, those above it may not be
  }
  return at;
}

enum { POLL_BYTES = 1 << 18 };  // of text between two checks whether the job of an arena goes on

// skip_plain, and a check of the job where the string is long.
static inline const char *skip_text(shape_arena *arena, const char *at, const char *end) {
  while (end - at > POLL_BYTES) {
    const char *stop = at + POLL_BYTES;
    at = skip_plain(at, stop);
    if (stop - at >= 8) return at;
    arena_poll(arena);
  }
  return skip_plain(at, end);
}

#endif
