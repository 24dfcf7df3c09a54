// SPDX-License-Identifier: Apache-2.0
// Who may use the daemon, and with how many connections.
//
// A connection needs a slot of its peer's. Before a client over TLS has shown its credentials it has one of the
// handshakes, which are counted apart and by address: strangers take nothing from those who are known. Where all of
// these are taken the oldest goes, so that a new client always has a chance.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/server.h"

enum { UNTRUSTED_BYTES = 1 << 16 };

// The credentials did not do, or were none. What is to be said still is; then the connection ends.
void connection_deny(connection *c, const char *why) {
  char quoted[200];
  c->owner->metrics.connections_denied++;
  c->ended = true;
  log_line(&c->owner->log, LOG_IS_WARNING, "deny", "conn=%llu why=%s", (unsigned long long)c->id,
           log_quote(quoted, sizeof quoted, why, strlen(why)));
}

// --- slots

void connection_free_slot(connection *c) {
  if (!c->has_slot) return;
  c->has_slot = false;
  quota_give(&c->owner->peers.use, &c->peer->use, c->slot, 1);
}

// Ends the oldest handshake: of that peer, or (NULL) of the one that has the most.
static void drop_handshake(server *s, const peer *of) {
  connection *oldest = NULL;
  for (connection *c = s->connections.first; c; c = c->after) {
    if (!c->has_slot || c->slot != QUOTA_HANDSHAKES || (of && c->peer != of)) continue;
    uint64_t most = oldest ? oldest->peer->use.used[QUOTA_HANDSHAKES] : 0;
    if (!of && c->peer->use.used[QUOTA_HANDSHAKES] < most) continue;
    oldest = c;  // the newest are first
  }
  if (!oldest) return;
  connection_deny(oldest, "too many clients that show no credentials");
  connection_close(oldest);
}

static quota_limit take_slot(connection *c, quota_kind kind) {
  server *s = c->owner;
  quota_limit over = quota_excess(&s->config, &s->peers.use, &c->peer->use, kind, 1);
  if (over.option && kind == QUOTA_HANDSHAKES) {
    drop_handshake(s, over.peer ? c->peer : NULL);
    over = quota_excess(&s->config, &s->peers.use, &c->peer->use, kind, 1);
  }
  if (over.option) return over;
  quota_take(&s->peers.use, &c->peer->use, kind, 1);
  c->slot = kind;
  c->has_slot = true;
  return over;
}

static void too_many(connection *c, quota_limit over, rpc_failure *failure) {
  rpc_fail(failure, RPC_TOO_MANY_CONNECTIONS, "%s",
           !over.option ? "the server cannot open more files"
           : over.peer  ? "the peer has too many connections"
                        : rpc_code_message(RPC_TOO_MANY_CONNECTIONS));
  failure->limit = over.option;
  failure->limit_value = over.value;
  c->owner->metrics.connections_refused++;
  c->ended = true;
}

// Takes a connection only to say that there are too many.
static void refuse(connection *c, quota_limit over) {
  rpc_failure failure;
  too_many(c, over, &failure);
  if (!c->tls) dispatch_failure(c, &failure);  // before a handshake there is no client to notify
  connection_flush(c);
  connection_maybe_finish(c);
}

// --- clients over TLS

bool connection_admit(connection *c, const tls_token *token, rpc_failure *failure) {
  server *s = c->owner;
  char subject[200], quoted[300], name[PEER_NAME_SIZE];
  if (c->login.recheck && !tls_still_good(s->tls, c->tls, token)) {
    rpc_fail(failure, RPC_UNAUTHORIZED, "%s", rpc_code_message(RPC_UNAUTHORIZED));
    connection_deny(c, "the credentials are none any more");
    return false;
  }
  tls_name(c->tls, token, name, sizeof name);
  peer *known = peer_get(&s->peers, name);
  if (!known) {
    rpc_fail(failure, RPC_MEMORY, "the server is out of memory");
    c->ended = true;
    return false;
  }
  connection_free_slot(c);
  flow_move(c, known);
  peer_release(&s->peers, c->peer);
  c->peer = known;
  c->queue.share = &known->share;
  if (token) c->login.token = *token;
  quota_limit over = take_slot(c, QUOTA_CONNECTIONS);
  if (over.option) {
    too_many(c, over, failure);
    return false;
  }
  c->login.untrusted = false;
  c->reader.limit = flow_message_limit(&s->config);
  tls_peer(c->tls, subject, sizeof subject);
  log_line(&s->log, LOG_IS_INFO, "admit", "conn=%llu peer=%s name=%s", (unsigned long long)c->id,
           log_quote(quoted, sizeof quoted, subject, strlen(subject)), name);
  return true;
}

