// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/base64.h"

#include <stdint.h>

static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_decode(const char *text, size_t length, char *out, size_t *out_length) {
  size_t used = 0;
  if (length % 4) return false;
  size_t pad = 0;
  while (pad < 2 && length && text[length - 1 - pad] == '=') pad++;
  for (size_t i = 0; i < length; i += 4) {
    size_t here = i + 4 == length ? 4 - pad : 4;
    uint32_t bits = 0;
    for (size_t k = 0; k < 4; k++) {
      int d = k < here ? digit(text[i + k]) : 0;
      if (d < 0) return false;
      bits = bits << 6 | (uint32_t)d;
    }
    // Bits after the last byte are zero, so that every text has one meaning and every meaning one text.
    if ((here == 3 && bits & 0xff) || (here == 2 && bits & 0xffff)) return false;
    out[used++] = (char)(bits >> 16);
    if (here > 2) out[used++] = (char)(bits >> 8);
    if (here > 3) out[used++] = (char)bits;
  }
  *out_length = used;
  return true;
}

size_t base64_encode(const char *data, size_t length, char *out) {
  const unsigned char *in = (const unsigned char *)data;
  size_t used = 0;
  for (size_t i = 0; i < length; i += 3) {
    size_t here = length - i < 3 ? length - i : 3;
    uint32_t bits = (uint32_t)in[i] << 16;
    if (here > 1) bits |= (uint32_t)in[i + 1] << 8;
    if (here > 2) bits |= in[i + 2];
    out[used++] = ALPHABET[bits >> 18];
    out[used++] = ALPHABET[bits >> 12 & 63];
    out[used++] = here > 1 ? ALPHABET[bits >> 6 & 63] : '=';
    out[used++] = here > 2 ? ALPHABET[bits & 63] : '=';
  }
  return used;
}
