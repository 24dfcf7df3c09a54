// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "server/server.h"

// libuv reads a connection up to 32 times an iteration: that much at a time keeps that short for the others.
enum { READ_BYTES = 1 << 16 };
enum { LOOK_EACH = 8 };  // messages between two checks of the time that an iteration has taken

// The memory goes when the handle is closed and no job points here any more.
static void maybe_free(connection *c) {
  if (!c->closed || c->in_flight || c->held) return;
  assert(c->closing && !c->pause.on && !c->has_slot);
  assert(!c->run);
  server *s = c->owner;
  frame_free(&c->reader);
  flow_count_input(c);
  connection_drop_replies(c->out.first);
  assert(!c->bytes.held && !c->bytes.unread);
  tls_session_free(c->tls);
  peer_release(&s->peers, c->peer);
  free(c);
  idle_later(s);
  drain_check(s);
}

static void on_closed(uv_handle_t *handle) {
  connection *c = handle->data;
  assert(c->closing && !c->closed);
  c->closed = true;
  maybe_free(c);
}

void connection_released(connection *c) {
  assert(c->in_flight > 0 && c->owner->metrics.in_flight > 0);
  c->in_flight--;
  c->owner->metrics.in_flight--;
  quota_give(&c->owner->peers.use, &c->peer->use, QUOTA_REQUESTS, 1);
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
  assert((c->before ? c->before->after : s->connections.first) == c);
  if (c->before) {
    c->before->after = c->after;
  } else {
    s->connections.first = c->after;
  }
  if (c->after) c->after->before = c->before;
  assert(s->metrics.connections > 0);
  s->metrics.connections--;
  connection_free_slot(c);
  flow_unpause(c);
  log_line(&s->log, LOG_IS_DEBUG, "close", "conn=%llu", (unsigned long long)c->id);
  uv_close(&c->uv.handle, on_closed);
  uint64_t left = c->in_flight;
  for (server_job *job = s->jobs.active; job && left; job = job->active_after) {
    if (job->conn != c) continue;
    left--;
    dispatch_cancel(job, SHAPE_CANCELLED);
  }
}

// Closes a connection whose client will send no more, once everything is answered and written.
void connection_maybe_finish(connection *c) {
  if (c->closing || c->in_flight || c->held || c->out.first || c->out.backlog) return;
  if (c->ended || c->owner->drain.draining) connection_close(c);
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)suggested;
  connection *c = handle->data;
  size_t bytes = 0;
  c->owner->iteration.read_began = uv_hrtime();
  // The others go on in the next iteration, in an order that is fair to their peers.
  c->deferred = !iteration_has_time(&c->owner->iteration, SERVER_ITERATION_NS);
  if (c->deferred) {
    *buffer = uv_buf_init(NULL, 0);
    return;
  }
  if (c->tls) {
    *buffer = uv_buf_init(tls_room(c->tls), TLS_ROOM);
    return;
  }
  if (flow_blocked(c)) {
    flow_pause(c);
    *buffer = uv_buf_init(NULL, 0);
    return;
  }
  char *room = frame_room(&c->reader, &bytes);
  flow_count_input(c);
  if (bytes > READ_BYTES) bytes = READ_BYTES;
  *buffer = uv_buf_init(room, room ? (unsigned)bytes : 0);
}

static void failed_frame(connection *c, frame_event event, size_t length) {
  assert(event != FRAME_MESSAGE && event != FRAME_MORE);
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
  for (unsigned n = 0; !c->closing && !c->ended && !c->held; n++) {
    if (flow_full(c)) {
      flow_pause(c);
      break;
    }
    if (n % LOOK_EACH == LOOK_EACH - 1 &&
        !iteration_has_time(&c->owner->iteration, SERVER_ITERATION_NS)) {
      connection_later(c);
      break;
    }
    frame_event event = frame_next(&c->reader, &text, &length);
    if (event == FRAME_MORE) break;
    if (event == FRAME_MESSAGE) {
      split_message(c, text, length);
    } else {
      failed_frame(c, event, length);
    }
  }
  if (c->held) return;  // its text is in the buffer
  frame_trim(&c->reader);
  flow_count_input(c);
  if (frame_is_partial(&c->reader)) flow_watch(c->owner);
}

// Whether the other end is gone for good, and not only done with sending. Known of Unix sockets only.
static bool peer_is_gone(connection *c) {
  uv_os_fd_t fd;
  if (uv_fileno(&c->uv.handle, &fd)) return true;
  struct pollfd poll_fd = {.fd = fd};
  return poll(&poll_fd, 1, 0) > 0 && (poll_fd.revents & (POLLHUP | POLLERR));
}

// The client will send no more; its last line may lack the end.
static void read_rest(connection *c) {
  const char *text;
  size_t length;
  if (!c->ended && frame_finish(&c->reader, &text, &length) == FRAME_MESSAGE) {
    split_message(c, text, length);
  }
  c->ended = true;
}

// What was read goes to workers, and what there is to say to the client.
static void hand_out(connection *c) {
  pool_announce(&c->owner->pool);
  connection_flush(c);
}

