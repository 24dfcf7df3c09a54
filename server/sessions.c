// SPDX-License-Identifier: Apache-2.0
#include "server/sessions.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "server/peer.h"
#include "solver/shape.h"

enum { ENDED_KEPT = 1000, ID_BYTES = (SESSION_ID_SIZE - 1) / 2 };

typedef struct table_entry {
  struct table_entry *older, *newer;  // by last use
  shape_session *session;
  char id[SESSION_ID_SIZE];
  char owner[PEER_NAME_SIZE];
  uint64_t used;  // uv_hrtime
  size_t bytes;   // when it was last given back
  bool taken, shared;
} table_entry;

typedef struct ended_session {
  char id[SESSION_ID_SIZE];
  char owner[PEER_NAME_SIZE];  // empty: all may know
  rpc_code why;
  const char *limit;  // the option that it was over, and its value
  uint64_t limit_value;
} ended_session;

static size_t bytes_of(const shape_session *session) {
  return shape_session_get_stats(session).bytes;
}

const session_kind SESSIONS_HERE = {shape_session_free, bytes_of};

struct session_table {
  const session_kind *kind;
  uv_mutex_t mutex;
  table_entry *oldest, *newest;
  uint64_t count, bytes, idle_ns, expired, evicted;
  uint64_t max, max_bytes;  // of one peer
  uint64_t all_bytes;       // of all
  ended_session ended[ENDED_KEPT];
  uint32_t next_ended;
};

session_table *sessions_new(const server_config *config, const session_kind *kind) {
  session_table *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->kind = kind;
  if (uv_mutex_init(&t->mutex)) {
    free(t);
    return NULL;
  }
  t->max = config->max_sessions;
  t->max_bytes = config->peer_session_memory;
  t->all_bytes = config->session_memory;
  t->idle_ns = config->session_idle * 1000000;
  return t;
}

void sessions_free(session_table *t) {
  if (!t) return;
  while (t->oldest) {
    table_entry *e = t->oldest;
    t->oldest = e->newer;
    t->kind->free(e->session);
    free(e);
  }
  uv_mutex_destroy(&t->mutex);
  free(t);
}

// --- the list, under the lock

static void unlink_entry(session_table *t, table_entry *e) {
  assert((e->newer ? e->newer->older : t->newest) == e);
  assert((e->older ? e->older->newer : t->oldest) == e);
  *(e->older ? &e->older->newer : &t->oldest) = e->newer;
  *(e->newer ? &e->newer->older : &t->newest) = e->older;
}

static void link_newest(session_table *t, table_entry *e) {
  assert(!t->newest == !t->oldest);
  e->older = t->newest;
  e->newer = NULL;
  *(t->newest ? &t->newest->newer : &t->oldest) = e;
  t->newest = e;
}

// What limits the sessions of a peer: an option and its value.
typedef struct table_limit {
  const char *option;
  uint64_t value;
} table_limit;

// Takes it out of the table; `why` is reported to its owner later, RPC_OK: nothing.
static void take_out(session_table *t, table_entry *e, rpc_code why, table_limit limit) {
  assert(t->count > 0 && t->bytes >= e->bytes);
  unlink_entry(t, e);
  t->count--;
  t->bytes -= e->bytes;
  if (why == RPC_OK) return;
  ended_session *ended = &t->ended[t->next_ended++ % ENDED_KEPT];
  *ended = (ended_session){.why = why, .limit = limit.option, .limit_value = limit.value};
  memcpy(ended->id, e->id, sizeof ended->id);
  if (!e->shared) memcpy(ended->owner, e->owner, sizeof ended->owner);
  t->expired += why == RPC_SESSION_EXPIRED;
  t->evicted += why == RPC_SESSION_EVICTED;
}

// Freeing a large session takes a while: what is to go leaves as a list by `newer`, and is freed without the lock.
static table_entry *collect_idle(session_table *t) {
  const table_limit limit = {"session-idle", t->idle_ns / 1000000};
  uint64_t now = uv_hrtime();
  table_entry *gone = NULL, *next;
  for (table_entry *e = t->oldest; e && now - e->used > t->idle_ns; e = next) {
    next = e->newer;
    if (e->taken) continue;
    take_out(t, e, RPC_SESSION_EXPIRED, limit);
    e->newer = gone;
    gone = e;
  }
  return gone;
}

typedef struct peer_sessions {
  uint64_t count, bytes;
} peer_sessions;

static table_limit excess(const session_table *t, const peer_sessions *own) {
  if (own->count > t->max) return (table_limit){"max-sessions", t->max};
  if (own->bytes > t->max_bytes) return (table_limit){"peer-session-memory", t->max_bytes};
  if (t->bytes > t->all_bytes) return (table_limit){"session-memory", t->all_bytes};
  return (table_limit){NULL, 0};
}

// Makes room by the sessions of one peer; adds them to `gone`. O(sessions).
static table_entry *collect_of(session_table *t, const char *owner, table_entry *gone) {
  peer_sessions own = {0};
  for (table_entry *e = t->oldest; e; e = e->newer) {
    if (strcmp(e->owner, owner) != 0) continue;
    own.count++;
    own.bytes += e->bytes;
  }
  for (table_entry *e = t->oldest, *next; e; e = next) {
    next = e->newer;
    table_limit limit = excess(t, &own);
    if (!limit.option) break;
    if (e->taken || strcmp(e->owner, owner) != 0) continue;
    take_out(t, e, RPC_SESSION_EVICTED, limit);
    assert(own.count > 0 && own.bytes >= e->bytes);
    own.count--;
    own.bytes -= e->bytes;
    e->newer = gone;
    gone = e;
  }
  return gone;
}

