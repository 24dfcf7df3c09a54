// SPDX-License-Identifier: Apache-2.0
// Connections as they come in, and what happens when one cannot be taken.
//
// libuv's own listeners are not used: they wait for ever where a connection was left untaken, and spin where
// the system is out of descriptors. Here a connection is taken or closed, and where neither is possible the listener
// pauses for a moment, while those who wait keep their position in the queue of the system.
#define _GNU_SOURCE 1  // accept4

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/http.h"

enum {
  TAKEN_PER_ITERATION = 32,  // a burst of clients must not hold up those who are there
  PAUSE_MS = 100,
  COMPLAIN_MS = 10000,  // between two lines of the log
  OTHER_FILES =
      128  // descriptors that are not of clients: listeners, their watchers, databases, the loop
};

static void on_ready(uv_poll_t *poll, int status, int events);

static void on_retry(uv_timer_t *timer) {
  server_listener *l = timer->data;
  if (uv_poll_start(&l->poll, UV_READABLE, on_ready)) uv_timer_start(timer, on_retry, PAUSE_MS, 0);
}

static void pause_listener(server_listener *l) {
  uv_poll_stop(&l->poll);
  uv_timer_start(&l->retry, on_retry, PAUSE_MS, 0);
}

void accept_failed(server_listener *l, int why) {
  server *s = l->owner;
  uint64_t now = uv_now(&s->loop) + 1;  // never 0
  char name[600];
  s->metrics.accepts_failed++;
  if (l->complained && now - l->complained < COMPLAIN_MS) return;
  l->complained = now;
  log_line(&s->log, LOG_IS_WARNING, "accept-failed", "listener=%s why=%s connections=%llu",
           log_quote(name, sizeof name, l->name, strlen(l->name)), uv_err_name(why),
           (unsigned long long)s->metrics.connections);
}

static void take(server_listener *l, int fd, bool last) {
  if (l->role == LISTENS_FOR_HTTP) {
    http_accept(l, fd);
  } else {
    connection_accept(l, fd, last);
  }
}

// Takes a connection with the descriptor that was kept for this, to notify the client. Returns an errno: 0 taken, EAGAIN
// no client waits. (Without descriptors accept says so even then.)
static int take_last(server_listener *l) {
  server *s = l->owner;
  if (s->listening.reserve < 0) s->listening.reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (s->listening.reserve < 0) return errno;
  close(s->listening.reserve);
  s->listening.reserve = -1;
  int fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  int why = fd < 0 ? errno : 0;
  if (fd >= 0) take(l, fd, true);
  s->listening.reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return why;
}

static void on_ready(uv_poll_t *poll, int status, int events) {
  server_listener *l = poll->data;
  (void)events;
  if (status) {
    accept_failed(l, status);
    pause_listener(l);
    return;
  }
  for (int i = 0; i < TAKEN_PER_ITERATION && l->fd >= 0; i++) {
    if (i && !iteration_has_time(&l->owner->iteration, SERVER_ITERATION_NS))
      return;  // the rest is there in the next iteration
    int fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    int why = fd < 0 ? errno : 0;
    if (fd >= 0) take(l, fd, false);
    if (why == EAGAIN || why == EWOULDBLOCK) return;
    // Anything else but want is an error of that one connection, which is gone: see accept(2).
    if (why != EMFILE && why != ENFILE && why != ENOMEM && why != ENOBUFS) continue;
    int last = take_last(l);
    if (last == EAGAIN || last == EWOULDBLOCK) return;
    accept_failed(l, uv_translate_sys_error(why));
    if (last == 0 && l->owner->listening.reserve >= 0) continue;
    pause_listener(l);
    return;
  }
}

int accept_start(server_listener *l) {
  server *s = l->owner;
  l->poll.data = l->retry.data = l;
  if (s->listening.reserve < 0) s->listening.reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int status = uv_poll_init(&s->loop, &l->poll, l->fd);
  if (status) return status;
  uv_timer_init(&s->loop, &l->retry);
  status = uv_poll_start(&l->poll, UV_READABLE, on_ready);
  if (status == 0) return 0;
  uv_close((uv_handle_t *)&l->poll, NULL);
  uv_close((uv_handle_t *)&l->retry, NULL);
  return status;
}

void accept_stop(server_listener *l) {
  if (l->fd < 0) return;
  uv_close((uv_handle_t *)&l->poll, NULL);
  uv_close((uv_handle_t *)&l->retry, NULL);
  close(l->fd);
  l->fd = -1;
}

void accept_make_room(server *s) {
  struct rlimit files;
  rlim_t wanted = OTHER_FILES;
  static const quota_kind FILES[] = {QUOTA_CONNECTIONS, QUOTA_HANDSHAKES, QUOTA_HTTP};
  for (unsigned i = 0; i < 3; i++) wanted += (rlim_t)quota_max(&s->config, FILES[i]);
  if (s->workers) wanted += (rlim_t)(s->config.max_sessions + 4 * s->pool.thread_count);
  if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur == RLIM_INFINITY) return;
  if (files.rlim_cur >= wanted) return;
  files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
  if (setrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur < wanted) {
    log_line(&s->log, LOG_IS_WARNING, "files", "limit=%llu needed=%llu why=max-connections",
             (unsigned long long)files.rlim_cur, (unsigned long long)wanted);
  }
}
