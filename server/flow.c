// SPDX-License-Identifier: Apache-2.0
// Backpressure: what clients make the daemon hold stays within max-buffered and, of each peer, max-peer-buffered.
//
// Counted are buffers of messages that arrive, messages that are worked on, and replies until the system has taken them.
// A connection that would hold more is not read any more (it pauses), until there is room again. Replies that are not
// read have a quarter of the room: beyond it the requests of their connections wait. Messages that arrive have half of it,
// and with those that are worked on six tenths, so that what is there can be answered. QUOTA_FREE_BYTES of each connection
// are always granted, so that a small request finds its way whatever others hold. The limits are so never exceeded by more
// than what is granted, and one message or reply.
//
// What cannot go on by itself ends: a message of which no byte came for `stall`, replies that were not read for that
// long while requests wait for it, and, where connections pause for want of room because of such, the largest after a
// second.
#include <assert.h>

#include "server/server.h"

enum { UNREAD_HUNDREDTHS = 25, INPUT_HUNDREDTHS = 50, WORK_HUNDREDTHS = 60 };  // of the limits
enum { SWEEP_MS = 100, PRESSURE_MS = 1000 };

static void on_sweep(uv_timer_t *timer);

// There is something that time may end.
void flow_watch(server *s) {
  if (!uv_is_active((uv_handle_t *)&s->flow.sweep))
    uv_timer_start(&s->flow.sweep, on_sweep, SWEEP_MS, SWEEP_MS);
}

// Whether replies of a connection hold up its requests.
static bool is_unread(const connection *c) {
  const server *s = c->owner;
  return c->bytes.unread > QUOTA_FREE_BYTES &&
         quota_excess_of(&s->config, &s->peers.use, &c->peer->use, QUOTA_UNREAD, 0,
                         UNREAD_HUNDREDTHS)
             .option;
}

// --- counting

void flow_count(connection *c, size_t bytes) {
  c->bytes.held += bytes;
  quota_take(&c->owner->peers.use, &c->peer->use, QUOTA_BYTES, bytes);
}

void flow_release(connection *c, size_t bytes) {
  server *s = c->owner;
  assert(c->bytes.held >= bytes);
  if (!bytes) return;
  c->bytes.held -= bytes;
  quota_give(&s->peers.use, &c->peer->use, QUOTA_BYTES, bytes);
  if (s->flow.first && !s->drain.stopped) iterate_again(s);
}

void flow_move(connection *c, peer *to) {
  quota_use *all = &c->owner->peers.use;
  assert(c->bytes.held >= c->bytes.input && c->bytes.held >= c->bytes.unread);
  quota_give(all, &c->peer->use, QUOTA_BYTES, c->bytes.held);
  quota_take(all, &to->use, QUOTA_BYTES, c->bytes.held);
  quota_give(all, &c->peer->use, QUOTA_UNREAD, c->bytes.unread);
  quota_take(all, &to->use, QUOTA_UNREAD, c->bytes.unread);
}

void flow_count_input(connection *c) {
  size_t before = c->bytes.input;
  c->bytes.input = c->reader.capacity;
  if (c->bytes.input > before) flow_count(c, c->bytes.input - before);
  if (c->bytes.input < before) flow_release(c, before - c->bytes.input);
}

void flow_count_message(connection *c, server_message *m, size_t bytes) {
  assert(!m->holder || m->holder == c);
  m->holder = c;
  m->counted += bytes;
  flow_count(c, bytes);
}

void flow_message_release(server_message *m) {
  assert(m->references > 0);
  if (m->references == 1 && m->holder) flow_release(m->holder, m->counted);
  message_release(m);
}

static void count_unread(connection *c, size_t bytes) {
  assert(c->bytes.unread + bytes <= c->bytes.held);
  c->bytes.unread += bytes;
  quota_take(&c->owner->peers.use, &c->peer->use, QUOTA_UNREAD, bytes);
  if (!is_unread(c)) return;
  flow_pause(c);
  uv_read_stop(&c->uv.stream);
}

void flow_count_reply(connection *c, server_reply *r) {
  size_t bytes = sizeof *r + r->arena.bytes, more = bytes - r->counted;
  assert(bytes >= r->counted && !r->sent && (!r->holder || r->holder == c));
  r->holder = c;
  r->counted = bytes;
  flow_count(c, more);
}

void flow_sent(connection *c, server_reply *r) {
  assert(!r->sent);
  r->sent = r->holder != NULL;
  if (r->sent) count_unread(c, r->counted);
}

void flow_reply_free(server_reply *r) {
  connection *c = r ? r->holder : NULL;
  if (c && r->sent) {
    assert(c->bytes.unread >= r->counted);
    c->bytes.unread -= r->counted;
    quota_give(&c->owner->peers.use, &c->peer->use, QUOTA_UNREAD, r->counted);
  }
  if (c) flow_release(c, r->counted);
  reply_free(r);
}

size_t flow_message_limit(const server_config *config) {
  uint64_t most = config->max_peer_buffered < config->max_buffered ? config->max_peer_buffered
                                                                   : config->max_buffered;
  return config->max_message < most / 4 ? config->max_message : most / 4;
}

// --- pausing

static quota_limit excess(const connection *c, size_t more, unsigned hundredths) {
  const server *s = c->owner;
  if (c->bytes.held + more <= QUOTA_FREE_BYTES) return (quota_limit){0};
  return quota_excess_of(&s->config, &s->peers.use, &c->peer->use, QUOTA_BYTES, more, hundredths);
}

quota_limit flow_excess(const connection *c, const server_reply *r) {
  return excess(c, sizeof *r + r->arena.bytes, 100);
}

