// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/plain.h"

#include <string.h>

#include "proto/json/text.h"

static void print(FILE *to, const char *text, size_t length, bool lines) {
  const unsigned char *at = (const unsigned char *)text, *end = at + length;
  while (at < end) {
    uint32_t n = utf8_sequence(at, (size_t)(end - at));
    if (n && (!utf8_is_control(at, n) || (lines && *at == '\n'))) {
      fwrite(at, 1, n, to);
    } else {
      fputc('?', to);
    }
    at += n ? n : 1;
  }
}

void print_plain(FILE *to, const char *text) { print(to, text, strlen(text), false); }

void print_plain_lines(FILE *to, const char *text, size_t length) { print(to, text, length, true); }
