// SPDX-License-Identifier: Apache-2.0
// The end: no more connections, no more requests; those under way are answered, or cancelled when their time is over.
#include <stdio.h>
#include <string.h>

#include "server/notify.h"
#include "server/server.h"

enum { GRACE_MS = 5000, REPEAT_MS = 100 };

// How long replies may still go out after the time is over. Where nothing was under way then, clients had all of it to
// read theirs.
static uint64_t grace_of(const server *s) { return s->jobs.active ? GRACE_MS : REPEAT_MS; }

void drain_check(server *s) {
  if (!s->drain.draining || s->drain.stopped || s->jobs.active || s->connections.first) return;
  s->drain.stopped = true;
  uv_stop(&s->loop);
}

static void on_deadline(uv_timer_t *timer) {
  server *s = timer->data;
  // Replies still have a moment to go out; clients that do not read them would hold us for ever.
  if (!s->drain.late) {
    s->drain.late = uv_now(&s->loop) + grace_of(s);
    log_line(&s->log, LOG_IS_WARNING, "drain", "state=cancel in_flight=%llu",
             (unsigned long long)s->metrics.in_flight);
  }
  for (server_job *job = s->jobs.active; job; job = job->active_after) {
    dispatch_cancel(job, SHAPE_CANCELLED);
  }
  if (uv_now(&s->loop) < s->drain.late) return;
  for (connection *c = s->connections.first; c;) {
    connection *next = c->after;
    if (!c->in_flight) connection_close(c);
    c = next;
  }
}

void drain_begin(server *s, const char *why) {
  if (s->drain.draining) return;
  s->drain.draining = true;
  notify("STOPPING=1");
  log_line(&s->log, LOG_IS_INFO, "drain", "state=begin why=%s in_flight=%llu", why,
           (unsigned long long)s->metrics.in_flight);
  listen_stop(s, LISTENS_FOR_CLIENTS);
  listen_stop(s, LISTENS_FOR_TLS);
  uv_timer_start(&s->drain.timer, on_deadline, s->config.drain, REPEAT_MS);
  for (connection *c = s->connections.first; c;) {
    connection *next = c->after;
    connection_maybe_finish(c);
    c = next;
  }
  drain_check(s);
}

bool server_configure_log(server_log *log, const server_config *config, char *error, size_t size) {
  log_level level;
  bool json;
  if (!log_level_from(config->log_level, &level)) {
    snprintf(error, size, "log-level: there is no level '%.60s'", config->log_level);
    return false;
  }
  if (!log_format_from(config->log_format, &json)) {
    snprintf(error, size, "log-format: there is no format '%.60s'", config->log_format);
    return false;
  }
  log->level = level;
  log->json = json;
  return true;
}

void server_reload(server *s) {
  server_config config;
  config_line line;
  char error[512], quoted[600];
  const char *name = NULL;
  char state[64];
  snprintf(state, sizeof state, "RELOADING=1\nMONOTONIC_USEC=%llu",
           (unsigned long long)(uv_hrtime() / 1000));
  notify(state);
  bool good = config_read_again(&config, s->arguments.count, s->arguments.texts, &line, error,
                                sizeof error);
  if (good && config_needs_restart(&s->config, &config, &name)) {
    good = false;
    snprintf(error, sizeof error, "%s cannot change without a restart", name);
  }
  tls_context *tls = NULL;
  if (good && s->tls) {
    tls = tls_context_new(&config, error, sizeof error);
    good = tls != NULL;
  }
  // All or nothing: a file with one error changes nothing.
  if (good && server_configure_log(&s->log, &config, error, sizeof error)) {
    s->config = config;
    accept_make_room(s);
    if (tls) {
      tls_context_free(s->tls);
      s->tls = tls;
      connection_recheck(s);
    }
    s->metrics.reloads++;
    log_line(&s->log, LOG_IS_INFO, "reload", "outcome=ok");
  } else {
    tls_context_free(tls);
    s->metrics.reloads_refused++;
    log_line(&s->log, LOG_IS_ERROR, "reload", "outcome=refused error=%s",
             log_quote(quoted, sizeof quoted, error, strlen(error)));
  }
  notify("READY=1");
}
