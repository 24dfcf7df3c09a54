// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/json/skip.h"

#ifdef __SSE2__

#include <assert.h>
#include <emmintrin.h>

#include "solver/formats/json/utf8.h"

enum { BLOCK = 64 };

// A bit for each byte of a block, the first one lowest.
typedef struct block_masks {
  uint64_t quotes, slashes, opens, closes;
  bool has_zero;
} block_masks;

typedef struct block_state {
  uint64_t in_string;  // all bits where the last block ended in a string, else 0
  uint64_t escaped;    // 1 where its last byte was a backslash that counts
  size_t depth;
} block_state;

static inline uint64_t mask_of(__m128i equal) { return (unsigned)_mm_movemask_epi8(equal); }

static inline uint64_t mask_of_four(__m128i a, __m128i b, __m128i c, __m128i d, char byte) {
  const __m128i wanted = _mm_set1_epi8(byte);
  return mask_of(_mm_cmpeq_epi8(a, wanted)) | mask_of(_mm_cmpeq_epi8(b, wanted)) << 16 |
         mask_of(_mm_cmpeq_epi8(c, wanted)) << 32 | mask_of(_mm_cmpeq_epi8(d, wanted)) << 48;
}

static inline bool any_of_four(__m128i a, __m128i b, __m128i c, __m128i d, char byte) {
  const __m128i wanted = _mm_set1_epi8(byte);
  __m128i low = _mm_or_si128(_mm_cmpeq_epi8(a, wanted), _mm_cmpeq_epi8(b, wanted));
  __m128i high = _mm_or_si128(_mm_cmpeq_epi8(c, wanted), _mm_cmpeq_epi8(d, wanted));
  return _mm_movemask_epi8(_mm_or_si128(low, high)) != 0;
}

// [ and ] are { and } but for one bit.
static inline block_masks masks_of(const char *at) {
  const __m128i *from = (const __m128i *)(const void *)at, bit = _mm_set1_epi8(0x20);
  __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1);
  __m128i c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
  __m128i least = _mm_min_epu8(_mm_min_epu8(a, b), _mm_min_epu8(c, d));
  block_masks m = {.quotes = mask_of_four(a, b, c, d, '"'),
                   .slashes = 0,
                   .has_zero = _mm_movemask_epi8(_mm_cmpeq_epi8(least, _mm_setzero_si128())) != 0};
  if (any_of_four(a, b, c, d, '\\')) m.slashes = mask_of_four(a, b, c, d, '\\');
  a = _mm_or_si128(a, bit);
  b = _mm_or_si128(b, bit);
  c = _mm_or_si128(c, bit);
  d = _mm_or_si128(d, bit);
  m.opens = mask_of_four(a, b, c, d, '{');
  m.closes = mask_of_four(a, b, c, d, '}');
  return m;
}

// Of each run of backslashes every second byte is escaped, and what follows a run of odd length: a subtraction carries
// from the first backslash of a run to the byte after it.
static inline uint64_t escaped_bytes(uint64_t slashes, uint64_t *carry) {
  const uint64_t odd = UINT64_C(0xaaaaaaaaaaaaaaaa);
  uint64_t before = *carry, escaping = slashes & ~before;
  uint64_t ends = (((escaping << 1) | odd) - escaping) ^ odd;
  *carry = (ends & slashes) >> (BLOCK - 1);
  return ends ^ (slashes | before);
}

// Each bit is set where the number of set bits up to it is odd.
static inline uint64_t parities(uint64_t bits) {
  for (unsigned shift = 1; shift < BLOCK; shift *= 2) bits ^= bits << shift;
  return bits;
}

static inline size_t count_of(uint64_t bits) {
  const uint64_t each = UINT64_C(0x0101010101010101);
  bits -= bits >> 1 & each * 0x55;
  bits = (bits & each * 0x33) + (bits >> 2 & each * 0x33);
  return (size_t)(((bits + (bits >> 4)) & each * 0x0f) * each >> 56);
}

typedef enum block_end { BLOCK_GOES_ON, BLOCK_ENDS, BLOCK_IS_ODD } block_end;

// *last: where it ends, the index of the byte that ends it.
static inline block_end take_block(block_state *s, const char *at, unsigned *last) {
  block_masks m = masks_of(at);
  if (m.slashes | s->escaped) m.quotes &= ~escaped_bytes(m.slashes, &s->escaped);
  uint64_t in_string = parities(m.quotes) ^ s->in_string;
  s->in_string = 0 - (in_string >> (BLOCK - 1));
  if (m.has_zero) return BLOCK_IS_ODD;
  uint64_t odd = m.slashes & ~in_string;
  uint64_t opens = m.opens & ~in_string, closes = m.closes & ~in_string;
  size_t closed = count_of(closes);
  if (closed < s->depth) {
    s->depth += count_of(opens) - closed;
    return odd ? BLOCK_IS_ODD : BLOCK_GOES_ON;
  }
  for (uint64_t brackets = opens | closes; brackets; brackets &= brackets - 1) {
    uint64_t lowest = brackets & (0 - brackets);
    s->depth += opens & lowest ? 1 : (size_t)-1;
    if (s->depth) continue;
    *last = (unsigned)__builtin_ctzll(lowest);
    return odd & (lowest - 1) ? BLOCK_IS_ODD : BLOCK_ENDS;
  }
  return odd ? BLOCK_IS_ODD : BLOCK_GOES_ON;
}

const char *skip_nested(shape_arena *arena, const char **polled, const char *at, const char *end) {
  block_state s = {0, 0, 0};
  char rest[BLOCK];
  assert(at < end && (*at == '{' || *at == '['));
  for (; at < end; at += BLOCK) {
    const char *block = at;
    if (end - at < BLOCK) {
      memset(rest, ' ', sizeof rest);
      block = memcpy(rest, at, (size_t)(end - at));
    }
    if (at - *polled >= POLL_BYTES) {
      *polled = at;
      arena_poll(arena);
    }
    unsigned last = 0;
    block_end found = take_block(&s, block, &last);
    if (found == BLOCK_ENDS) return at + last + 1;
    if (found == BLOCK_IS_ODD) return NULL;
  }
  return NULL;
}

#else

const char *skip_nested(shape_arena *arena, const char **polled, const char *at, const char *end) {
  (void)arena, (void)polled, (void)at, (void)end;
  return NULL;
}

#endif
