// SPDX-License-Identifier: Apache-2.0
// What is done when there is nothing else to do.
#include <unistd.h>

#include "tests/unit/server/daemon.h"

Test(idle, memory_goes_back_after_the_last_job_and_stays_from_the_next_on) {
  daemon *d = daemon_start("");
  server_job job = {.row = method_at(0)};
  idle_later(&d->s);
  cr_expect_not(d->s.idle.released);
  uint64_t trims = d->s.pool.trims;
  daemon_wait(d, d->s.idle.released);
  cr_expect_eq(d->s.pool.trims, trims + 1);
  idle_later(&d->s);
  cr_expect_not(d->s.idle.released);
  d->s.jobs.active = &job;  // while one is under way it does not
  daemon_wait(d, !uv_is_active((uv_handle_t *)&d->s.idle.timer));
  cr_expect(!d->s.idle.released && d->s.pool.trims == trims + 1);
  d->s.jobs.active = NULL;
  d->s.drain.stopped = true;
  idle_later(&d->s);
  cr_expect_not(uv_is_active((uv_handle_t *)&d->s.idle.timer), "at the end nothing is begun");
  daemon_end(d);
}

Test(idle, sessions_that_are_not_used_end) {
  daemon *d = daemon_with_client("--session-idle 20");
  uint64_t open, bytes, expired, evicted;
  client_ask(d->fd, 1, "session/open", "{'text': 'func.func @main() { return }'}");
  client_expect(d, d->fd, "'session': '");
  sessions_counts(d->s.sessions, &open, &bytes, &expired, &evicted);
  cr_assert(open == 1 && expired == 0);
  idle_watch_sessions(&d->s);
  for (int i = 0; i < 10000 && open; i++) {
    daemon_step(d);
    sessions_counts(d->s.sessions, &open, &bytes, &expired, &evicted);
  }
  cr_expect(open == 0 && expired == 1 && evicted == 0);
  daemon_wait(d, !d->s.idle.sweeping);
  daemon_end(d);
}

static void on_thread(uv_work_t *work) { *(int *)work->data += 1; }
static void after(uv_work_t *work, int status) { *(int *)work->data += status ? 100 : 10; }

Test(idle, work_is_done_beside_the_loop) {
  daemon *d = daemon_start("");
  int done = 0;
  uv_work_t work = {.data = &done};
  cr_assert(work_begin(&d->s, &work, on_thread, after));
  daemon_wait(d, done >= 10);
  cr_expect_eq(done, 11);
  daemon_end(d);
}
