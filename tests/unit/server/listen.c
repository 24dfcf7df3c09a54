// SPDX-License-Identifier: Apache-2.0
// Where clients come in: paths, addresses, and what is refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/unit/server/daemon.h"

typedef struct scene {
  daemon *d;
  char folder[32], path[64], error[512];
} scene;

static scene open_scene(const char *options) {
  scene s = {.folder = "/tmp/shaped-listen-XXXXXX"};
  cr_assert(mkdtemp(s.folder));
  snprintf(s.path, sizeof s.path, "%s/socket", s.folder);
  s.d = daemon_start(options);
  snprintf(s.d->s.config.socket, CONFIG_TEXT_MAX, "%s", s.path);
  return s;
}

static void close_scene(scene *s) {
  daemon_end(s->d);
  unlink(s->path);
  cr_expect_eq(rmdir(s->folder), 0, "something is left in %s", s->folder);
}

static bool listen_here(scene *s) { return listen_all(&s->d->s, s->error, sizeof s->error); }

static int connect_unix(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  cr_assert(fd >= 0);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  close(fd);
  return -1;
}

Test(listen, a_client_finds_the_socket) {
  scene s = open_scene("--socket-mode 600");
  struct stat info;
  cr_assert(listen_here(&s), "%s", s.error);
  cr_assert_eq(stat(s.path, &info), 0);
  cr_expect(S_ISSOCK(info.st_mode) && (info.st_mode & 0777) == 0600);
  int fd = connect_unix(s.path);
  cr_assert(fd >= 0);
  client_ask(fd, 1, "server/ping", "{}");
  client_expect(s.d, fd, "'result'");
  close(fd);
  listen_stop(&s.d->s, LISTENS_FOR_TLS);
  cr_expect_eq(access(s.path, F_OK), 0, "it is of another role");
  listen_stop(&s.d->s, LISTENS_FOR_CLIENTS);
  listen_stop(&s.d->s, LISTENS_FOR_CLIENTS);
  cr_expect_neq(access(s.path, F_OK), 0);
  close_scene(&s);
}

Test(listen, only_a_socket_that_no_daemon_answers_is_replaced) {
  scene s = open_scene(""), other = open_scene("");
  cr_assert(listen_here(&s));
  snprintf(other.d->s.config.socket, CONFIG_TEXT_MAX, "%s", s.path);
  cr_expect_not(listen_here(&other));
  cr_expect(strstr(other.error, "is already in use"), "%s", other.error);
  // One that has died leaves its path.
  accept_stop(&s.d->s.listening.items[0]);
  cr_expect(listen_here(&other), "%s", other.error);
  close_scene(&other);
  close_scene(&s);
}

Test(listen, what_is_another_daemons_by_now_stays) {
  scene s = open_scene(""), other = open_scene("");
  cr_assert(listen_here(&s));
  snprintf(other.d->s.config.socket, CONFIG_TEXT_MAX, "%s", s.path);
  cr_assert_eq(unlink(s.path), 0);
  cr_assert(listen_here(&other), "%s", other.error);
  listen_stop(&s.d->s, LISTENS_FOR_CLIENTS);
  cr_expect_eq(access(s.path, F_OK), 0);
  close_scene(&other);
  close_scene(&s);
}

Test(listen, a_file_stays) {
  scene s = open_scene("");
  FILE *file = fopen(s.path, "w");
  cr_assert(file && fclose(file) == 0);
  cr_expect_not(listen_here(&s));
  cr_expect(strstr(s.error, "exists and is not a socket"), "%s", s.error);
  cr_expect_eq(access(s.path, F_OK), 0);
  close_scene(&s);
}

Test(listen, paths_that_cannot_be) {
  scene s = open_scene("");
  char *path = s.d->s.config.socket;
  snprintf(path, CONFIG_TEXT_MAX, "%s/none/socket", s.folder);
  cr_expect_not(listen_here(&s));
  cr_expect(strstr(s.error, "cannot bind") && strstr(s.error, "there is no such folder"), "%s",
            s.error);
  memset(path, 'x', 200);
  path[0] = '/';
  path[200] = 0;
  cr_expect_not(listen_here(&s));
  cr_expect(strstr(s.error, "is 200 bytes long, at most 107 are possible"), "%s", s.error);
  close_scene(&s);
}

Test(listen, a_folder_that_others_write_to_is_none_for_the_default) {
  scene s = open_scene("");
  s.d->s.config.socket[0] = 0;
  setenv("XDG_RUNTIME_DIR", s.folder, 1);
  chmod(s.folder, 0777);
  cr_expect_not(listen_here(&s));
  cr_expect(strstr(s.error, "others than this user can write to"), "%s", s.error);
  chmod(s.folder, 0700);
  cr_assert(listen_here(&s), "%s", s.error);
  char *name = s.d->s.listening.items[0].name;
  cr_expect(strstr(name, s.folder) && strstr(name, "/shaped.sock"), "%s", name);
  close_scene(&s);
}

Test(listen, the_system_chooses_a_port) {
  scene s = open_scene("--tcp 127.0.0.1:0 --http localhost:0");
  cr_assert(listen_here(&s), "%s", s.error);
  cr_assert_eq(s.d->s.listening.count, 3);
  for (int i = 1; i < 3; i++) {
    const server_listener *l = &s.d->s.listening.items[i];
    const char *colon = strrchr(l->name, ':');
    cr_assert(l->tcp && colon);
    cr_expect_gt(strtoul(colon + 1, NULL, 10), 0, "%s", l->name);
  }
  close_scene(&s);
}

Test(listen, addresses_are_checked) {
  static const struct {
    const char *tcp, *tls, *http, *error;
  } ROWS[] = {
      {"", "", "", NULL},
      {"127.0.0.1:1", "0.0.0.0:1", "1.2.3.4:80", NULL},
      {"[::1]:1", "[::]:1", "/run/metrics", NULL},
      {"localhost:0", "", "", NULL},
      {"0.0.0.0:1", "", "", "tcp: 0.0.0.0:1 is not a loopback address"},
      {"[::2]:1", "", "", "is not a loopback address"},
      {"127.0.0.1", "", "", "tcp: '127.0.0.1' is not HOST:PORT"},
      {"127.0.0.1:", "", "", "is not HOST:PORT"},
      {"127.0.0.1:65536", "", "", "is not HOST:PORT"},
      {"127.0.0.1:+1", "", "", "is not HOST:PORT"},
      {"127.0.0.1:1x", "", "", "is not HOST:PORT"},
      {"example.org:1", "", "", "tcp: 'example.org' is not an address"},
      {"", ":1", "", "tls: '' is not an address"},
      {"", "", "metrics", "http: 'metrics' is not HOST:PORT or an absolute path"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    server_config config = {.max_batch = 1};
    char error[512] = "";
    strcpy(config.tcp, ROWS[i].tcp);
    strcpy(config.tls, ROWS[i].tls);
    strcpy(config.http, ROWS[i].http);
    cr_expect_eq(listen_check(&config, error, sizeof error), !ROWS[i].error, "row %zu", i);
    cr_expect(!ROWS[i].error || strstr(error, ROWS[i].error), "row %zu: %s", i, error);
  }
}
