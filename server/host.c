// SPDX-License-Identifier: Apache-2.0
// What methods know about the server.
#include <stddef.h>

#include "server/server.h"
#include "solver/shape.h"

static void write_limits(void *data, json_writer *w) {
  const connection *c = data;
  config_write_limits(&c->owner->config, w);
}

static void number(json_writer *w, const char *key, uint64_t value) {
  json_key_string(w, key);
  json_int(w, (int64_t)value);
}

typedef struct number_row {
  const char *key;
  size_t at;  // in server_metrics
} number_row;

#define NUMBER(key, field)                                                                         \
  { key, offsetof(server_metrics, field) }
static const number_row LOAD[] = {NUMBER("worker_deaths", worker_deaths),
                                  NUMBER("queued", queued),
                                  NUMBER("running", running),
                                  NUMBER("in_flight", in_flight),
                                  NUMBER("in_flight_max", in_flight_max),
                                  NUMBER("loop_max_us", loop_max),
                                  NUMBER("loop_cpu_max_us", loop_cpu_max)};
static const number_row CONNECTIONS[] = {
    NUMBER("open", connections), NUMBER("accepted", connections_accepted),
    NUMBER("refused", connections_refused), NUMBER("cut", connections_cut)};
static const number_row TRAFFIC[] = {NUMBER("peers", peers),
                                     NUMBER("buffered_bytes", buffered_bytes),
                                     NUMBER("log_dropped", log_dropped),
                                     NUMBER("messages", messages),
                                     NUMBER("notifications", notifications),
                                     NUMBER("bytes_in", bytes_in),
                                     NUMBER("bytes_out", bytes_out),
                                     NUMBER("resident_bytes", resident_bytes),
                                     NUMBER("heap_bytes", heap_bytes)};
#undef NUMBER
enum {
  LOAD_COUNT = sizeof LOAD / sizeof *LOAD,
  CONNECTION_COUNT = sizeof CONNECTIONS / sizeof *CONNECTIONS,
  TRAFFIC_COUNT = sizeof TRAFFIC / sizeof *TRAFFIC
};

static void numbers(json_writer *w, const server_metrics *m, const number_row *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    number(w, rows[i].key, *(const uint64_t *)((const char *)m + rows[i].at));
}

static void write_methods(const server *s, json_writer *w) {
  json_key(w, "methods");
  json_begin_object(w);
  for (uint32_t i = 0; i < METHOD_COUNT; i++) {
    const method_metrics *m = &s->metrics.methods[i];
    if (!m->times.count) continue;
    json_key_string(w, method_at(i)->name);
    json_begin_object(w);
    number(w, "answered", m->times.count);
    number(w, "failed", m->failed);
    number(w, "p50_us", metrics_quantile(&m->times, 0.5));
    number(w, "p99_us", metrics_quantile(&m->times, 0.99));
    number(w, "max_us", m->micros_max);
    number(w, "sum_us", m->times.micros);
    json_end_object(w);
  }
  json_end_object(w);
}

static void write_errors(const server *s, json_writer *w) {
  char name[48];
  json_key(w, "errors");
  json_begin_object(w);
  for (unsigned i = 1; i < RPC_CODE_COUNT; i++) {
    if (s->metrics.errors[i]) number(w, rpc_code_name((rpc_code)i, name), s->metrics.errors[i]);
  }
  json_end_object(w);
}

void metrics_refresh(server *s) {
  server_metrics *m = &s->metrics;
  pool_counts(&s->pool, &m->queued, &m->running);
  m->peers = s->peers.count;
  m->buffered_bytes = s->peers.use.used[QUOTA_BYTES];
  m->log_dropped = atomic_load(&s->log.dropped);
  m->workers = s->pool.thread_count;
  if (s->workers) m->worker_deaths = workers_counts(s->workers).died;
  m->draining = s->drain.draining;
  m->uptime_seconds = (uv_hrtime() - s->iteration.opened) / 1000000000;
  m->resident_bytes = metrics_memory();
  m->heap_bytes = metrics_heap();
}

static void write_stats(void *data, json_writer *w) {
  server *s = ((connection *)data)->owner;
  const server_metrics *m = &s->metrics;
  metrics_refresh(s);
  json_put_string(w, "version", SHAPE_VERSION);
  number(w, "uptime_ms", (uv_hrtime() - s->iteration.opened) / 1000000);
  json_put_bool(w, "draining", s->drain.draining);
  number(w, "workers", m->workers);
  json_put_bool(w, "isolated", s->workers != NULL);
  numbers(w, m, LOAD, LOAD_COUNT);
  json_key(w, "connections");
  json_begin_object(w);
  numbers(w, m, CONNECTIONS, CONNECTION_COUNT);
  json_end_object(w);
  numbers(w, m, TRAFFIC, TRAFFIC_COUNT);
  uint64_t open = 0, bytes = 0, expired = 0, evicted = 0;
  if (s->sessions) sessions_counts(s->sessions, &open, &bytes, &expired, &evicted);
  json_key(w, "sessions");
  json_begin_object(w);
  number(w, "open", open);
  number(w, "bytes", bytes);
  number(w, "expired", expired);
  number(w, "evicted", evicted);
  json_end_object(w);
  write_methods(s, w);
  write_errors(s, w);
}

// --- what belongs to the peer of a connection; called by workers too, while the connection waits for them

static json_slice get_profile(void *data, shape_arena *arena, json_slice name) {
  const connection *c = data;
  return profiles_get(c->owner->profiles, arena, c->peer->name, name);
}

static bool update_profile(void *data, shape_arena *arena, json_slice name,
                           void (*fold)(void *work, json_slice before, shape_strbuf *after),
                           void *work, rpc_failure *failure) {
  const connection *c = data;
  return profiles_update(c->owner->profiles, arena, c->peer->name, name, fold, work, failure);
}

static bool add_session(void *data, struct shape_session *session, bool shared,
                        char id[SESSION_ID_SIZE], rpc_failure *failure) {
  const connection *c = data;
  return sessions_add(c->owner->sessions, c->peer->name, session, shared, id, failure);
}

static struct shape_session *take_session(void *data, json_slice id, rpc_failure *failure) {
  const connection *c = data;
  return sessions_take(c->owner->sessions, c->peer->name, id, failure);
}

static void give_session(void *data, struct shape_session *session, bool end) {
  const connection *c = data;
  sessions_give(c->owner->sessions, session, end);
}

method_host server_worker_host(connection *c) {
  const server *s = c->owner;
  return (method_host){.data = c,
                       .session_add = s->sessions ? add_session : NULL,
                       .session_take = s->sessions ? take_session : NULL,
                       .session_give = s->sessions ? give_session : NULL,
                       .profile_get = s->profiles ? get_profile : NULL,
                       .profile_update = s->profiles ? update_profile : NULL};
}

method_host server_host(connection *c) {
  method_host host = server_worker_host(c);
  host.write_limits = write_limits;
  host.write_stats = write_stats;
  return host;
}
