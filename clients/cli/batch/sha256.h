// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4, section 6.2), for content hashes. Here, because linking a library of cryptography into the command
// line costs each of its starts more than most analyses take.
#ifndef SHAPE_CLI_BATCH_SHA256_H
#define SHAPE_CLI_BATCH_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sha256 {
  uint32_t state[8];
  uint64_t length;    // bytes so far
  bool by_processor;  // it has instructions for this; tests set it to false
  uint8_t block[64];
} sha256;

enum { SHA256_TEXT = 65 };  // hexadecimal digits and a NUL

void sha256_init(sha256 *h);
void sha256_add(sha256 *h, const void *data, size_t length);
void sha256_text(sha256 *h, char out[SHA256_TEXT]);  // ends the hash
void sha256_of(const void *data, size_t length, char out[SHA256_TEXT]);

#endif
