// SPDX-License-Identifier: Apache-2.0
// Replies on their way out. One write carries everything that an iteration of the loop has to say to a client: a pipelining
// client costs one system call for many replies.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "server/server.h"

enum {
  BUFFERS_INLINE = 48,
  SEALED_BYTES = 1 << 16  // what is encrypted at a time; OpenSSL keeps as much for the connection
};

typedef struct write_batch {
  uv_write_t uv;
  connection *conn;
  server_reply *replies;  // what is sent, or
  char *sealed;           // what TLS made of it
  size_t bytes;
  size_t counted;  // of what TLS made
} write_batch;

void connection_drop_replies(server_reply *reply) {
  while (reply) {
    server_reply *next = reply->next;
    flow_reply_free(reply);
    reply = next;
  }
}

static void free_batch(write_batch *batch) {
  connection_drop_replies(batch->replies);
  if (batch->sealed) flow_release(batch->conn, batch->counted);
  free(batch->sealed);
  free(batch);
}

static void on_written(uv_write_t *request, int status) {
  write_batch *batch = request->data;
  connection *c = batch->conn;
  assert(c->out.backlog >= batch->bytes);
  c->out.backlog -= batch->bytes;
  free_batch(batch);
  idle_later(c->owner);  // its replies may have been what held most
  if (status < 0) {
    connection_close(c);
  } else {
    connection_flush(c);
    connection_maybe_finish(c);
  }
}

// What the socket takes at once needs no request, no callback and no change of what the loop waits for. True: that was
// all of it. Else the buffers are what is left.
static bool write_at_once(connection *c, uv_buf_t **buffers, unsigned *count) {
  if (c->out.backlog) return false;  // it follows that
  int n = uv_try_write(&c->uv.stream, *buffers, *count);
  size_t taken = n > 0 ? (size_t)n : 0;  // an error shows again in the write that follows
  for (; *count && taken >= (*buffers)->len; ++*buffers, --*count) taken -= (*buffers)->len;
  if (!*count) return true;
  (*buffers)->base += taken;
  (*buffers)->len -= taken;
  return false;
}

// Closes the connection of a client that does not read.
static void check_backlog(connection *c) {
  server *s = c->owner;
  size_t bytes = c->out.backlog + c->out.bytes;
  if (c->closing || bytes <= s->config.max_backlog) return;
  s->metrics.connections_cut++;
  log_line(&s->log, LOG_IS_WARNING, "cut", "conn=%llu backlog=%zu limit=max-backlog",
           (unsigned long long)c->id, bytes);
  connection_close(c);
}

// Takes the batch. The caller calls connection_maybe_finish. What is pending still (of TLS) goes on when this was
// written, in another iteration.
static void write_out(connection *c, write_batch *batch, uv_buf_t *buffers, unsigned count) {
  server *s = c->owner;
  assert(!c->closing && count);
  s->metrics.bytes_out += batch->bytes;
  if (!c->out.first && write_at_once(c, &buffers, &count)) {
    free_batch(batch);
    return;
  }
  batch->bytes = 0;
  for (unsigned i = 0; i < count; i++) batch->bytes += buffers[i].len;
  batch->conn = c;
  batch->uv.data = batch;
  c->out.backlog += batch->bytes;
  if (uv_write(&batch->uv, &c->uv.stream, buffers, count, on_written) < 0) {
    c->out.backlog -= batch->bytes;
    free_batch(batch);
    connection_close(c);
    return;
  }
  check_backlog(c);
}

static size_t bytes_of(const server_reply *r) {
  return r->head_length + r->out.length + strlen(r->tail);
}

static void frame_reply(server_reply *r, frame_mode mode) {
  bool headers = mode == FRAME_HEADERS;
  r->head_length = r->follows ? 0 : frame_head(mode, r->batch ? r->batch : r->out.length, r->head);
  r->tail = r->continued ? "" : !r->batch ? frame_tail(mode) : headers ? "]" : "]\n";
  assert(r->head_length + 2 <= sizeof r->head);
  if (!r->batch) return;
  r->head[r->head_length++] = r->follows ? ',' : '[';
  if (r->follows) r->head[r->head_length++] = ' ';
}

