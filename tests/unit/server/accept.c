// SPDX-License-Identifier: Apache-2.0
// Connections as they come in, also where there are no descriptors left.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/unit/server/daemon.h"

typedef struct entrance {
  daemon *d;
  char path[64];
} entrance;

static entrance open_entrance(const char *options) {
  entrance e = {.d = daemon_start(options)};
  char error[256];
  snprintf(e.path, sizeof e.path, "/tmp/shaped-accept-%ld", (long)getpid());
  snprintf(e.d->s.config.socket, CONFIG_TEXT_MAX, "%s", e.path);
  cr_assert(listen_all(&e.d->s, error, sizeof error), "%s", error);
  return e;
}

static int enter(const entrance *e) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, e->path, strlen(e->path) + 1);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  cr_assert(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
  return fd;
}

Test(accept, each_client_that_waits_is_taken) {
  enum { MANY = 40 };  // more than an iteration takes
  entrance e = open_entrance("");
  int fds[MANY];
  for (int i = 0; i < MANY; i++) fds[i] = enter(&e);
  daemon_wait(e.d, e.d->s.metrics.connections == MANY);
  for (int i = 0; i < MANY; i++) {
    client_ask(fds[i], i, "server/ping", "{}");
    client_expect(e.d, fds[i], "'result'");
    close(fds[i]);
  }
  cr_expect_eq(e.d->s.metrics.accepts_failed, 0);
  daemon_end(e.d);
}

Test(accept, without_descriptors_a_client_is_told_so) {
  entrance e = open_entrance("");
  struct rlimit files;
  int fd = enter(&e), second = enter(&e);
  cr_assert_eq(getrlimit(RLIMIT_NOFILE, &files), 0);
  const struct rlimit none = {(rlim_t)second + 1, files.rlim_max};
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
  int held[4096], count = 0;  // what is free below
  while (count < 4096 && (held[count] = dup(fd)) >= 0) count++;
  client_expect(e.d, fd, "the server cannot open more files");
  client_expect(e.d, second, "the server cannot open more files");
  cr_expect_gt(e.d->s.metrics.accepts_failed, 0);
  cr_expect(daemon_logged(e.d, "event=accept-failed") && daemon_logged(e.d, "why=EMFILE"));
  while (count) close(held[--count]);
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &files), 0);
  int third = enter(&e);
  client_ask(third, 1, "server/ping", "{}");
  client_expect(e.d, third, "'result'");
  close(fd), close(second), close(third);
  daemon_end(e.d);
}

Test(accept, the_log_has_a_failure_from_time_to_time) {
  entrance e = open_entrance("");
  server_listener *l = &e.d->s.listening.items[0];
  accept_failed(l, UV_EMFILE);
  accept_failed(l, UV_ENFILE);
  cr_expect_eq(e.d->s.metrics.accepts_failed, 2);
  cr_expect(daemon_logged(e.d, "why=EMFILE") && !daemon_logged(e.d, "why=ENFILE"));
  daemon_end(e.d);
}

Test(accept, a_listener_is_closed_once) {
  entrance e = open_entrance("");
  server_listener *l = &e.d->s.listening.items[0];
  int fd = l->fd;
  accept_stop(l);
  cr_expect(l->fd == -1 && close(fd) == -1);
  accept_stop(l);
  unlink(e.path);
  daemon_end(e.d);
}

Test(accept, there_are_files_for_as_many_clients_as_may_be) {
  struct rlimit files, before;
  cr_assert_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
  const struct rlimit few = {200, before.rlim_max < 1000 ? before.rlim_max : 1000};
  daemon *d = daemon_start("--max-connections 20 --max-handshakes 10 --max-http 10");
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
  accept_make_room(&d->s);
  cr_assert_eq(getrlimit(RLIMIT_NOFILE, &files), 0);
  uint64_t wanted = files.rlim_cur;
  cr_expect(wanted >= 128 + 20 + 10 + 10 && wanted < few.rlim_max, "%llu",
            (unsigned long long)wanted);
  cr_expect_not(daemon_logged(d, "event=files"));
  accept_make_room(&d->s);
  cr_expect(getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur == wanted);
  d->s.config.max_connections = 5000;
  accept_make_room(&d->s);
  cr_expect(getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur == few.rlim_max);
  cr_expect(daemon_logged(d, "event=files limit="));
  daemon_end(d);
}
