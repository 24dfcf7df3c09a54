// SPDX-License-Identifier: Apache-2.0
// Worker processes, seen from the daemon. The set executes its own program as their template, which is the unit tests
// here: with that argument this program is the template, before any test runs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/worker.h"
#include "tests/unit/server/daemon.h"

__attribute__((constructor)) static void be_template(void) {
  char line[256];
  FILE *file = fopen("/proc/self/cmdline", "r");
  size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
  if (file) fclose(file);
  line[length] = 0;
  size_t first = strlen(line) + 1;
  if (first < length && strcmp(line + first, TEMPLATE_ARGUMENT) == 0) _exit(worker_template());
}

static daemon *open_with_workers(unsigned count) {
  char error[256] = "";
  daemon *d = daemon_start("--isolate yes");
  sessions_free(d->s.sessions);
  d->s.sessions = sessions_new(&d->s.config, &WORKER_SESSIONS);
  d->s.workers = workers_start(&d->s.config, count, error, sizeof error);
  cr_assert(d->s.workers && d->s.sessions, "%s", error);
  return d;
}

static worker_counts counts_of(daemon *d) { return workers_counts(d->s.workers); }

Test(worker_set, requests_are_answered_by_processes, .timeout = 120) {
  daemon *d = open_with_workers(2);
  int fd;
  daemon_connect(d, &fd);
  for (int i = 0; i < 5; i++) {
    client_ask(fd, i, "analyze", "{'text': 'func.func @main() { return }'}");
    client_expect(d, fd, "'status': 'ok'");
    client_ask(fd, i, "ops/list", "{}");
    client_expect(d, fd, "'stablehlo.add'");
  }
  cr_expect(counts_of(d).started == 2 && counts_of(d).died == 0, "those that are there are used");
  close(fd);
  daemon_end(d);
}

Test(worker_set, a_session_has_a_process_of_its_own, .timeout = 120) {
  static const char OPEN[] = "{'text': 'func.func @main() { return }'}";
  daemon *d = open_with_workers(1);
  int fd;
  daemon_connect(d, &fd);
  client_ask(fd, 1, "session/open", OPEN);
  client_expect(d, fd, "'session': '");
  char query[80] = "{'session': '";
  strncat(query, strstr(d->heard, "\"session\": \"") + 12, SESSION_ID_SIZE - 1);
  strcat(query, "', 'queries': []}");
  cr_expect_eq(counts_of(d).started, 2);
  client_ask(fd, 2, "session/query", query);
  client_expect(d, fd, "'answers': []");
  client_ask(fd, 3, "session/open", OPEN);
  client_expect(d, fd, "'session': '");
  cr_expect_eq(counts_of(d).started, 3);
  char *end = strstr(query, ", 'queries'");
  strcpy(end, "}");
  client_ask(fd, 4, "session/close", query);
  client_expect(d, fd, "'result'");
  client_ask(fd, 5, "session/close", query);
  client_expect(d, fd, "'code': 'session-unknown'");
  cr_expect_eq(counts_of(d).died, 0, "one that is ended has not died");
  close(fd);
  daemon_end(d);
}

Test(worker_set, a_set_may_have_none_at_first, .timeout = 120) {
  server_config config = {.max_memory = 1 << 20};
  char error[256] = "";
  worker_set *set = workers_start(&config, 0, error, sizeof error);
  cr_assert(set && workers_counts(set).started == 0, "%s", error);
  workers_stop(set);
  workers_stop(NULL);
}