// Why no more of a message can be taken, if so.
static quota_limit input_excess(const connection *c) {
  size_t more = frame_is_partial(&c->reader) ? frame_growth(&c->reader) : 0;
  return more ? excess(c, more, INPUT_HUNDREDTHS) : excess(c, 0, WORK_HUNDREDTHS);
}

bool flow_full(const connection *c) { return is_unread(c) || excess(c, 0, WORK_HUNDREDTHS).option; }

bool flow_blocked(const connection *c) { return flow_full(c) || input_excess(c).option; }

void flow_pause(connection *c) {
  server *s = c->owner;
  if (c->pause.on || c->closing) return;
  c->pause.on = true;
  c->pause.since = uv_now(&s->loop);
  assert(!s->flow.first == !s->flow.last);
  c->pause.before = s->flow.last;
  c->pause.after = NULL;
  *(s->flow.last ? &s->flow.last->pause.after : &s->flow.first) = c;
  s->flow.last = c;
  s->metrics.pauses++;
  if (is_unread(c)) pool_block(&s->pool, &c->queue, true);  // its replies would be held, too
  flow_watch(s);
}

void flow_unpause(connection *c) {
  server *s = c->owner;
  if (!c->pause.on) return;
  assert(s->flow.first && s->flow.last);
  assert((c->pause.before ? c->pause.before->pause.after : s->flow.first) == c);
  c->pause.on = false;
  *(c->pause.before ? &c->pause.before->pause.after : &s->flow.first) = c->pause.after;
  *(c->pause.after ? &c->pause.after->pause.before : &s->flow.last) = c->pause.before;
  pool_block(&s->pool, &c->queue, false);
}

void flow_continue(server *s) {
  const connection *last = s->flow.last;
  for (connection *c = s->flow.first, *next; c; c = c == last ? NULL : next) {
    next = c->pause.after;
    if (c->held || flow_blocked(c)) continue;  // what holds it goes on by itself
    if (!iteration_has_time(&s->iteration, SERVER_ITERATION_NS)) {
      iterate_again(s);
      return;
    }
    bool end = c == last;
    flow_unpause(c);
    connection_resume(c);  // it may pause again, at the end of the list
    if (end) return;
  }
}

// --- time

// Bytes that only the client can make fewer, which it has not done for a while.
static size_t stuck_bytes(const connection *c) {
  if (c->held || uv_now(&c->owner->loop) - c->heard < PRESSURE_MS) return 0;
  return c->bytes.unread + (frame_is_partial(&c->reader) ? c->bytes.input : 0);
}

static void cut(connection *c, const char *option, uint64_t value) {
  assert(!c->closing);
  server *s = c->owner;
  rpc_failure failure;
  s->metrics.connections_cut++;
  log_line(&s->log, LOG_IS_WARNING, "cut", "conn=%llu peer=%s held=%zu limit=%s",
           (unsigned long long)c->id, c->peer->name, c->bytes.held, option);
  if (!c->login.untrusted && !c->bytes.unread) {
    rpc_fail(&failure, RPC_QUEUE_FULL, "the rest of the message did not come in time");
    failure.limit = option;
    failure.limit_value = value;
    dispatch_failure(c, &failure);
    connection_flush(c);
  }
  connection_close(c);
}

// Ends the largest of what is stuck: of a peer, or (NULL) of the peer that has most of it, where it fills more than a
// third of the limit. What waits for workers goes by itself.
static void relieve(server *s, const peer *of, quota_limit over) {
  assert(over.option);
  const peer *worst = of;
  uint64_t stuck = 0, most = 0;
  for (connection *c = s->connections.first; c; c = c->after) c->peer->stuck = 0;
  for (connection *c = s->connections.first; c; c = c->after) {
    uint64_t bytes = stuck_bytes(c);
    c->peer->stuck += bytes;
    if (of && c->peer != of) continue;
    stuck += bytes;
    if (c->peer->stuck < most) continue;
    most = c->peer->stuck;
    worst = c->peer;
  }
  if (stuck <= over.value / 3) return;
  connection *victim = NULL;
  for (connection *c = s->connections.first; c; c = c->after) {
    if (c->peer == worst && (!victim || stuck_bytes(c) > stuck_bytes(victim))) victim = c;
  }
  if (victim) cut(victim, over.option, over.value);
}

// What a connection waits for, and for how long. True: there is something.
static bool check_stall(connection *c, uint64_t now) {
  server *s = c->owner;
  size_t unsent = uv_stream_get_write_queue_size(&c->uv.stream);
  if (unsent != c->bytes.unsent) {
    c->bytes.unsent = unsent;
    c->heard = now;
  }
  if (connection_check_login(c, now)) return true;
  bool unread = c->pause.on && is_unread(c);
  bool partial = !c->pause.on && !c->held && frame_is_partial(&c->reader);
  if ((unread || partial) && now - c->heard >= s->config.stall) cut(c, "stall", s->config.stall);
  return unread || partial || c->pause.on;
}

static void on_sweep(uv_timer_t *timer) {
  server *s = timer->data;
  uint64_t now = uv_now(&s->loop);
  bool any = false;
  for (connection *c = s->connections.first, *next; c; c = next) {
    next = c->after;
    any |= check_stall(c, now);
  }
  for (connection *c = s->flow.first; c; c = c->pause.after) {
    if (now - c->pause.since < PRESSURE_MS || is_unread(c)) continue;
    quota_limit over = input_excess(c);
    if (!over.option) continue;
    relieve(s, over.peer ? c->peer : NULL, over);
    break;  // the list is another one now
  }
  if (!any) uv_timer_stop(&s->flow.sweep);
}
