// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/batch/sha256.h"

#include <stdio.h>
#include <string.h>

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

static void compress(sha256 *h, const uint8_t *block) {
  uint32_t w[64], s[8];
  for (unsigned i = 0; i < 16; i++) {
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  }
  for (unsigned i = 16; i < 64; i++) {
    uint32_t a = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint32_t b = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + a + w[i - 7] + b;
  }
  memcpy(s, h->state, sizeof s);
  for (unsigned i = 0; i < 64; i++) {
    uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    uint32_t t1 = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + choice + K[i] + w[i];
    uint32_t t2 = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + majority;
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (unsigned i = 0; i < 8; i++) h->state[i] += s[i];
}

void sha256_init(sha256 *h) {
  *h = (sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                          0x1f83d9ab, 0x5be0cd19}};
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
  for (unsigned i = 0; i < 8; i++) snprintf(out + 8 * (size_t)i, 9, "%08x", h->state[i]);
}

void sha256_of(const void *data, size_t length, char out[SHA256_TEXT]) {
  sha256 h;
  sha256_init(&h);
  sha256_add(&h, data, length);
  sha256_text(&h, out);
}
