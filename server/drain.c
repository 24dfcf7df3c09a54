// SPDX-License-Identifier: Apache-2.0
// The end: no more connections, no more requests; those under way are answered, or cancelled when their time is over.
#include <stdio.h>
#include <string.h>

#include "server/notify.h"
#include "server/server.h"

void drain_check(server *s) {
  if (!s->draining || s->stopped || s->active || s->connections) return;
  s->stopped = true;
  uv_stop(&s->loop);
}

static void on_deadline(uv_timer_t *timer) {
  server *s = timer->data;
  log_line(&s->log, LOG_IS_WARNING, "drain", "state=cancel in_flight=%llu",
           (unsigned long long)s->metrics.in_flight);
  for (server_job *job = s->active; job; job = job->active_after) {
    dispatch_cancel(job, SHAPE_CANCELLED);
  }
  // Connections whose clients do not read their replies would hold us for ever.
  for (connection *c = s->connections; c;) {
    connection *next = c->after;
    if (!c->in_flight) connection_close(c);
    c = next;
  }
}

void drain_begin(server *s, const char *why) {
  if (s->draining) return;
  s->draining = true;
  notify("STOPPING=1");
  log_line(&s->log, LOG_IS_INFO, "drain", "state=begin why=%s in_flight=%llu", why,
           (unsigned long long)s->metrics.in_flight);
  listen_stop(s);
  uv_timer_start(&s->drain, on_deadline, s->config.drain, 100);
  for (connection *c = s->connections; c;) {
    connection *next = c->after;
    connection_maybe_finish(c);
    c = next;
  }
  drain_check(s);
}

void server_reload(server *s) {
  server_config config;
  config_line line;
  char error[512], quoted[600];
  const char *name = NULL;
  notify("RELOADING=1");
  bool good = config_read(&config, s->argc, s->argv, &line, error, sizeof error);
  log_level level = LOG_IS_INFO;
  if (good && !log_level_from(config.log_level, &level)) {
    good = false;
    snprintf(error, sizeof error, "log-level: there is no level '%.60s'", config.log_level);
  }
  if (good && config_needs_restart(&s->config, &config, &name)) {
    good = false;
    snprintf(error, sizeof error, "%s cannot change without a restart", name);
  }
  // All or nothing: a file with one mistake changes nothing.
  if (good) {
    s->config = config;
    s->log.level = level;
    log_line(&s->log, LOG_IS_INFO, "reload", "outcome=ok");
  } else {
    log_line(&s->log, LOG_IS_ERROR, "reload", "outcome=refused error=%s",
             log_quote(quoted, sizeof quoted, error, strlen(error)));
  }
  notify("READY=1");
}
