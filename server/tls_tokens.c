// SPDX-License-Identifier: Apache-2.0
#ifdef HAVE_LIBSSL

#include "server/tls_tokens.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool add(tls_tokens *tokens, const char *line, size_t length) {
  if (length < TOKEN_BYTES_MIN || length > TOKEN_BYTES_MAX || tokens->count == TOKENS_MAX) {
    return false;
  }
  SHA256((const unsigned char *)line, length, tokens->digests[tokens->count++]);
  return true;
}

static bool read_lines(tls_tokens *tokens, FILE *file, const char *path, char *error, size_t size) {
  char line[TOKEN_BYTES_MAX + 3];
  bool good = true, comment = false;  // what is read next goes on with one
  for (unsigned number = 1; good && fgets(line, sizeof line, file);) {
    size_t length = strcspn(line, "\r\n");
    bool whole = line[length] || feof(file), skipped = comment || !length || *line == '#';
    comment = !whole && skipped && length;
    if (!skipped) good = whole && add(tokens, line, length);
    if (!good) {
      snprintf(error, size,
               "token-file: %s:%u: a token has %d to %d bytes, and there are at most %d", path,
               number, TOKEN_BYTES_MIN, TOKEN_BYTES_MAX, TOKENS_MAX);
    }
    number += whole;
  }
  OPENSSL_cleanse(line, sizeof line);
  if (good && !tokens->count) {
    snprintf(error, size, "token-file: there is no token in %s", path);
    good = false;
  }
  return good;
}

bool tls_tokens_read(tls_tokens *tokens, const char *path, char *error, size_t size) {
  struct stat info;
  tokens->count = 0;
  FILE *file = fopen(path, "r");
  if (!file || fstat(fileno(file), &info) != 0) {
    snprintf(error, size, "token-file: cannot read %s: %s", path, strerror(errno));
    if (file) fclose(file);
    return false;
  }
  bool good = !(info.st_mode & S_IRWXO);
  if (!good) snprintf(error, size, "token-file: others may read or write %s", path);
  good = good && read_lines(tokens, file, path, error, size);
  fclose(file);
  return good;
}

void tls_tokens_digest(const char *token, size_t length, unsigned char digest[TOKEN_DIGEST]) {
  SHA256((const unsigned char *)token, length, digest);
}

bool tls_tokens_hold(const tls_tokens *tokens, const unsigned char digest[TOKEN_DIGEST]) {
  unsigned equal = 0;
  // No early end, so that the time says nothing of which token it was or how much of it was right.
  for (unsigned i = 0; i < tokens->count; i++) {
    equal |= CRYPTO_memcmp(digest, tokens->digests[i], TOKEN_DIGEST) == 0;
  }
  return equal != 0;
}

#else
typedef int tls_tokens_are_absent;
#endif
