// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/server/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void read_options(server_config *config, const char *options) {
  char text[512], *argv[32] = {"shaped"}, error[256] = "";
  config_line line;
  int count = 1;
  snprintf(text, sizeof text, "%s", options);
  for (char *word = strtok(text, " "); word && count < 31; word = strtok(NULL, " "))
    argv[count++] = word;
  cr_assert(config_read(config, count, argv, &line, error, sizeof error), "%s", error);
}

daemon *daemon_start(const char *options) {
  char error[256] = "";
  daemon *d = calloc(1, sizeof *d);
  cr_assert(d);
  server *s = &d->s;
  signal(SIGPIPE, SIG_IGN);
  read_options(&s->config, options);
  d->log = tmpfile();
  cr_assert(d->log);
  s->log = (server_log){.level = LOG_IS_DEBUG, .fd = fileno(d->log), .kind = LOG_FD_FILE};
  cr_assert(handles_open(s));
  s->sessions = sessions_new(&s->config, &SESSIONS_HERE);
  s->profiles = profiles_open(&s->config, error, sizeof error);
  cr_assert(s->sessions && !*error, "%s", error);
  cr_assert(pool_start(&s->pool, 1, &s->wake));
  d->listener = (server_listener){.owner = s, .fd = -1, .name = "test"};
  d->fd = -1;
  return d;
}

daemon *daemon_with_client(const char *options) {
  daemon *d = daemon_start(options);
  d->c = daemon_connect(d, &d->fd);
  return d;
}

void daemon_end(daemon *d) {
  server *s = &d->s;
  if (d->fd >= 0) close(d->fd);
  for (connection *c = s->connections.first, *next; c; c = next) {
    next = c->after;
    connection_close(c);
  }
  daemon_wait(d, !s->jobs.active && !s->peers.first);
  for (int kind = 0; kind < QUOTA_COUNT; kind++)
    cr_expect_eq(s->peers.use.used[kind], 0, "of kind %d something is counted still", kind);
  cr_expect(s->peers.count == 0 && s->metrics.connections == 0 && s->metrics.in_flight == 0);
  pool_stop(&s->pool);
  short_stop(&s->shorts);
  handles_close(s);
  profiles_close(s->profiles);
  sessions_free(s->sessions);
  workers_stop(s->workers);
  fclose(d->log);
  free(d);
}

static void on_step(uv_timer_t *timer) { (void)timer; }

static void on_step_closed(uv_handle_t *handle) { *(bool *)handle->data = true; }

void daemon_step(daemon *d) {
  bool closed = false;
  uv_timer_t timer;
  uv_timer_init(&d->s.loop, &timer);
  timer.data = &closed;
  uv_timer_start(&timer, on_step, 1, 0);
  uv_run(&d->s.loop, UV_RUN_ONCE);
  uv_close((uv_handle_t *)&timer, on_step_closed);
  while (!closed) uv_run(&d->s.loop, UV_RUN_NOWAIT);
}

bool daemon_logged(daemon *d, const char *part) {
  static char text[1 << 16];
  ssize_t n = pread(fileno(d->log), text, sizeof text - 1, 0);
  cr_assert(n >= 0);
  text[n] = 0;
  return strstr(text, part) != NULL;
}

connection *daemon_connect(daemon *d, int *fd) {
  int ends[2];
  cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
  connection_accept(&d->listener, ends[1], false);
  *fd = ends[0];
  return d->s.connections.first;
}

static char *with_quotes(const char *text) {
  char *out = strdup(text);
  cr_assert(out);
  for (char *c = out; *c; c++) *c = *c == '\'' ? '"' : *c;
  return out;
}

void client_send(int fd, const char *text) {
  char *line = with_quotes(text);
  size_t length = strlen(line);
  line[length] = '\n';  // in place of the 0
  fcntl(fd, F_SETFL, 0);
  for (size_t sent = 0; sent <= length;) {
    ssize_t n = send(fd, line + sent, length + 1 - sent, MSG_NOSIGNAL);
    cr_assert(n > 0, "%s", strerror(errno));
    sent += (size_t)n;
  }
  free(line);
}

void client_ask(int fd, int id, const char *method, const char *params) {
  static const char FORM[] = "{'jsonrpc': '2.0', 'id': %d, 'method': '%s', 'params': %s}";
  size_t size = sizeof FORM + strlen(method) + strlen(params) + 16;
  char *text = malloc(size);
  cr_assert(text);
  snprintf(text, size, FORM, id, method, params);
  client_send(fd, text);
  free(text);
}

daemon *daemon_with_clients(daemon_clients *out) {
  daemon *d = daemon_start("");
  for (int i = 0; i < CLIENTS; i++) out->c[i] = daemon_connect(d, &out->fds[i]);
  return d;
}

void clients_close(const daemon_clients *clients) {
  for (int i = 0; i < CLIENTS; i++) close(clients->fds[i]);
}

// What has come of a line, at most `room` bytes: its end is among it, or there is none. As recv, but for that.
static ssize_t hear_piece(int fd, char *to, size_t room) {
  ssize_t n = recv(fd, to, room, MSG_PEEK | MSG_DONTWAIT);
  if (n <= 0) return n;
  const char *end = memchr(to, '\n', (size_t)n);
  return recv(fd, to, end ? (size_t)(end - to) + 1 : (size_t)n, MSG_DONTWAIT);
}

const char *client_hear(daemon *d, int fd) {
  size_t used = 0;
  for (int steps = 0; !used || d->heard[used - 1] != '\n';) {
    cr_assert(used < DAEMON_HEARD - 1, "the reply is too long");
    ssize_t n = hear_piece(fd, d->heard + used, DAEMON_HEARD - 1 - used);
    if (n > 0) used += (size_t)n;
    if (n > 0) continue;
    if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) break;
    cr_assert(steps++ < 20000, "there is no reply");
    daemon_step(d);
  }
  d->heard[used] = 0;
  if (!used) return NULL;
  if (d->heard[used - 1] == '\n') d->heard[used - 1] = 0;
  return d->heard;
}

void client_expect(daemon *d, int fd, const char *part) {
  const char *line = client_hear(d, fd);
  char *want = with_quotes(part);
  cr_assert(line && strstr(line, want), "%s\n  is not in %s", want, line ? line : "nothing");
  free(want);
}
