// SPDX-License-Identifier: Apache-2.0
// Where a short JSON string ends. Most strings of a program have fewer than 32 bytes, and a reader meets six of them in
// each operation, so they are inspected 16 bytes at a time where the processor compares that many at once (SSE2, which
// every x86-64 has), else eight.
#ifndef SHAPE_FORMATS_JSON_QUOTE_H
#define SHAPE_FORMATS_JSON_QUOTE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#else
#include "solver/formats/json/utf8.h"
#endif

enum { QUOTE_NEAR = 32 };

// In portable C: words of eight bytes, the lowest byte first.
static inline const char *quote_near_words(const char *at, const char *end) {
  const uint64_t each = UINT64_C(0x0101010101010101);
  if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) return NULL;
  for (int i = 0; i < QUOTE_NEAR / 8 && end - at >= 8; i++, at += 8) {
    uint64_t word, quote, slash;
    memcpy(&word, at, 8);
    quote = word ^ each * '"';
    slash = word ^ each * '\\';
    // The lowest bit is that of the first byte which is 0; those above it may be wrong.
    uint64_t stop = (((quote - each) & ~quote) | ((slash - each) & ~slash)) & each << 7;
    if (stop) return at + __builtin_ctzll(stop) / 8;
  }
  return NULL;
}

// The quote or backslash next at or after `at`, where it is one of the next QUOTE_NEAR bytes, or NULL. NULL too where it
// is so close to `end` that no whole word is left: the caller then looks byte by byte.
static inline const char *quote_near(const char *at, const char *end) {
#ifdef __SSE2__
  for (int i = 0; i < QUOTE_NEAR / 16 && end - at >= 16; i++, at += 16) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i stop = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    unsigned found = (unsigned)_mm_movemask_epi8(stop);
    if (found) return at + (unsigned)__builtin_ctz(found);
  }
  return NULL;
#else
  return quote_near_words(at, end);
#endif
}

#ifdef __SSE2__
// A bit for each byte that JSON has in a string as it is, and that is ASCII.
static inline unsigned plain_bits(__m128i bytes) {
  // With one bit turned a quote comes after the controls, before the rest; bytes beyond ASCII are less than 0 here.
  __m128i plain = _mm_cmpgt_epi8(_mm_xor_si128(bytes, _mm_set1_epi8(2)), _mm_set1_epi8(' '));
  plain = _mm_andnot_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')), plain);
  return (unsigned)_mm_movemask_epi8(plain);
}
// For each other byte.
static inline unsigned special_bits(__m128i bytes) { return plain_bits(bytes) ^ 0xffff; }
#endif

enum { SPECIAL_BLOCK = 64 };

// A bit for each of 64 bytes that JSON has not as it is in a string (a quote, a backslash, a control), or that is not
// ASCII; the first byte has the lowest.
static inline uint64_t special_of_block(const char *at) {
#ifdef __SSE2__
  const __m128i *from = (const __m128i *)(const void *)at;
  uint64_t low = plain_bits(_mm_loadu_si128(from)) | plain_bits(_mm_loadu_si128(from + 1)) << 16;
  uint64_t high = plain_bits(_mm_loadu_si128(from + 2)) | plain_bits(_mm_loadu_si128(from + 3))
                                                              << 16;
  return ~(low | high << 32);
#else
  uint64_t bits = 0;
  for (int i = 0; i < SPECIAL_BLOCK; i++) {
    unsigned char c = (unsigned char)at[i];
    bits |= (uint64_t)(c < 0x20 || c >= 0x80 || c == '"' || c == '\\') << i;
  }
  return bits;
#endif
}

// Copies 16 bytes; whether a JSON string has all of them as they are, and they are ASCII.
static inline bool put_plain_sixteen(char *to, const char *from) {
#ifdef __SSE2__
  __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)from);
  _mm_storeu_si128((__m128i *)(void *)to, bytes);
  return !special_bits(bytes);
#else
  uint64_t first, last;
  memcpy(&first, from, 8);
  memcpy(&last, from + 8, 8);
  memcpy(to, from, 16);
  return !(bytes_special(first) | bytes_special(last));
#endif
}

// The byte next at or after `at` that JSON has not as it is in a string (a quote, a backslash, a control), or that is not
// ASCII, where it is one of the next QUOTE_NEAR bytes, or NULL; NULL too as above, and without SSE2.
static inline const char *special_near(const char *at, const char *end) {
#ifdef __SSE2__
  for (int i = 0; i < QUOTE_NEAR / 16 && end - at >= 16; i++, at += 16) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    unsigned found = special_bits(bytes);
    if (found) return at + (unsigned)__builtin_ctz(found);
  }
#else
  (void)at, (void)end;
#endif
  return NULL;
}

// The same where fewer than 16 bytes are left of a text of at least 16: its last 16 are inspected. `start`: of the text.
static inline const char *special_at_end(const char *start, const char *at, const char *end) {
#ifdef __SSE2__
  if (end - at < 16 && end - start >= 16) {
    __m128i last = _mm_loadu_si128((const __m128i *)(const void *)(end - 16));
    unsigned found = special_bits(last) >> (16 - (end - at));
    if (found) return at + (unsigned)__builtin_ctz(found);
  }
#else
  (void)start, (void)at, (void)end;
#endif
  return NULL;
}

#endif
