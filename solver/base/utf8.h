// SPDX-License-Identifier: Apache-2.0
// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
#ifndef SHAPE_BASE_UTF8_H
#define SHAPE_BASE_UTF8_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of the valid sequence at `at` (1 to 4), or 0 when there is none.
static inline uint32_t utf8_sequence(const unsigned char *at, size_t left) {
  unsigned c = at[0];
  if (c < 0x80) return 1;
  if (c < 0xc2 || c > 0xf4) return 0;
  uint32_t length = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
  if (left < length) return 0;
  for (uint32_t i = 1; i < length; i++) {
    if ((at[i] & 0xc0) != 0x80) return 0;
  }
  if (c == 0xe0 && at[1] < 0xa0) return 0;
  if (c == 0xed && at[1] > 0x9f) return 0;
  if (c == 0xf0 && at[1] < 0x90) return 0;
  if (c == 0xf4 && at[1] > 0x8f) return 0;
  return length;
}

// Whether a text is valid and has no byte 0.
static inline bool utf8_is_text(const char *bytes, size_t length) {
  for (size_t i = 0; i < length;) {
    uint32_t n = bytes[i] ? utf8_sequence((const unsigned char *)bytes + i, length - i) : 0;
    if (!n) return false;
    i += n;
  }
  return true;
}

// At most `most` of the bytes, and no part of a character at the end.
static inline size_t utf8_cut(const char *bytes, size_t length, size_t most) {
  if (length <= most) return length;
  while (most && ((unsigned char)bytes[most] & 0xc0) == 0x80) most--;
  return most;
}

// Whether a valid sequence is one that a terminal obeys or that moves the text beside it: controls (C0, C1), line
// separators, and what sets the direction of text (UAX #9: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).
static inline bool utf8_is_control(const unsigned char *at, uint32_t length) {
  if (length == 1) return at[0] < 0x20 || at[0] == 0x7f;
  if (length == 2) return (at[0] == 0xc2 && at[1] < 0xa0) || (at[0] == 0xd8 && at[1] == 0x9c);
  if (length != 3 || at[0] != 0xe2) return false;
  unsigned c = 0x2000 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
  return c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

// Writes the sequence of a code point (not a surrogate, at most U+10FFFF); returns its length.
static inline uint32_t utf8_encode(uint32_t c, char out[4]) {
  assert(c <= 0x10ffff);
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  if (c < 0x800) {
    out[0] = (char)(0xc0 | c >> 6);
    out[1] = (char)(0x80 | (c & 0x3f));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = (char)(0xe0 | c >> 12);
    out[1] = (char)(0x80 | (c >> 6 & 0x3f));
    out[2] = (char)(0x80 | (c & 0x3f));
    return 3;
  }
  out[0] = (char)(0xf0 | c >> 18);
  out[1] = (char)(0x80 | (c >> 12 & 0x3f));
  out[2] = (char)(0x80 | (c >> 6 & 0x3f));
  out[3] = (char)(0x80 | (c & 0x3f));
  return 4;
}

// The value of a hexadecimal digit, or -1.
static inline int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

#endif