void connection_recheck(server *s) {
  bool token = tls_needs_token(s->tls);
  for (connection *c = s->connections.first, *next; c; c = next) {
    next = c->after;
    if (!c->tls) continue;
    // What was required when it was accepted stays required.
    if (c->login.untrusted) {
      c->login.wants_token |= token;
      c->login.recheck = true;
    }
    bool good = tls_still_good(s->tls, c->tls, c->login.untrusted ? NULL : &c->login.token);
    if (good) continue;
    connection_deny(c, "the credentials are none any more");
    connection_close(c);
  }
}

// --- accepting

static void log_accept(connection *c, const char *listener, peer_process who) {
  server *s = c->owner;
  char quoted[2 * CONFIG_TEXT_MAX];
  log_line(&s->log, LOG_IS_INFO, "accept", "conn=%llu listener=%s peer=%s uid=%ld pid=%ld",
           (unsigned long long)c->id, log_quote(quoted, sizeof quoted, listener, strlen(listener)),
           c->peer->name, who.uid, who.pid);
}

// Links it; from here on connection_close ends it.
static void open_connection(connection *c, server *s) {
  c->uv.handle.data = c;
  c->owner = s;
  c->id = ++s->connections.next;
  c->out.end = &c->out.first;
  c->accepted = c->heard = uv_now(&s->loop);
  frame_init(&c->reader, flow_message_limit(&s->config));
  c->after = s->connections.first;
  if (c->after) c->after->before = c;
  s->connections.first = c;
  s->metrics.connections++;
}

void connection_accept(server_listener *listener, int fd, bool last) {
  server *s = listener->owner;
  char name[PEER_NAME_SIZE];
  connection *c = calloc(1, sizeof *c);
  if (!c || stream_init(s, &c->uv, listener->tcp)) {
    free(c);
    close(fd);
    accept_failed(listener, UV_ENOMEM);
    return;
  }
  open_connection(c, s);
  peer_process who = peer_name_of(fd, name);
  c->peer = peer_get(&s->peers, name);
  bool sealed = listener->role == LISTENS_FOR_TLS;
  if (sealed) {
    c->tls = tls_session_new(s->tls);
    c->login.untrusted = true;
    c->login.wants_token = tls_needs_token(s->tls);
    c->reader.limit = UNTRUSTED_BYTES;
    flow_watch(s);
  }
  bool open = stream_open(&c->uv, fd);
  if (!open) close(fd);
  if (!open || !c->peer || (sealed && !c->tls)) {
    accept_failed(listener, UV_ENOMEM);
    connection_close(c);
    return;
  }
  c->queue.share = &c->peer->share;
  s->metrics.connections_accepted++;
  if (listener->tcp) uv_tcp_nodelay(&c->uv.tcp, 1);
  log_accept(c, listener->name, who);
  quota_limit over = {0};
  if (!last) over = take_slot(c, sealed ? QUOTA_HANDSHAKES : QUOTA_CONNECTIONS);
  if (last || over.option) {
    refuse(c, over);
  } else if (!connection_read(c)) {
    connection_close(c);
  }
}

bool connection_check_login(connection *c, uint64_t now) {
  if (!c->login.untrusted) return false;
  if (now - c->accepted >= c->owner->config.login) {
    if (!c->ended) connection_deny(c, "no credentials in time");
    connection_close(c);
  }
  return true;
}
