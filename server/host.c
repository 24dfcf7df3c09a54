// SPDX-License-Identifier: Apache-2.0
// What methods know about the server.
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
  number(w, "worker_deaths", m->worker_deaths);
  number(w, "queued", m->queued);
  number(w, "running", m->running);
  number(w, "in_flight", m->in_flight);
  number(w, "in_flight_max", m->in_flight_max);
  number(w, "loop_max_us", m->loop_max);
  number(w, "loop_cpu_max_us", m->loop_cpu_max);
  json_key(w, "connections");
  json_begin_object(w);
  number(w, "open", m->connections);
  number(w, "accepted", m->connections_accepted);
  number(w, "refused", m->connections_refused);
  number(w, "cut", m->connections_cut);
  json_end_object(w);
  number(w, "peers", m->peers);
  number(w, "buffered_bytes", m->buffered_bytes);
  number(w, "log_dropped", m->log_dropped);
  number(w, "messages", m->messages);
  number(w, "notifications", m->notifications);
  number(w, "bytes_in", m->bytes_in);
  number(w, "bytes_out", m->bytes_out);
  number(w, "resident_bytes", m->resident_bytes);
  number(w, "heap_bytes", m->heap_bytes);
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
