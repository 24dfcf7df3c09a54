// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "server/pool.h"

static void on_wake(uv_async_t *async) { (void)async; }

typedef struct pool_fixture {
  uv_loop_t loop;
  uv_async_t wake;
  worker_pool pool;
} pool_fixture;

static void open_pool(pool_fixture *f, unsigned threads) {
  uv_loop_init(&f->loop);
  uv_async_init(&f->loop, &f->wake, on_wake);
  cr_assert(pool_start(&f->pool, threads, &f->wake));
}

static void close_pool(pool_fixture *f) {
  pool_stop(&f->pool);
  uv_close((uv_handle_t *)&f->wake, NULL);
  uv_run(&f->loop, UV_RUN_DEFAULT);
  uv_loop_close(&f->loop);
}

static server_job *new_job(int id) {
  static const char PING[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/ping\"}";
  server_job *job = calloc(1, sizeof *job);
  job->reply = reply_new(1 << 20);
  job->row = method_find("server/ping", 11);
  job->request.text = (json_slice){PING, strlen(PING)};
  job->request.id = (json_slice){"1", 1};
  job->limits.memory = 1 << 20;
  job->received = (uint64_t)id;
  return job;
}

static void free_job(server_job *job) {
  reply_free(job->reply);
  free(job);
}

// All finished jobs, in order of finishing, once there are `count`.
static unsigned collect(pool_fixture *f, unsigned count, server_job **out) {
  unsigned have = 0;
  for (int i = 0; i < 10000 && have < count; i++) {
    for (server_job *job = pool_finished(&f->pool); job;) {
      server_job *next = job->next;
      out[have++] = job;
      job = next;
    }
    if (have < count) uv_sleep(1);
  }
  return have;
}

Test(pool, jobs_are_answered_once) {
  enum { JOBS = 200 };
  pool_fixture f;
  pool_queue queues[4] = {{0}};
  server_job *done[JOBS];
  bool seen[JOBS] = {false};
  open_pool(&f, 3);
  for (int i = 0; i < JOBS; i++) pool_submit(&f.pool, &queues[i % 4], new_job(i));
  cr_assert_eq(collect(&f, JOBS, done), JOBS);
  for (int i = 0; i < JOBS; i++) {
    cr_assert(!seen[done[i]->received] && done[i]->reply->out.length && done[i]->outcome == RPC_OK);
    seen[done[i]->received] = true;
    free_job(done[i]);
  }
  close_pool(&f);
}

// With no worker the queues are looked at as they stand: whose job is next is a matter of turns.
Test(pool, withdrawn_jobs_are_never_run) {
  pool_fixture f;
  pool_queue a = {0}, b = {0};
  server_job *jobs[4], *done[4];
  open_pool(&f, 0);
  for (int i = 0; i < 4; i++) {
    jobs[i] = new_job(i);
    pool_submit(&f.pool, i < 3 ? &a : &b, jobs[i]);
  }
  cr_assert(pool_withdraw(&f.pool, &a, jobs[2]) && a.last == jobs[1]);
  cr_assert(pool_withdraw(&f.pool, &a, jobs[0]) && a.first == jobs[1]);
  cr_assert_not(pool_withdraw(&f.pool, &a, jobs[0]));
  cr_assert(pool_withdraw(&f.pool, &a, jobs[1]));
  cr_assert(f.pool.turn == &b && f.pool.turn_last == &b && f.pool.queued == 1);
  cr_assert(pool_withdraw(&f.pool, &b, jobs[3]) && !f.pool.turn && !f.pool.turn_last);
  for (int i = 0; i < 4; i++) pool_give_back(&f.pool, jobs[i]);
  cr_assert_eq(collect(&f, 4, done), 4u);
  for (int i = 0; i < 4; i++) {
    cr_assert_eq(done[i]->reply->out.length, 0u);
    free_job(done[i]);
  }
  close_pool(&f);
}

Test(pool, connections_take_turns) {
  enum { MANY = 50 };
  pool_fixture f;
  pool_queue greedy = {0}, modest = {0};
  server_job *done[MANY + 1];
  open_pool(&f, 0);
  for (int i = 0; i < MANY; i++) pool_submit(&f.pool, &greedy, new_job(i));
  pool_submit(&f.pool, &modest, new_job(MANY));
  uv_thread_t *threads = f.pool.threads;
  free(threads);
  // The queues as they are, with one worker from now on.
  pool_queue *turn = f.pool.turn, *last = f.pool.turn_last;
  uint64_t queued = f.pool.queued;
  uv_mutex_destroy(&f.pool.mutex);
  uv_cond_destroy(&f.pool.work);
  cr_assert(turn == &greedy && last == &modest && queued == MANY + 1);
  cr_assert(pool_start(&f.pool, 1, &f.wake));
  uv_mutex_lock(&f.pool.mutex);
  f.pool.turn = turn;
  f.pool.turn_last = last;
  f.pool.queued = queued;
  uv_cond_broadcast(&f.pool.work);
  uv_mutex_unlock(&f.pool.mutex);
  cr_assert_eq(collect(&f, MANY + 1, done), MANY + 1u);
  cr_assert_eq(done[1]->received, MANY, "the second turn is the other connection's");
  for (int i = 0; i <= MANY; i++) free_job(done[i]);
  close_pool(&f);
}
