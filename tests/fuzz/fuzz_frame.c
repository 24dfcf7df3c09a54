// SPDX-License-Identifier: Apache-2.0
// A stream cut in pieces gives the same events as the whole, nothing over the limit is handed out, and the reader holds
// no more than a bounded multiple of the limit.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/frame/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LIMIT = 200, EVENTS = 64 };

typedef struct events {
  int kinds[EVENTS];
  size_t lengths[EVENTS];
  unsigned count;
} events;

static bool drain(frame_reader *r, events *e) {
  const char *text;
  size_t length;
  for (;;) {
    frame_event event = frame_next(r, &text, &length);
    if (event == FRAME_MORE) return true;
    if (event == FRAME_MESSAGE && length > LIMIT) abort();
    if (event == FRAME_MESSAGE && length) {
      volatile char last = text[length - 1];
      (void)last;
    }
    if (e->count < EVENTS) {
      e->kinds[e->count] = event;
      // How long an oversize line is is known only when it is seen whole.
      e->lengths[e->count++] = event == FRAME_MESSAGE ? length : 0;
    }
    if (event == FRAME_INVALID) return false;
  }
}

static void feed(const uint8_t *data, size_t size, size_t step, events *e) {
  frame_reader r;
  frame_init(&r, LIMIT);
  memset(e, 0, sizeof *e);
  bool good = true;
  for (size_t at = 0; at < size && good;) {
    size_t room;
    char *to = frame_room(&r, &room);
    size_t n = size - at < step ? size - at : step;
    if (!to || !room) abort();
    if (n > room) n = room;
    memcpy(to, data + at, n);
    frame_filled(&r, n);
    at += n;
    good = drain(&r, e);
    if (good && r.end - r.start > LIMIT + FRAME_HEADER_MAX + FRAME_ROOM) abort();
  }
  frame_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  events whole, pieces;
  feed(data, size, size ? size : 1, &whole);
  feed(data, size, 1 + size % 7, &pieces);
  if (whole.count != pieces.count || memcmp(whole.kinds, pieces.kinds, sizeof whole.kinds) != 0 ||
      memcmp(whole.lengths, pieces.lengths, sizeof whole.lengths) != 0) {
    abort();
  }
  return 0;
}
