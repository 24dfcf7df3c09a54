// SPDX-License-Identifier: Apache-2.0
// Any bytes to the listener of /metrics: at most one answer, whole, of the length that it states, and nothing is left.
// The first byte of the input says how large the pieces are, and whether the client waits for the answer.
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/support/daemon.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_answer(const uint8_t *request, size_t size, heard_text *heard) {
  static const char START[] = "HTTP/1.1 ", LENGTH[] = "Content-Length: ";
  if (!heard->length) return;
  heard->data[heard->length] = 0;  // there is room after what was heard
  const char *end = strstr(heard->data, "\r\n\r\n"), *length = strstr(heard->data, LENGTH);
  if (!end || !length || length > end || strncmp(heard->data, START, sizeof START - 1) != 0)
    abort();
  size_t body = heard->length - (size_t)(end + 4 - heard->data);
  bool head = size >= 5 && memcmp(request, "HEAD ", 5) == 0;
  if (head && !body) return;
  if (strtoull(length + sizeof LENGTH - 1, NULL, 10) != body) abort();
}

static bool is_busy(const server *s) { return s->http_clients; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static server *s;
  if (!s) s = fuzz_daemon();
  if (!size) return 0;
  heard_text heard = {0};
  if (fuzz_talk(s, s->config.http, data, size, is_busy, &heard))
    check_answer(data + 1, size - 1, &heard);
  free(heard.data);
  return 0;
}