void connection_send(connection *c, server_reply *first, server_reply *last) {
  assert(first && last);
  last->next = NULL;
  if (c->closing) {
    connection_drop_replies(first);
    return;
  }
  for (server_reply *r = first; r; r = r->next) {
    frame_reply(r, c->reader.mode);
    flow_sent(c, r);
    c->out.bytes += bytes_of(r);
  }
  assert(*c->out.end == NULL);
  *c->out.end = first;
  c->out.end = &last->next;
}

static server_reply *take_pending(connection *c) {
  assert(c->out.first);
  server_reply *replies = c->out.first;
  c->out.first = NULL;
  c->out.end = &c->out.first;
  c->out.bytes = 0;
  return replies;
}

void connection_flush_sealed(connection *c) {
  if (c->closing) return;
  size_t length;
  assert(c->tls);
  char *data = tls_take(c->tls, &length);
  if (!length) return;
  write_batch *batch = calloc(1, sizeof *batch);
  if (!data || !batch) {
    free(data);
    free(batch);
    connection_close(c);
    return;
  }
  batch->sealed = data;
  batch->bytes = batch->counted = length;
  batch->conn = c;
  flow_count(c, length);
  uv_buf_t buffer = {.base = data, .len = length};
  write_out(c, batch, &buffer, 1);
}

// Of the piece of a reply, what is after `*skip` bytes of it, and at most `*room` bytes.
static bool seal_piece(connection *c, const char *data, size_t length, size_t *skip, size_t *room) {
  size_t from = *skip < length ? *skip : length;
  size_t most = length - from < *room ? length - from : *room;
  assert(from + most <= length);
  *skip -= from;
  *room -= most;
  c->out.sealed += most;
  return tls_write(c->tls, data + from, most);
}

// Encrypts what is pending, that much at a time: the rest when that has been written.
static void seal(connection *c) {
  size_t room = SEALED_BYTES;
  bool good = true;
  while (c->out.first && room && good && !c->out.backlog) {
    server_reply *r = c->out.first;
    size_t skip = c->out.sealed;
    good = seal_piece(c, r->head, r->head_length, &skip, &room) &&
           seal_piece(c, r->out.data, r->out.length, &skip, &room) &&
           seal_piece(c, r->tail, strlen(r->tail), &skip, &room);
    assert(c->out.sealed <= bytes_of(r));
    if (c->out.sealed < bytes_of(r)) break;
    assert(c->out.bytes >= c->out.sealed);
    c->out.bytes -= c->out.sealed;
    c->out.sealed = 0;
    c->out.first = r->next;
    if (!c->out.first) c->out.end = &c->out.first;
    flow_reply_free(r);
  }
  if (good) {
    connection_flush_sealed(c);
  } else {
    connection_close(c);
  }
}

void connection_flush(connection *c) {
  if (c->closing || !c->out.first) return;
  if (c->tls) {
    seal(c);
    check_backlog(c);
    return;
  }
  size_t count = 0;
  for (server_reply *r = c->out.first; r; r = r->next) count += 3;
  uv_buf_t few[BUFFERS_INLINE], *buffers = few;
  write_batch *batch = calloc(1, sizeof *batch);
  if (count > BUFFERS_INLINE) buffers = malloc(count * sizeof *buffers);
  if (!batch || !buffers) {
    free(batch);
    if (buffers != few) free(buffers);
    connection_close(c);
    return;
  }
  batch->bytes = c->out.bytes;
  batch->replies = take_pending(c);
  unsigned used = 0;
  for (server_reply *r = batch->replies; r; r = r->next) {
    if (r->head_length) buffers[used++] = uv_buf_init(r->head, (unsigned)r->head_length);
    buffers[used++] = uv_buf_init(r->out.data, r->out.length);
    if (*r->tail) buffers[used++] = uv_buf_init((char *)r->tail, (unsigned)strlen(r->tail));
  }
  assert(used <= count);
  write_out(c, batch, buffers, used);
  if (buffers != few) free(buffers);
}
