// SPDX-License-Identifier: Apache-2.0
// Replies on their way out. One write carries everything that a turn of the loop has to say to a client: a pipelining
// client costs one system call for many replies.
#include <stdlib.h>
#include <string.h>

#include "server/server.h"

enum { BUFFERS_INLINE = 48 };

typedef struct write_batch {
  uv_write_t uv;
  connection *conn;
  server_reply *replies;  // what is sent, or
  char *sealed;           // what TLS made of it
  size_t bytes;
} write_batch;

void connection_drop_replies(server_reply *reply) {
  while (reply) {
    server_reply *next = reply->next;
    reply_free(reply);
    reply = next;
  }
}

static void free_batch(write_batch *batch) {
  connection_drop_replies(batch->replies);
  free(batch->sealed);
  free(batch);
}

static void on_written(uv_write_t *request, int status) {
  write_batch *batch = request->data;
  connection *c = batch->conn;
  c->backlog -= batch->bytes;
  free_batch(batch);
  idle_later(c->owner);  // its replies may have been what held most
  if (status < 0) {
    connection_close(c);
  } else {
    connection_maybe_finish(c);
  }
}

// What the socket takes at once needs no request, no callback and no change of what the loop waits for. True: that was
// all of it. Else the buffers are what is left.
static bool write_at_once(connection *c, uv_buf_t **buffers, unsigned *count) {
  if (c->backlog) return false;  // it stands behind that
  int n = uv_try_write(&c->uv.stream, *buffers, *count);
  size_t taken = n > 0 ? (size_t)n : 0;  // an error shows again in the write that follows
  for (; *count && taken >= (*buffers)->len; ++*buffers, --*count) taken -= (*buffers)->len;
  if (!*count) return true;
  (*buffers)->base += taken;
  (*buffers)->len -= taken;
  return false;
}

// Takes the batch. Whoever calls sees to connection_maybe_finish.
static void write_out(connection *c, write_batch *batch, uv_buf_t *buffers, unsigned count) {
  server *s = c->owner;
  s->metrics.bytes_out += batch->bytes;
  if (write_at_once(c, &buffers, &count)) {
    free_batch(batch);
    return;
  }
  batch->bytes = 0;
  for (unsigned i = 0; i < count; i++) batch->bytes += buffers[i].len;
  batch->conn = c;
  batch->uv.data = batch;
  c->backlog += batch->bytes;
  if (uv_write(&batch->uv, &c->uv.stream, buffers, count, on_written) < 0) {
    c->backlog -= batch->bytes;
    free_batch(batch);
    connection_close(c);
    return;
  }
  if (c->backlog <= s->config.max_backlog) return;
  s->metrics.connections_cut++;
  log_line(&s->log, LOG_IS_WARNING, "cut", "conn=%llu backlog=%zu limit=max-backlog",
           (unsigned long long)c->id, c->backlog);
  connection_close(c);
}

void connection_send(connection *c, server_reply *reply) {
  if (c->closing) {
    reply_free(reply);
    return;
  }
  reply->next = NULL;
  *c->pending_end = reply;
  c->pending_end = &reply->next;
}

static server_reply *take_pending(connection *c) {
  server_reply *replies = c->pending;
  c->pending = NULL;
  c->pending_end = &c->pending;
  return replies;
}

void connection_flush_sealed(connection *c) {
  if (c->closing) return;
  size_t length;
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
  batch->bytes = length;
  uv_buf_t buffer = {.base = data, .len = length};
  write_out(c, batch, &buffer, 1);
}

static void seal(connection *c, const char *tail) {
  server_reply *replies = take_pending(c);
  bool good = true;
  for (server_reply *r = replies; r && good; r = r->next) {
    good = tls_write(c->tls, r->head, r->head_length) &&
           tls_write(c->tls, r->out.data, r->out.length) && tls_write(c->tls, tail, strlen(tail));
  }
  connection_drop_replies(replies);
  if (!good) {
    connection_close(c);
    return;
  }
  connection_flush_sealed(c);
}

void connection_flush(connection *c) {
  if (c->closing || !c->pending) return;
  size_t count = 0, bytes = 0;
  const char *tail = frame_tail(c->reader.mode);
  for (server_reply *r = c->pending; r; r = r->next) {
    r->head_length = frame_head(c->reader.mode, r->out.length, r->head);
    bytes += r->head_length + r->out.length + strlen(tail);
    count += 3;
  }
  if (c->tls) {
    seal(c, tail);
    return;
  }
  uv_buf_t few[BUFFERS_INLINE], *buffers = few;
  write_batch *batch = calloc(1, sizeof *batch);
  if (count > BUFFERS_INLINE) buffers = malloc(count * sizeof *buffers);
  if (!batch || !buffers) {
    free(batch);
    if (buffers != few) free(buffers);
    connection_close(c);
    return;
  }
  batch->replies = take_pending(c);
  batch->bytes = bytes;
  unsigned used = 0;
  for (server_reply *r = batch->replies; r; r = r->next) {
    if (r->head_length) buffers[used++] = uv_buf_init(r->head, (unsigned)r->head_length);
    buffers[used++] = uv_buf_init(r->out.data, r->out.length);
    if (*tail) buffers[used++] = uv_buf_init((char *)tail, (unsigned)strlen(tail));
  }
  write_out(c, batch, buffers, used);
  if (buffers != few) free(buffers);
}
