// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/batch/sha256.h"

#include <string.h>
#if defined(__x86_64__) && defined(__GLIBC__) && __has_include(<sys/platform/x86.h>)
#define SHA_OF_PROCESSOR
#include <immintrin.h>
#include <sys/platform/x86.h>
#endif

// FIPS 180-4, section 4.2.2.
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, unsigned by) { return x >> by | x << (32 - by); }

static void compress_portable(uint32_t state[8], const uint8_t *block) {
  uint32_t w[64];
  for (unsigned i = 0; i < 16; i++) {
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  }
  for (unsigned i = 16; i < 64; i++) {
    uint32_t low = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint32_t high = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + low + w[i - 7] + high;
  }
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
#pragma GCC unroll 8  // then the words change their names and not their registers
  for (unsigned i = 0; i < 64; i++) {
    uint32_t t1 = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i];
    uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

#ifdef SHA_OF_PROCESSOR
#define ON_SHA __attribute__((target("sha,sse4.1")))

// Instructions for these steps hold the words as (f, e, b, a) and (h, g, d, c), the lowest lane first.
ON_SHA static void compress_x86(uint32_t state[8], const uint8_t *block) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i *words = (__m128i *)state, w[4];
  __m128i ab = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xb1);
  __m128i gh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1b);
  const __m128i first = _mm_alignr_epi8(ab, gh, 8), second = _mm_blend_epi16(gh, ab, 0xf0);
  __m128i feba = first, hgdc = second;
#pragma GCC unroll 16
  for (unsigned i = 0; i < 16; i++) {
    __m128i *now = &w[i % 4];
    if (i < 4) {
      *now = _mm_loadu_si128((const __m128i *)(block + 16 * (size_t)i));
      *now = _mm_shuffle_epi8(*now, big_endian);
    } else {
      const __m128i last = w[(i + 3) % 4];
      *now = _mm_sha256msg1_epu32(*now, w[(i + 1) % 4]);
      *now = _mm_add_epi32(*now, _mm_alignr_epi8(last, w[(i + 2) % 4], 4));
      *now = _mm_sha256msg2_epu32(*now, last);
    }
    const __m128i sum = _mm_add_epi32(*now, _mm_loadu_si128((const __m128i *)(K + 4 * (size_t)i)));
    hgdc = _mm_sha256rnds2_epu32(hgdc, feba, sum);
    feba = _mm_sha256rnds2_epu32(feba, hgdc, _mm_shuffle_epi32(sum, 0x0e));
  }
  ab = _mm_shuffle_epi32(_mm_add_epi32(feba, first), 0x1b);
  gh = _mm_shuffle_epi32(_mm_add_epi32(hgdc, second), 0xb1);
  _mm_storeu_si128(words, _mm_blend_epi16(ab, gh, 0xf0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(gh, ab, 8));
}

// What the loader found when the process started: to execute CPUID costs 40 microseconds in a virtual machine.
static bool has_sha(void) { return CPU_FEATURE_ACTIVE(SHA) && CPU_FEATURE_ACTIVE(SSE4_1); }
#endif

static void compress(sha256 *h, const uint8_t *block) {
#ifdef SHA_OF_PROCESSOR
  if (h->by_processor) {
    compress_x86(h->state, block);
    return;
  }
#endif
  compress_portable(h->state, block);
}

void sha256_init(sha256 *h) {
  *h = (sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                          0x1f83d9ab, 0x5be0cd19}};
#ifdef SHA_OF_PROCESSOR
  h->by_processor = has_sha();
#endif
}

void sha256_add(sha256 *h, const void *data, size_t length) {
  const uint8_t *at = data;
  while (length) {
    size_t used = h->length % 64, room = 64 - used, take = length < room ? length : room;
    if (take == 64) {
      compress(h, at);
    } else {
      memcpy(h->block + used, at, take);
      if (take == room) compress(h, h->block);
    }
    h->length += take;
    at += take;
    length -= take;
  }
}

void sha256_text(sha256 *h, char out[SHA256_TEXT]) {
  uint64_t bits = 8 * h->length;
  uint8_t end[8];
  for (unsigned i = 0; i < 8; i++) end[i] = (uint8_t)(bits >> (56 - 8 * i));
  static const uint8_t padding[64] = {0x80};
  sha256_add(h, padding, 1 + (119 - h->length % 64) % 64);
  sha256_add(h, end, 8);
  for (unsigned i = 0; i < SHA256_TEXT - 1; i++)
    out[i] = "0123456789abcdef"[h->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
  out[SHA256_TEXT - 1] = 0;
}

void sha256_of(const void *data, size_t length, char out[SHA256_TEXT]) {
  sha256 h;
  sha256_init(&h);
  sha256_add(&h, data, length);
  sha256_text(&h, out);
}
