// SPDX-License-Identifier: Apache-2.0
// The loop, and what lives as long as it does.
#include <time.h>
#include <unistd.h>

#include "server/http.h"

static void on_wake(uv_async_t *async) { dispatch_finished(async->data); }

uint64_t loop_cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

// What the loop did since it was here last, but for waiting, was an iteration.
static void on_iteration(uv_prepare_t *prepare) {
  server *s = prepare->data;
  uint64_t now = uv_hrtime() - uv_metrics_idle_time(&s->loop);
  uint64_t cpu = loop_cpu();
  uint64_t micros = s->iteration_ended ? (now - s->iteration_ended) / 1000 : 0;
  uint64_t cpu_micros = s->iteration_ended ? (cpu - s->iteration_cpu) / 1000 : 0;
  s->iteration_ended = now;
  s->iteration_cpu = cpu;
  s->iteration_since = s->short_since = 0;
  if (micros > s->metrics.loop_max) s->metrics.loop_max = micros;
  if (cpu_micros > s->metrics.loop_cpu_max) s->metrics.loop_cpu_max = cpu_micros;
}

bool iteration_has_time(server *s, uint64_t nanoseconds) {
  return iteration_had_time(s, nanoseconds, loop_cpu());
}

bool iteration_had_time(server *s, uint64_t nanoseconds, uint64_t now) {
  if (!s->iteration_since) s->iteration_since = now;
  return now - s->iteration_since < nanoseconds;
}

int stream_init(server *s, server_stream *stream, bool tcp) {
  return tcp ? uv_tcp_init(&s->loop, &stream->tcp) : uv_pipe_init(&s->loop, &stream->pipe, 0);
}

bool stream_open(server_stream *stream, int fd) {
  return (stream->handle.type == UV_TCP ? uv_tcp_open(&stream->tcp, fd)
                                        : uv_pipe_open(&stream->pipe, fd)) == 0;
}

bool handles_open(server *s) {
  s->started = uv_hrtime();
  s->reserve = -1;
  if (uv_loop_init(&s->loop)) return false;
  uv_loop_configure(&s->loop, UV_METRICS_IDLE_TIME);
  uv_async_init(&s->loop, &s->wake, on_wake);
  uv_prepare_init(&s->loop, &s->iteration);
  uv_timer_t *const timers[] = {&s->tick, &s->idle, &s->drain, &s->sweep, &s->watchdog};
  for (unsigned i = 0; i < sizeof timers / sizeof *timers; i++) {
    uv_timer_init(&s->loop, timers[i]);
    timers[i]->data = s;
  }
  uv_idle_init(&s->loop, &s->later);
  s->wake.data = s->iteration.data = s->later.data = s;
  uv_prepare_start(&s->iteration, on_iteration);
  return true;
}

static void on_later(uv_idle_t *later) {
  server *s = later->data;
  uv_idle_stop(later);
  s->iteration_since = s->short_since = 0;
  dispatch_finished(s);
  s->iteration_since = 0;  // replies do not take the time of requests
  connection_continue(s);
  flow_continue(s);
}

void iterate_again(server *s) { uv_idle_start(&s->later, on_later); }

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
  while (s->held_peers) connection_continue(s);
  uv_walk(&s->loop, close_handle, NULL);
  uv_run(&s->loop, UV_RUN_DEFAULT);
  uv_loop_close(&s->loop);
  if (s->reserve >= 0) close(s->reserve);
}
