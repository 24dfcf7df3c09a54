// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE 1  // SO_PEERCRED

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "server/server.h"

// One write of everything that a turn of the loop has to say to a client: a pipelining client costs one system call
// for many replies.
typedef struct write_batch {
  uv_write_t uv;
  connection *conn;
  server_reply *replies;
  size_t bytes;
} write_batch;

static void free_replies(server_reply *reply) {
  while (reply) {
    server_reply *next = reply->next;
    reply_free(reply);
    reply = next;
  }
}

// The memory goes when the handle is closed and no job points here any more.
static void maybe_free(connection *c) {
  if (!c->closed || c->in_flight) return;
  server *s = c->owner;
  frame_free(&c->reader);
  free_replies(c->pending);
  free(c);
  drain_check(s);
}

static void on_closed(uv_handle_t *handle) {
  connection *c = handle->data;
  c->closed = true;
  maybe_free(c);
}

void connection_released(connection *c) {
  c->in_flight--;
  c->owner->metrics.in_flight--;
  if (c->closing) {
    maybe_free(c);
  } else {
    connection_maybe_finish(c);
  }
}

void connection_close(connection *c) {
  if (c->closing) return;
  server *s = c->owner;
  c->closing = true;
  if (c->before) {
    c->before->after = c->after;
  } else {
    s->connections = c->after;
  }
  if (c->after) c->after->before = c->before;
  s->metrics.connections--;
  log_line(&s->log, LOG_IS_DEBUG, "close", "conn=%llu", (unsigned long long)c->id);
  uv_close(&c->uv.handle, on_closed);
  for (server_job *job = s->active; job; job = job->active_after) {
    if (job->conn == c) dispatch_cancel(job, SHAPE_CANCELLED);
  }
}

// Closes a connection whose client will send no more, once everything is answered and written.
void connection_maybe_finish(connection *c) {
  if (c->closing || c->in_flight || c->pending || c->backlog) return;
  if (c->ended || c->owner->draining) connection_close(c);
}

static void on_written(uv_write_t *request, int status) {
  write_batch *batch = request->data;
  connection *c = batch->conn;
  c->backlog -= batch->bytes;
  free_replies(batch->replies);
  free(batch);
  if (status < 0) {
    connection_close(c);
  } else {
    connection_maybe_finish(c);
  }
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

void connection_flush(connection *c) {
  if (c->closing || !c->pending) return;
  size_t count = 0, bytes = 0;
  const char *tail = frame_tail(c->reader.mode);
  for (server_reply *r = c->pending; r; r = r->next) {
    r->head_length = frame_head(c->reader.mode, r->out.length, r->head);
    bytes += r->head_length + r->out.length + strlen(tail);
    count += 3;
  }
  write_batch *batch = malloc(sizeof *batch);
  uv_buf_t *buffers = malloc(count * sizeof *buffers);
  if (!batch || !buffers) {
    free(batch);
    free(buffers);
    connection_close(c);
    return;
  }
  *batch = (write_batch){.conn = c, .replies = c->pending, .bytes = bytes};
  batch->uv.data = batch;
  unsigned used = 0;
  for (server_reply *r = c->pending; r; r = r->next) {
    if (r->head_length) buffers[used++] = uv_buf_init(r->head, (unsigned)r->head_length);
    buffers[used++] = uv_buf_init(r->out.data, r->out.length);
    if (*tail) buffers[used++] = uv_buf_init((char *)tail, (unsigned)strlen(tail));
  }
  c->pending = NULL;
  c->pending_end = &c->pending;
  c->backlog += bytes;
  c->owner->metrics.bytes_out += bytes;
  int status = uv_write(&batch->uv, &c->uv.stream, buffers, used, on_written);
  free(buffers);
  if (status < 0) {
    c->backlog -= bytes;
    free_replies(batch->replies);
    free(batch);
    connection_close(c);
    return;
  }
  if (c->backlog > c->owner->config.max_backlog) {
    c->owner->metrics.connections_cut++;
    log_line(&c->owner->log, LOG_IS_WARNING, "cut", "conn=%llu backlog=%zu limit=max-backlog",
             (unsigned long long)c->id, c->backlog);
    connection_close(c);
  }
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)suggested;
  connection *c = handle->data;
  size_t bytes = 0;
  char *room = frame_room(&c->reader, &bytes);
  *buffer =
      uv_buf_init(room, room ? (unsigned)(bytes < UINT32_MAX / 2 ? bytes : UINT32_MAX / 2) : 0);
}

