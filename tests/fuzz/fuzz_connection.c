// SPDX-License-Identifier: Apache-2.0
// A whole connection: bytes arrive at a daemon in pieces, the loop and a worker do what they do, and the connection ends
// with nothing under way and nothing left. What a client of lines hears is JSON, line by line. The first byte of the
// input says how large the pieces are, and whether the client says that it is done or just goes.
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/support/daemon.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_lines(const heard_text *heard) {
  if (!heard->length) return;
  shape_arena arena;
  const char *clean, *at = heard->data, *stop = heard->data + heard->length, *end;
  size_t length;
  json_error error;
  const json_limits limits = {0, JSON_DEPTH_MAX};
  arena_init(&arena, 0);
  for (; at < stop; at = end + 1) {
    end = memchr(at, '\n', (size_t)(stop - at));
    if (!end) break;  // the client went away in the middle of it
    if (!json_validate(&arena, &limits, at, (size_t)(end - at), &clean, &length, &error)) abort();
  }
  arena_destroy(&arena);
}

static bool is_busy(const server *s) {
  return s->connections.first || s->jobs.active || s->metrics.in_flight;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static server *s;
  if (!s) s = fuzz_daemon();
  if (!size) return 0;
  heard_text heard = {0};
  fuzz_talk(s, s->config.socket, data, size, is_busy, &heard);
  size_t blank = 1;
  while (blank < size && strchr(" \t\r\n", data[blank])) blank++;
  bool headers = blank < size && ((data[blank] | 32) >= 'a' && (data[blank] | 32) <= 'z');
  if (!headers) check_lines(&heard);
  free(heard.data);
  return 0;
}
