// SPDX-License-Identifier: Apache-2.0
// The open sessions of the daemon, by id. Any thread may call; one lock orders the table, and a session that a request
// has taken is that request's alone until it gives it back.
//
// Ids are 128 random bits. A session belongs to the peer that made it: others may use it, from any connection, only where
// it was opened as shared and they know the id. Sessions that were idle for longer than `session-idle` end. A peer makes
// room by its own sessions alone: beyond `max-sessions`, or `peer-session-memory`, or `session-memory` of all peers, those
// of that peer end that were used longest ago and that no request has. An owner that comes back learns which of these it
// was, for the last thousand that ended so.
#ifndef SERVER_SESSIONS_H
#define SERVER_SESSIONS_H

#include "proto/methods/method.h"
#include "server/config.h"

typedef struct session_table session_table;

// What the table holds: sessions of this process, or processes that hold one each (workers.h) and go by the same type.
typedef struct session_kind {
  void (*free)(struct shape_session *session);
  size_t (*bytes)(const struct shape_session *session);
} session_kind;
extern const session_kind SESSIONS_HERE;

session_table *sessions_new(const server_config *config,
                            const session_kind *kind);  // NULL: no memory
void sessions_free(session_table *table);  // NULL: nothing. No request has one any more
bool sessions_sweep(
    session_table *table);  // ends what was idle for too long; whether there was any
void sessions_counts(session_table *table, uint64_t *open, uint64_t *bytes, uint64_t *expired,
                     uint64_t *evicted);

// As method_host has them; `asker` is the name of the peer.
bool sessions_add(session_table *table, const char *asker, struct shape_session *session,
                  bool shared, char id[SESSION_ID_SIZE], rpc_failure *failure);
struct shape_session *sessions_take(session_table *table, const char *asker, json_slice id,
                                    rpc_failure *failure);
void sessions_give(session_table *table, struct shape_session *session, bool end);

#endif
