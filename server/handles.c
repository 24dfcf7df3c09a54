// SPDX-License-Identifier: Apache-2.0
// The loop, and what lives as long as it does.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/http.h"

static void on_wake(uv_async_t *async) { dispatch_finished(async->data); }

int stream_init(server *s, server_stream *stream, bool tcp) {
  return tcp ? uv_tcp_init(&s->loop, &stream->tcp) : uv_pipe_init(&s->loop, &stream->pipe, 0);
}

bool stream_open(server_stream *stream, int fd) {
  return (stream->handle.type == UV_TCP ? uv_tcp_open(&stream->tcp, fd)
                                        : uv_pipe_open(&stream->pipe, fd)) == 0;
}

static void on_nothing(uv_poll_t *poll, int status, int events) {
  (void)poll;
  (void)status;
  (void)events;
}

// libuv ends the process where it has no memory for a longer table of descriptors. It is as long as it has to be from
// the start: a descriptor of the highest number is watched once.
static void reserve_descriptors(server *s) {
  enum { OTHERS = 1024 };  // beside connections: listeners, metrics, pipes of workers, files
  struct rlimit limit;
  uint64_t highest = s->config.max_connections + OTHERS;
  if (!getrlimit(RLIMIT_NOFILE, &limit) && highest >= limit.rlim_cur) highest = limit.rlim_cur - 1;
  int event = eventfd(0, EFD_CLOEXEC);
  int fd = event < 0 ? -1 : fcntl(event, F_DUPFD_CLOEXEC, (int)highest);
  if (event >= 0) close(event);
  if (fd < 0) return;
  if (!uv_poll_init(&s->loop, &s->listening.widest, fd)) {
    if (!uv_poll_start(&s->listening.widest, UV_READABLE, on_nothing))
      uv_poll_stop(&s->listening.widest);
    uv_close((uv_handle_t *)&s->listening.widest, NULL);
  }
  close(fd);
}

bool handles_open(server *s) {
  s->iteration.opened = uv_hrtime();
  s->listening.reserve = -1;
  if (uv_loop_init(&s->loop)) return false;
  uv_loop_configure(&s->loop, UV_METRICS_IDLE_TIME);
  reserve_descriptors(s);
  uv_async_init(&s->loop, &s->wake, on_wake);
  iteration_open(&s->iteration, &s->loop, &s->metrics);
  uv_timer_t *const timers[] = {&s->jobs.tick, &s->idle.timer, &s->drain.timer, &s->flow.sweep,
                                &s->watchdog};
  for (unsigned i = 0; i < sizeof timers / sizeof *timers; i++) {
    uv_timer_init(&s->loop, timers[i]);
    timers[i]->data = s;
  }
  uv_idle_init(&s->loop, &s->held.later);
  s->wake.data = s->held.later.data = s;
  return true;
}

static void on_later(uv_idle_t *later) {
  server *s = later->data;
  uv_idle_stop(later);
  iteration_begin(&s->iteration);
  dispatch_finished(s);
  iteration_begin(&s->iteration);  // replies do not take the time of requests
  connection_continue(s);
  flow_continue(s);
}

void iterate_again(server *s) { uv_idle_start(&s->held.later, on_later); }

static void close_handle(uv_handle_t *handle, void *data) {
  (void)data;
  if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

void handles_close(server *s) {
  listen_stop(s, LISTENS_FOR_CLIENTS);
  listen_stop(s, LISTENS_FOR_TLS);
  listen_stop(s, LISTENS_FOR_HTTP);
  http_stop(s);
  // The loop has ended: those that wait for its next iteration are not to.
  while (s->held.peers) connection_continue(s);
  uv_walk(&s->loop, close_handle, NULL);
  // A stop that came while the loop did not run ends the next run at once.
  while (uv_run(&s->loop, UV_RUN_DEFAULT) != 0) {}
  uv_loop_close(&s->loop);
  if (s->listening.reserve >= 0) close(s->listening.reserve);
}
