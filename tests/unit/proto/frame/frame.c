// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "proto/frame/frame.h"

// Feeds a stream in steps of `step` bytes and writes its events as "M:text|L|B|".
static void events(const char *stream, size_t length, size_t limit, size_t step, char *out) {
  frame_reader r;
  const char *text;
  size_t size;
  frame_init(&r, limit);
  *out = 0;
  for (size_t at = 0; at < length;) {
    size_t room, n = length - at < step ? length - at : step;
    char *to = frame_room(&r, &room);
    cr_assert(to && room);
    if (n > room) n = room;
    memcpy(to, stream + at, n);
    frame_filled(&r, n);
    at += n;
    for (;;) {
      frame_event event = frame_next(&r, &text, &size);
      if (event == FRAME_MORE) break;
      if (event == FRAME_MESSAGE) sprintf(out + strlen(out), "M:%.*s|", (int)size, text);
      if (event == FRAME_TOO_LONG) strcat(out, "L|");
      if (event == FRAME_INVALID) {
        strcat(out, "B|");
        at = length;
        break;
      }
    }
  }
  if (frame_finish(&r, &text, &size) == FRAME_MESSAGE) {
    sprintf(out + strlen(out), "E:%.*s|", (int)size, text);
  }
  frame_free(&r);
}

static void expect(const char *stream, size_t limit, const char *want) {
  char got[4096];
  for (size_t step = 1; step <= strlen(stream); step++) {
    events(stream, strlen(stream), limit, step, got);
    cr_assert_str_eq(got, want, "step %zu: %s", step, got);
  }
}

Test(frame, lines) {
  expect("{\"a\": 1}\n[2]\r\n\n  \n3\n", 100, "M:{\"a\": 1}|M:[2]|M:3|");
  expect("\n\n {}\n", 100, "M:{}|");
  expect("{}\nContent-Length: 2\n", 100, "M:{}|M:Content-Length: 2|");
}

Test(frame, last_line_without_its_end) { expect("1\n{\"a\"} ", 100, "M:1|E:{\"a\"}|"); }

Test(frame, headers) {
  expect("Content-Length: 2\r\n\r\n{}Content-Length: 0\r\n\r\n", 100, "M:{}|M:|");
  expect("content-length:3\nX-Other: y\n\n[1]\r\nContent-Length: 1\r\n\r\n7", 100, "M:[1]|M:7|");
}

Test(frame, a_line_over_the_limit_is_skipped) {
  expect("123456\n1\n", 5, "L|M:1|");
  expect("12345\n1\n", 5, "M:12345|M:1|");
}

Test(frame, a_body_over_the_limit_is_skipped) {
  expect("Content-Length: 6\r\n\r\n123456Content-Length: 1\r\n\r\n1", 5, "L|M:1|");
}

Test(frame, what_makes_no_sense_breaks) {
  expect("GET / HTTP/1.1\r\n\r\n", 100, "B|");
  expect("Content-Length: x\r\n\r\n", 100, "B|");
  expect("Content-Length: 99999999999999999999999999\r\n\r\n", 100, "B|");
  expect("Content-Length: 1\r\nContent-Length: 1\r\n\r\n", 100, "B|");
  expect("Other: 1\r\n\r\n", 100, "B|");
  expect("\x16\x03", 100, "B|");
}

Test(frame, headers_are_bounded) {
  char stream[8192], got[64];
  memset(stream, 'A', sizeof stream);
  events(stream, sizeof stream, 100, 100, got);
  cr_assert_str_eq(got, "B|");
}

Test(frame, replies_are_framed_alike) {
  char head[48];
  cr_assert_eq(frame_head(FRAME_LINES, 5, head), 0);
  cr_assert_str_eq(frame_tail(FRAME_LINES), "\n");
  size_t length = frame_head(FRAME_HEADERS, 123, head);
  cr_assert_eq(length, strlen("Content-Length: 123\r\n\r\n"));
  cr_assert_eq(memcmp(head, "Content-Length: 123\r\n\r\n", length), 0);
}

Test(frame, a_large_message_does_not_keep_its_memory) {
  frame_reader r;
  size_t room, size, total = 1 << 20;
  const char *text;
  frame_init(&r, 2 * total);
  for (size_t at = 0; at < total;) {
    char *to = frame_room(&r, &room);
    size_t n = total - at < room ? total - at : room;
    memset(to, '1', n);
    if (at + n == total) to[n - 1] = '\n';
    frame_filled(&r, n);
    at += n;
    frame_event event = frame_next(&r, &text, &size);
    cr_assert_eq(event, at == total ? FRAME_MESSAGE : FRAME_MORE);
  }
  frame_room(&r, &room);
  cr_assert_leq(r.capacity, (size_t)4 * FRAME_ROOM);
  frame_free(&r);
}

// Memory for a message is taken as its bytes come, never much more than the limit, and given back.
Test(frame, buffers_grow_with_what_arrives) {
  enum { LIMIT = 1 << 20 };
  frame_reader r;
  const char *text;
  size_t bytes, length, sent = 0;
  frame_init(&r, LIMIT);
  cr_assert(!frame_is_partial(&r) && frame_growth(&r) == FRAME_ROOM);
  char *room = frame_room(&r, &bytes);
  int head = sprintf(room, "Content-Length: %d\r\n\r\n", LIMIT);
  frame_filled(&r, (size_t)head);
  cr_assert_eq(frame_next(&r, &text, &length), FRAME_MORE);
  cr_assert(frame_is_partial(&r) && r.capacity == FRAME_ROOM && frame_growth(&r) == 0);
  while (sent < LIMIT) {
    size_t before = r.capacity, growth = frame_growth(&r);
    room = frame_room(&r, &bytes);
    cr_assert_eq(r.capacity - before, growth);
    if (bytes > LIMIT - sent) bytes = LIMIT - sent;
    memset(room, 'x', bytes);
    frame_filled(&r, bytes);
    sent += bytes;
    cr_assert(r.capacity <= 2 * (sent + FRAME_ROOM) && r.capacity <= LIMIT + 2 * FRAME_ROOM);
    cr_assert_eq(frame_next(&r, &text, &length), sent < LIMIT ? FRAME_MORE : FRAME_MESSAGE);
    cr_assert_eq(frame_is_partial(&r), sent < LIMIT);
  }
  cr_assert(length == LIMIT && r.capacity >= LIMIT);
  frame_trim(&r);
  cr_assert(r.capacity == 0 && r.start == r.end);
  frame_free(&r);
}
