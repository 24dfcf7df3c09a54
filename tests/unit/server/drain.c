// SPDX-License-Identifier: Apache-2.0
// The end of the daemon, and its configuration read again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/server/daemon.h"

Test(drain, without_clients_it_ends_at_once) {
  daemon *d = daemon_start("");
  drain_check(&d->s);
  cr_expect_not(d->s.drain.stopped, "it was not begun");
  drain_begin(&d->s, "test");
  drain_begin(&d->s, "again");
  cr_expect(d->s.drain.draining && d->s.drain.stopped);
  cr_expect(daemon_logged(d, "state=begin why=test") && !daemon_logged(d, "why=again"));
  daemon_end(d);
}

Test(drain, clients_without_requests_end_and_answers_are_sent) {
  daemon *d = daemon_start("");
  int idle, busy;
  daemon_connect(d, &idle);
  connection *c = daemon_connect(d, &busy);
  pool_block(&d->s.pool, &c->queue, true);
  client_ask(busy, 1, "ops/list", "{}");
  daemon_wait(d, c->in_flight == 1);
  drain_begin(&d->s, "test");
  cr_expect_null(client_hear(d, idle));
  cr_expect_not(d->s.drain.stopped);
  pool_block(&d->s.pool, &c->queue, false);
  client_expect(d, busy, "'id': 1, 'result'");
  cr_expect_null(client_hear(d, busy));
  daemon_wait(d, d->s.drain.stopped);
  close(idle), close(busy);
  daemon_end(d);
}

Test(drain, after_its_time_requests_are_cancelled) {
  daemon *d = daemon_with_client("--drain 0");
  pool_block(&d->s.pool, &d->c->queue, true);
  client_ask(d->fd, 1, "ops/list", "{}");
  daemon_wait(d, d->c->in_flight == 1);
  drain_begin(&d->s, "test");
  client_expect(d, d->fd, "'id': 1, 'error': {'code': -32800");
  cr_expect_null(client_hear(d, d->fd));
  cr_expect(daemon_logged(d, "state=cancel in_flight=1"));
  daemon_wait(d, d->s.drain.stopped);
  daemon_end(d);
}

Test(drain, the_log_is_as_the_options_say) {
  static const struct {
    const char *level, *format, *error;
  } ROWS[] = {{"error", "json", NULL},
              {"loud", "json", "log-level: there is no level 'loud'"},
              {"info", "xml", "log-format: there is no format 'xml'"},
              {"", "logfmt", "log-level: there is no level ''"}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    server_config config = {.max_batch = 1};
    server_log log = {.level = LOG_IS_DEBUG};
    char error[128] = "";
    strcpy(config.log_level, ROWS[i].level);
    strcpy(config.log_format, ROWS[i].format);
    bool good = server_configure_log(&log, &config, error, sizeof error);
    cr_expect_eq(good, !ROWS[i].error, "row %zu", i);
    cr_expect_str_eq(error, ROWS[i].error ? ROWS[i].error : "", "row %zu", i);
    cr_expect(good ? log.level == LOG_IS_ERROR && log.json : log.level == LOG_IS_DEBUG && !log.json,
              "row %zu: all or nothing", i);
  }
}

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

Test(drain, a_reload_changes_all_or_nothing) {
  static const struct {
    const char *text, *error;
    uint64_t batch;
  } ROWS[] = {
      {"max-batch = 7\nlog-level = debug\n", NULL, 7},
      {"max-batch = 8\nmax-queue = none\n", "max-queue", 7},
      {"max-batch = 8\nworkers = 3\n", "workers cannot change without a restart", 7},
      {"max-batch = 8\nlog-level = loud\n", "there is no level 'loud'", 7},
      {"log-level = debug\n", NULL, 1000},
  };
  daemon *d = daemon_start("");
  char folder[] = "/tmp/shaped-drain-XXXXXX", path[64];
  cr_assert(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/config", folder);
  char *argv[] = {"shaped", "--config", path, NULL};
  d->s.arguments = (server_arguments){3, argv};
  uint64_t done = 0, refused = 0;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    write_file(path, ROWS[i].text);
    server_reload(&d->s);
    *(ROWS[i].error ? &refused : &done) += 1;
    cr_expect_eq(d->s.config.max_batch, ROWS[i].batch, "row %zu", i);
    cr_expect(d->s.metrics.reloads == done && d->s.metrics.reloads_refused == refused, "row %zu",
              i);
    cr_expect(!ROWS[i].error || daemon_logged(d, ROWS[i].error), "row %zu", i);
  }
  unlink(path);
  rmdir(folder);
  daemon_end(d);
}
