// SPDX-License-Identifier: Apache-2.0
// What is done when there is nothing else to do: memory goes back to the system, and idle sessions end.
#include "server/memory.h"
#include "server/server.h"

enum { IDLE_MS = 500, SWEEP_MAX_MS = 60000 };

static void on_idle(uv_timer_t *timer) {
  server *s = timer->data;
  if (s->jobs.active) return;
  s->idle.released = true;
  if (s->workers) workers_rest(s->workers);
  memory_release();
  pool_trim(&s->pool);
}

void idle_later(server *s) {
  if (s->idle.released) memory_keep();
  s->idle.released = false;
  if (!s->drain.stopped) uv_timer_start(&s->idle.timer, on_idle, IDLE_MS, 0);
}

bool work_begin(server *s, uv_work_t *work, uv_work_cb run, uv_after_work_cb after) {
  if (s->workers) workers_rest(s->workers);
  return uv_queue_work(&s->loop, work, run, after) == 0;
}

// To free large sessions takes longer than the loop has.
static void sweep(uv_work_t *work) {
  server *s = work->data;
  s->idle.swept = sessions_sweep(s->sessions);
}

static void on_swept(uv_work_t *work, int status) {
  server *s = work->data;
  (void)status;
  s->idle.sweeping = false;
  if (s->idle.swept) idle_later(s);
}

static void on_session_sweep(uv_timer_t *timer) {
  server *s = timer->data;
  if (s->idle.sweeping) return;
  s->idle.sweep.data = s;
  s->idle.sweeping = work_begin(s, &s->idle.sweep, sweep, on_swept);
}

void idle_watch_sessions(server *s) {
  uint64_t every = s->config.session_idle / 10 + 1;
  if (every > SWEEP_MAX_MS) every = SWEEP_MAX_MS;
  uv_timer_init(&s->loop, &s->idle.sessions);
  s->idle.sessions.data = s;
  uv_timer_start(&s->idle.sessions, on_session_sweep, every, every);
  uv_unref((uv_handle_t *)&s->idle.sessions);  // a drain does not wait for it
}