static void free_list(const session_table *t, table_entry *list) {
  while (list) {
    table_entry *next = list->newer;
    t->kind->free(list->session);
    free(list);
    list = next;
  }
}

bool sessions_sweep(session_table *t) {
  uv_mutex_lock(&t->mutex);
  table_entry *gone = collect_idle(t);
  uv_mutex_unlock(&t->mutex);
  bool any = gone != NULL;
  free_list(t, gone);
  return any;
}

void sessions_counts(session_table *t, uint64_t *open, uint64_t *bytes, uint64_t *expired,
                     uint64_t *evicted) {
  uv_mutex_lock(&t->mutex);
  *open = t->count;
  *bytes = t->bytes;
  *expired = t->expired;
  *evicted = t->evicted;
  uv_mutex_unlock(&t->mutex);
}

// --- requests

bool sessions_add(session_table *t, const char *asker, shape_session *session, bool shared,
                  char id[SESSION_ID_SIZE], rpc_failure *failure) {
  static const char HEX[] = "0123456789abcdef";
  unsigned char random[ID_BYTES];
  assert(strlen(asker) < PEER_NAME_SIZE);
  table_entry *e = calloc(1, sizeof *e);
  if (!e || uv_random(NULL, NULL, random, sizeof random, 0, NULL)) {
    free(e);
    rpc_fail(failure, RPC_MEMORY, "there is no room for a session");
    return false;
  }
  for (unsigned i = 0; i < ID_BYTES; i++) {
    id[2 * i] = HEX[random[i] >> 4];
    id[2 * i + 1] = HEX[random[i] & 15];
  }
  id[SESSION_ID_SIZE - 1] = 0;
  memcpy(e->id, id, SESSION_ID_SIZE);
  snprintf(e->owner, sizeof e->owner, "%s", asker);
  e->shared = shared;
  e->session = session;
  e->bytes = t->kind->bytes(session);
  e->used = uv_hrtime();
  e->taken = true;
  uv_mutex_lock(&t->mutex);
  link_newest(t, e);
  t->count++;
  t->bytes += e->bytes;
  table_entry *gone = collect_of(t, asker, collect_idle(t));
  uv_mutex_unlock(&t->mutex);
  free_list(t, gone);
  return true;
}

// All bytes are compared whatever they are: the time reveals nothing about ids.
static bool same_id(const char *known, json_slice id) {
  unsigned char differ = 0;
  if (id.length != SESSION_ID_SIZE - 1) return false;
  for (size_t i = 0; i < id.length; i++) differ |= (unsigned char)(known[i] ^ id.text[i]);
  return !differ;
}

shape_session *sessions_take(session_table *t, const char *asker, json_slice id,
                             rpc_failure *failure) {
  shape_session *found = NULL;
  rpc_code code = RPC_SESSION_UNKNOWN;
  uv_mutex_lock(&t->mutex);
  table_entry *gone = collect_idle(t);
  for (table_entry *e = t->newest; e; e = e->older) {
    if (!same_id(e->id, id) || (!e->shared && strcmp(e->owner, asker) != 0)) continue;
    code = e->taken ? RPC_SESSION_BUSY : RPC_OK;
    if (e->taken) break;
    e->taken = true;
    e->used = uv_hrtime();
    unlink_entry(t, e);
    link_newest(t, e);
    found = e->session;
    break;
  }
  ended_session ended = {.why = code};
  for (uint32_t i = 0; code == RPC_SESSION_UNKNOWN && i < ENDED_KEPT; i++) {
    const ended_session *known = &t->ended[i];
    if (!*known->id || !same_id(known->id, id)) continue;
    if (!*known->owner || strcmp(known->owner, asker) == 0) ended = *known;
  }
  uv_mutex_unlock(&t->mutex);
  free_list(t, gone);
  if (!found) {
    rpc_fail(failure, ended.why, "%s", rpc_code_message(ended.why));
    failure->limit = ended.limit;
    failure->limit_value = ended.limit_value;
  }
  return found;
}

void sessions_give(session_table *t, shape_session *session, bool end) {
  table_entry *gone = NULL;
  uv_mutex_lock(&t->mutex);
  table_entry *e = t->newest;
  while (e && e->session != session) e = e->older;
  assert(!e || e->taken);
  if (e && end) {
    take_out(t, e, RPC_OK, (table_limit){0});
    e->newer = NULL;
    gone = e;
  } else if (e) {
    assert(t->bytes >= e->bytes);
    t->bytes -= e->bytes;
    e->bytes = t->kind->bytes(session);
    t->bytes += e->bytes;
    e->used = uv_hrtime();
    e->taken = false;
    unlink_entry(t, e);
    link_newest(t, e);
    gone = collect_of(t, e->owner, collect_idle(t));
  }
  uv_mutex_unlock(&t->mutex);
  free_list(t, gone);
}