static void failed_frame(connection *c, frame_event event, size_t length) {
  rpc_failure failure;
  if (event == FRAME_TOO_LONG) {
    rpc_fail(&failure, RPC_SIZE, "a message of %zu bytes or more is over the limit", length);
    failure.limit = "max-message";
    failure.limit_value = c->reader.limit;
    dispatch_failure(c, &failure);
    return;
  }
  rpc_fail(&failure, RPC_PARSE_ERROR, "%s", c->reader.error);
  dispatch_failure(c, &failure);
  // Where the next message begins cannot be known.
  c->ended = true;
}

static void read_messages(connection *c) {
  const char *text;
  size_t length;
  while (!c->closing && !c->ended) {
    frame_event event = frame_next(&c->reader, &text, &length);
    if (event == FRAME_MORE) break;
    if (event == FRAME_MESSAGE) {
      dispatch_message(c, text, length);
    } else {
      failed_frame(c, event, length);
    }
  }
}

// Whether the other end is gone for good, and not only done with sending. Known of Unix sockets only.
static bool peer_is_gone(connection *c) {
  uv_os_fd_t fd;
  if (uv_fileno(&c->uv.handle, &fd)) return true;
  struct pollfd poll_fd = {.fd = fd};
  return poll(&poll_fd, 1, 0) > 0 && (poll_fd.revents & (POLLHUP | POLLERR));
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer) {
  (void)buffer;
  connection *c = stream->data;
  if (n == 0 || c->closing) return;
  if (n < 0) {
    const char *text;
    size_t length;
    uv_read_stop(stream);
    if (n != UV_EOF || peer_is_gone(c)) {
      connection_close(c);
      return;
    }
    if (!c->ended && frame_finish(&c->reader, &text, &length) == FRAME_MESSAGE) {
      dispatch_message(c, text, length);
    }
    c->ended = true;
  } else {
    c->owner->metrics.bytes_in += (uint64_t)n;
    frame_filled(&c->reader, (size_t)n);
    read_messages(c);
    if (c->ended && !c->closing) uv_read_stop(stream);
  }
  connection_flush(c);
  connection_maybe_finish(c);
}

static bool init_stream(server *s, connection *c, bool tcp) {
  return (tcp ? uv_tcp_init(&s->loop, &c->uv.tcp) : uv_pipe_init(&s->loop, &c->uv.pipe, 0)) == 0;
}

static void log_peer(connection *c, const char *listener) {
  uv_os_fd_t fd;
  struct {
    pid_t pid;
    uid_t uid;
    gid_t gid;
  } peer = {0};
  socklen_t size = sizeof peer;
  server *s = c->owner;
  if (s->log.level < LOG_IS_INFO) return;
  bool known = c->uv.handle.type == UV_NAMED_PIPE && uv_fileno(&c->uv.handle, &fd) == 0 &&
               getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  log_line(&s->log, LOG_IS_INFO, "accept", "conn=%llu listener=%s uid=%ld pid=%ld",
           (unsigned long long)c->id, listener, known ? (long)peer.uid : -1L,
           known ? (long)peer.pid : -1L);
}

// Takes a connection only to say that there are too many.
static void refuse(connection *c) {
  rpc_failure failure;
  rpc_fail(&failure, RPC_TOO_MANY_CONNECTIONS, "%s", rpc_code_message(RPC_TOO_MANY_CONNECTIONS));
  failure.limit = "max-connections";
  failure.limit_value = c->owner->config.max_connections;
  c->owner->metrics.connections_refused++;
  c->ended = true;
  dispatch_failure(c, &failure);
  connection_flush(c);
  connection_maybe_finish(c);
}

void connection_accept(server_listener *listener) {
  server *s = listener->owner;
  connection *c = calloc(1, sizeof *c);
  bool tcp = listener->uv.handle.type == UV_TCP;
  if (!c || !init_stream(s, c, tcp)) {
    free(c);
    return;
  }
  c->uv.handle.data = c;
  c->owner = s;
  c->id = ++s->next_connection;
  c->pending_end = &c->pending;
  frame_init(&c->reader, s->config.max_message);
  c->after = s->connections;
  if (c->after) c->after->before = c;
  s->connections = c;
  s->metrics.connections++;
  if (uv_accept(&listener->uv.stream, &c->uv.stream)) {
    connection_close(c);
    return;
  }
  s->metrics.connections_accepted++;
  if (tcp) uv_tcp_nodelay(&c->uv.tcp, 1);
  log_peer(c, listener->name);
  if (s->metrics.connections > s->config.max_connections) {
    refuse(c);
  } else if (uv_read_start(&c->uv.stream, on_alloc, on_read)) {
    connection_close(c);
  }
}
