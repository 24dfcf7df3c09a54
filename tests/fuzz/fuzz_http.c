// SPDX-License-Identifier: Apache-2.0
// Any bytes to the listener of /metrics: at most one answer, whole, of the length that it states, and nothing is left.
// The first byte of the input says how large the pieces are, and whether the client waits for the answer.
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/fuzz/support/daemon.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PATIENCE_NS = 2000000000 };

static void check_answer(const uint8_t *request, size_t size, heard_text *heard) {
  static const char START[] = "HTTP/1.1 ", LENGTH[] = "Content-Length: ";
  if (!heard->length) return;
  heard->data[heard->length] = 0;  // fuzz_hear leaves room
  const char *end = strstr(heard->data, "\r\n\r\n"), *length = strstr(heard->data, LENGTH);
  if (!end || !length || length > end || strncmp(heard->data, START, sizeof START - 1) != 0)
    abort();
  size_t body = heard->length - (size_t)(end + 4 - heard->data);
  bool head = size >= 5 && memcmp(request, "HEAD ", 5) == 0;
  if (head && !body) return;
  if (strtoull(length + sizeof LENGTH - 1, NULL, 10) != body) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static server *s;
  if (!s) s = fuzz_daemon();
  if (!size) return 0;
  unsigned how = data[0];
  heard_text heard = {0};
  int fd = fuzz_connect(s->config.http);
  uv_run(&s->loop, UV_RUN_NOWAIT);
  bool polite = how & 64;
  bool open = fuzz_say(s, fd, data + 1, size - 1, (how & 63) ? how & 63 : size, &heard);
  if (polite) {
    shutdown(fd, SHUT_WR);
  } else {
    close(fd);
  }
  uint64_t end = uv_hrtime() + 20ull * PATIENCE_NS;
  while (s->http_clients) {
    if (uv_hrtime() > end) abort();  // it hangs
    uv_run(&s->loop, UV_RUN_NOWAIT);
    if (polite && open) open = fuzz_hear(fd, &heard);
  }
  uv_run(&s->loop, UV_RUN_NOWAIT);
  if (polite) {
    fuzz_hear(fd, &heard);
    close(fd);
    check_answer(data + 1, size - 1, &heard);
  }
  free(heard.data);
  return 0;
}
