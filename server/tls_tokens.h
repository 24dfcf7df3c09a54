// SPDX-License-Identifier: Apache-2.0
// The bearer tokens that a file lists: one a line of 16 to 255 bytes, empty lines and those that begin with '#' skipped.
// Only digests are kept. A file that others than its owner and group may read is refused.
#ifndef SERVER_TLS_TOKENS_H
#define SERVER_TLS_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum { TOKENS_MAX = 64, TOKEN_DIGEST = 32, TOKEN_BYTES_MIN = 16, TOKEN_BYTES_MAX = 255 };

typedef struct tls_tokens {
  unsigned count;
  unsigned char digests[TOKENS_MAX][TOKEN_DIGEST];
} tls_tokens;

bool tls_tokens_read(tls_tokens *tokens, const char *path, char *error, size_t size);
void tls_tokens_digest(const char *token, size_t length, unsigned char digest[TOKEN_DIGEST]);
bool tls_tokens_hold(const tls_tokens *tokens, const unsigned char digest[TOKEN_DIGEST]);

#endif