// What TLS has of the bytes that it was fed.
static void read_sealed(connection *c) {
  char reason[200];
  rpc_failure failure;
  while (!c->closing && !c->ended && !c->held && !c->pause.on) {
    size_t bytes = 0;
    if (flow_blocked(c)) {
      flow_pause(c);
      break;
    }
    char *room = frame_room(&c->reader, &bytes);
    flow_count_input(c);
    if (!room) {
      connection_close(c);
      return;
    }
    tls_event event = tls_read(c->tls, room, bytes, &bytes);
    if (c->login.untrusted && tls_established(c->tls) && !c->login.wants_token &&
        !connection_admit(c, NULL, &failure)) {
      dispatch_failure(c, &failure);
      break;
    }
    if (event == TLS_MORE) break;
    if (event == TLS_FAILED) connection_deny(c, tls_reason(c->tls, reason, sizeof reason));
    if (event == TLS_CLOSED) read_rest(c);
    if (event != TLS_DATA) break;
    frame_filled(&c->reader, bytes);
    read_messages(c);
  }
  connection_flush_sealed(c);
}

// What the loop did for the peer of a connection since `begin`.
static void count_loop(iteration_clock *clock, peer *p, uint64_t begin) {
  p->loop_used += iteration_used(clock, begin);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer) {
  connection *c = stream->data;
  if (n == 0 || c->closing) return;
  if (n == UV_ENOBUFS && (c->pause.on || c->deferred)) {
    uv_read_stop(stream);
    if (c->deferred) connection_later(c);
    return;
  }
  if (n < 0) {
    uv_read_stop(stream);
    // TLS says itself when a client is done; an end without that may be an attack.
    if (n != UV_EOF || c->tls || peer_is_gone(c)) {
      if (c->login.untrusted && !c->ended) connection_deny(c, "the connection ended");
      connection_close(c);
      return;
    }
    read_rest(c);
  } else {
    c->owner->metrics.bytes_in += (uint64_t)n;
    c->heard = uv_now(&c->owner->loop);
    if (c->tls && !tls_feed(c->tls, buffer->base, (size_t)n)) {
      connection_close(c);
    } else if (c->tls) {
      read_sealed(c);
    } else {
      frame_filled(&c->reader, (size_t)n);
      read_messages(c);
    }
    bool more = !c->closing && !c->ended && !c->held && !c->pause.on;
    // A client that sends much has the rest of it read in the next event-loop iteration.
    if (more && n >= TLS_ROOM && !iteration_has_time(&c->owner->iteration, SERVER_ITERATION_NS))
      connection_later(c);
    if ((c->ended || c->held || c->pause.on) && !c->closing) uv_read_stop(stream);
  }
  hand_out(c);
  connection_maybe_finish(c);
  count_loop(&c->owner->iteration, c->peer, c->owner->iteration.read_began);
}

// Reads a connection that was deferred, here and now: the event loop would do it in an order of its own.
static void read_deferred(connection *c) {
  assert(!c->held && !c->closing);
  uv_os_fd_t fd;
  uv_buf_t buffer;
  c->deferred = false;
  on_alloc(&c->uv.handle, READ_BYTES, &buffer);
  if (!buffer.len || uv_fileno(&c->uv.handle, &fd)) {
    on_read(&c->uv.stream, UV_ENOBUFS, &buffer);
    return;
  }
  ssize_t n = recv(fd, buffer.base, buffer.len, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  on_read(&c->uv.stream, n > 0 ? n : n == 0 ? UV_EOF : uv_translate_sys_error(errno), &buffer);
}

bool connection_read(connection *c) { return uv_read_start(&c->uv.stream, on_alloc, on_read) == 0; }

void connection_later(connection *c) {
  server *s = c->owner;
  peer *p = c->peer;
  c->held = true;
  c->held_next = NULL;
  if (!p->held_first) {
    if (p->loop_used < s->held.loop_used) p->loop_used = s->held.loop_used;
    p->held_before = NULL;
    p->held_after = s->held.peers;
    if (p->held_after) p->held_after->held_before = p;
    s->held.peers = p;
  }
  *(p->held_first ? &p->held_last->held_next : &p->held_first) = c;
  p->held_last = c;
  iterate_again(s);
}

// The first connection of the peer for which the loop has done least. O(peers that have some).
static connection *take_held(server *s) {
  peer *least = s->held.peers;
  for (peer *p = least; p; p = p->held_after) {
    if (p->loop_used < least->loop_used) least = p;
  }
  assert(least->held_first);
  s->held.loop_used = least->loop_used;
  connection *c = least->held_first;
  least->held_first = c->held_next;
  if (least->held_first) return c;
  *(least->held_before ? &least->held_before->held_after : &s->held.peers) = least->held_after;
  if (least->held_after) least->held_after->held_before = least->held_before;
  return c;
}

void connection_continue(server *s) {
  for (bool first = true; s->held.peers; first = false) {
    if (!first && !iteration_has_time(&s->iteration, SERVER_ITERATION_NS)) break;
    uint64_t begin = uv_hrtime();
    connection *c = take_held(s);
    peer *p = c->peer;
    p->references++;  // it may end with the connection
    assert(c->held);
    if (split_continue(c)) {
      connection_resume(c);
    } else {
      hand_out(c);
      connection_later(c);
    }
    count_loop(&s->iteration, p, begin);
    peer_release(&s->peers, p);
  }
  if (s->held.peers) iterate_again(s);
}

void connection_resume(connection *c) {
  assert(!c->run);
  c->held = false;
  if (c->closing) {
    maybe_free(c);
    return;
  }
  c->heard = uv_now(&c->owner->loop);
  read_messages(c);
  if (c->tls) read_sealed(c);
  bool more = !c->closing && !c->ended && !c->held && !c->pause.on;
  if (more && !connection_read(c)) {
    connection_close(c);
  } else if (more && c->deferred) {
    read_deferred(c);
  }
  hand_out(c);
  connection_maybe_finish(c);
}
