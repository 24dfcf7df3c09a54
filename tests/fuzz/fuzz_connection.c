// SPDX-License-Identifier: Apache-2.0
// A whole connection: bytes arrive at a daemon in pieces, the loop and a worker do what they do, and the connection ends
// with nothing under way and nothing left. What a client of lines hears is JSON, line by line. The first byte of the
// input says how large the pieces are, and whether the client says that it is done or just goes.
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/fuzz/support/daemon.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PATIENCE_NS = 1000000000 };

static void check_lines(const heard_text *heard) {
  if (!heard->length) return;
  shape_arena arena;
  const char *clean, *at = heard->data, *stop = heard->data + heard->length, *end;
  size_t length;
  json_error error;
  const json_limits limits = {0, JSON_DEPTH_MOST};
  arena_init(&arena, 0);
  for (; at < stop; at = end + 1) {
    end = memchr(at, '\n', (size_t)(stop - at));
    if (!end) break;  // the client went away in the middle of it
    if (!json_gate(&arena, &limits, at, (size_t)(end - at), &clean, &length, &error)) abort();
  }
  arena_destroy(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static server *s;
  if (!s) s = fuzz_daemon();
  if (!size) return 0;
  unsigned how = data[0];
  heard_text heard = {0};
  int fd = fuzz_connect(s->config.socket);
  uv_run(&s->loop, UV_RUN_NOWAIT);
  fuzz_say(s, fd, data + 1, size - 1, (how & 63) ? how & 63 : size, &heard);
  bool polite = how & 64, open = true;
  if (polite) {
    shutdown(fd, SHUT_WR);
  } else {
    close(fd);
  }
  uint64_t end = uv_hrtime() + 20ull * PATIENCE_NS;
  while (s->connections || s->active || s->metrics.in_flight) {
    if (uv_hrtime() > end) abort();  // it hangs
    uv_run(&s->loop, UV_RUN_NOWAIT);
    if (polite && open) open = fuzz_hear(fd, &heard);
  }
  if (polite) {
    fuzz_hear(fd, &heard);
    close(fd);
  }
  size_t blank = 1;
  while (blank < size && strchr(" \t\r\n", data[blank])) blank++;
  bool headers = blank < size && ((data[blank] | 32) >= 'a' && (data[blank] | 32) <= 'z');
  if (!headers) check_lines(&heard);
  free(heard.data);
  return 0;
}
