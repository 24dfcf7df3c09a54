// SPDX-License-Identifier: Apache-2.0
// Replies on their way out: framing, order, and clients that do not read.
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/server/daemon.h"

static server_reply *reply_of(connection *c, const char *text, size_t times) {
  server_reply *r = reply_new(0);
  for (size_t i = 0; i < times; i++) strbuf_puts(&r->out, text);
  flow_count_reply(c, r);
  return r;
}

static void expect_received(int fd, const char *text) {
  char heard[512];
  ssize_t n = recv(fd, heard, sizeof heard - 1, MSG_DONTWAIT);
  heard[n < 0 ? 0 : n] = 0;
  cr_expect_str_eq(heard, text);
}

Test(writer, replies_go_out_in_their_order_when_they_are_flushed) {
  daemon *d = daemon_with_client("");
  d->c->reader.mode = FRAME_LINES;
  server_reply *first = reply_of(d->c, "1", 1), *second = reply_of(d->c, "2", 1);
  first->next = second;
  connection_send(d->c, first, second);
  server_reply *third = reply_of(d->c, "3", 1);
  connection_send(d->c, third, third);
  cr_expect_eq(d->c->out.bytes, 6);
  expect_received(d->fd, "");
  connection_flush(d->c);
  expect_received(d->fd, "1\n2\n3\n");
  connection_flush(d->c);
  expect_received(d->fd, "");
  cr_expect(d->c->out.bytes == 0 && !d->c->out.first && d->c->bytes.unread == 0);
  cr_expect_eq(d->s.metrics.bytes_out, 6);
  daemon_end(d);
}

Test(writer, the_parts_of_a_batch_are_one_message) {
  static const struct {
    frame_mode mode;
    const char *text;
  } ROWS[] = {{FRAME_LINES, "[1, 22]\n"}, {FRAME_HEADERS, "Content-Length: 7\r\n\r\n[1, 22]"}};
  for (size_t i = 0; i < 2; i++) {
    daemon *d = daemon_with_client("");
    d->c->reader.mode = ROWS[i].mode;
    server_reply *first = reply_of(d->c, "1", 1), *last = reply_of(d->c, "22", 1);
    first->next = last;
    first->batch = 7;
    first->continued = true;
    last->batch = 1;
    last->follows = true;
    connection_send(d->c, first, last);
    connection_flush(d->c);
    expect_received(d->fd, ROWS[i].text);
    daemon_end(d);
  }
}

// More than the buffers that need no memory of their own.
Test(writer, many_replies_are_one_write) {
  enum { REPLIES = 100 };
  daemon *d = daemon_with_client("");
  char all[2 * REPLIES + 1];
  d->c->reader.mode = FRAME_LINES;
  for (int i = 0; i < REPLIES; i++) {
    server_reply *r = reply_of(d->c, "x", 1);
    connection_send(d->c, r, r);
    memcpy(all + 2 * i, "x\n", 3);
  }
  connection_flush(d->c);
  expect_received(d->fd, all);
  daemon_end(d);
}

Test(writer, what_does_not_fit_follows_when_the_client_reads) {
  enum { BYTES = 4 << 20 };
  daemon *d = daemon_with_client("");
  d->c->reader.mode = FRAME_LINES;
  server_reply *r = reply_of(d->c, "0123456789abcdef", BYTES / 16);
  connection_send(d->c, r, r);
  connection_flush(d->c);
  cr_expect(d->c->out.backlog > 0 && d->c->bytes.unread > 0);
  server_reply *next = reply_of(d->c, "next", 1);
  connection_send(d->c, next, next);
  connection_flush(d->c);
  size_t received = 0;
  char last[5] = "";
  for (char buffer[1 << 16]; received < BYTES + 6;) {
    ssize_t n = recv(d->fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (n < 0) daemon_step(d);
    if (n <= 0) continue;
    received += (size_t)n;
    for (ssize_t i = n > 5 ? n - 5 : 0; i < n; i++) {
      memmove(last, last + 1, 4);
      last[4] = buffer[i];
    }
  }
  cr_expect(received == BYTES + 6 && memcmp(last, "next\n", 5) == 0, "%zu %.5s", received, last);
  daemon_wait(d, !d->c->out.backlog && !d->c->bytes.unread);
  daemon_end(d);
}

Test(writer, a_client_that_does_not_read_is_cut_off) {
  daemon *d = daemon_with_client("--max-backlog 65536");
  d->c->reader.mode = FRAME_LINES;
  server_reply *r = reply_of(d->c, "0123456789abcdef", 1 << 16);
  connection_send(d->c, r, r);
  connection_flush(d->c);
  cr_expect(d->c->closing && d->s.metrics.connections_cut == 1);
  cr_expect(daemon_logged(d, "limit=max-backlog"));
  daemon_end(d);
}

Test(writer, what_is_sent_to_a_connection_that_ends_is_dropped) {
  daemon *d = daemon_with_client("");
  connection_close(d->c);
  server_reply *r = reply_of(d->c, "late", 1);
  connection_send(d->c, r, r);
  cr_expect(!d->c->out.first && d->c->out.bytes == 0);
  connection_flush(d->c);
  cr_expect_null(client_hear(d, d->fd));
  daemon_end(d);
}
