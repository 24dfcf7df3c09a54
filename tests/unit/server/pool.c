// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
  pool_announce(&f->pool);
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
  pool_share shares[2] = {{0}};
  pool_queue queues[4];
  for (int i = 0; i < 4; i++) queues[i] = (pool_queue){.share = &shares[i % 2]};
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
  for (int i = 0; i < 2; i++) cr_assert(!shares[i].queued && !shares[i].running);
  close_pool(&f);
}

static unsigned waiting(pool_fixture *f) {
  uv_mutex_lock(&f->pool.mutex);
  unsigned count = f->pool.waiting;
  uv_mutex_unlock(&f->pool.mutex);
  return count;
}

// Of jobs that are announced together each has a worker, where there are as many.
Test(pool, workers_that_wait_are_woken) {
  enum { WORKERS = 3 };
  pool_fixture f;
  pool_share share = {0};
  pool_queue queue = {.share = &share};
  server_job *done[2 * WORKERS];
  open_pool(&f, WORKERS);
  for (unsigned jobs = 1; jobs <= 2 * WORKERS; jobs++) {
    for (int i = 0; i < 10000 && waiting(&f) < WORKERS; i++) uv_sleep(1);
    cr_assert_eq(waiting(&f), (unsigned)WORKERS);
    for (unsigned i = 0; i < jobs; i++) pool_submit(&f.pool, &queue, new_job((int)i));
    cr_assert_eq(f.pool.unannounced, jobs);
    cr_assert_eq(collect(&f, jobs, done), jobs);
    cr_assert_eq(f.pool.unannounced, 0u);
    for (unsigned i = 0; i < jobs; i++) free_job(done[i]);
  }
  close_pool(&f);
}

// With no worker the queues are inspected as they are.
Test(pool, withdrawn_jobs_are_never_run) {
  pool_fixture f;
  pool_share share = {0};
  pool_queue a = {.share = &share}, b = {.share = &share};
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
  cr_assert(share.first == &b && share.last == &b && f.pool.queued == 1);
  cr_assert(pool_withdraw(&f.pool, &b, jobs[3]) && !share.first && !share.queued && !f.pool.first &&
            !f.pool.last);
  for (int i = 0; i < 4; i++) pool_give_back(&f.pool, jobs[i]);
  cr_assert_eq(collect(&f, 4, done), 4u);
  for (int i = 0; i < 4; i++) {
    cr_assert_eq(done[i]->reply->out.length, 0u);
    free_job(done[i]);
  }
  close_pool(&f);
}

// Runs what is queued in a pool of no workers with one worker, in order.
static void run_with_one(pool_fixture *f) {
  pool_share *first = f->pool.first, *last = f->pool.last;
  uint64_t queued = f->pool.queued;
  free(f->pool.threads);
  uv_mutex_destroy(&f->pool.mutex);
  uv_cond_destroy(&f->pool.work);
  uv_cond_destroy(&f->pool.short_work);
  cr_assert(pool_start(&f->pool, 1, &f->wake));
  uv_mutex_lock(&f->pool.mutex);
  f->pool.first = first;
  f->pool.last = last;
  f->pool.queued = queued;
  uv_cond_broadcast(&f->pool.work);
  uv_mutex_unlock(&f->pool.mutex);
}

Test(pool, connections_of_a_peer_are_served_one_after_the_other) {
  enum { MANY = 50 };
  pool_fixture f;
  pool_share share = {0};
  pool_queue greedy = {.share = &share}, modest = {.share = &share};
  server_job *done[MANY + 1];
  open_pool(&f, 0);
  for (int i = 0; i < MANY; i++) pool_submit(&f.pool, &greedy, new_job(i));
  pool_submit(&f.pool, &modest, new_job(MANY));
  run_with_one(&f);
  cr_assert_eq(collect(&f, MANY + 1, done), MANY + 1u);
  cr_assert_eq(done[1]->received, MANY, "the second job is the other connection's");
  for (int i = 0; i <= MANY; i++) free_job(done[i]);
  close_pool(&f);
}

Test(pool, peers_are_served_one_after_the_other_whatever_their_connections) {
  enum { CONNECTIONS = 40, EACH = 3, GREEDY = CONNECTIONS * EACH, MODEST = 4 };
  pool_fixture f;
  pool_share greedy = {0}, modest = {0};
  pool_queue queues[CONNECTIONS], own = {.share = &modest};
  server_job *done[GREEDY + MODEST];
  open_pool(&f, 0);
  for (int i = 0; i < CONNECTIONS; i++) queues[i] = (pool_queue){.share = &greedy};
  for (int i = 0; i < GREEDY; i++) pool_submit(&f.pool, &queues[i % CONNECTIONS], new_job(i));
  for (int i = 0; i < MODEST; i++) pool_submit(&f.pool, &own, new_job(GREEDY + i));
  cr_assert(greedy.queued == GREEDY && modest.queued == MODEST);
  run_with_one(&f);
  cr_assert_eq(collect(&f, GREEDY + MODEST, done), (unsigned)(GREEDY + MODEST));
  cr_assert_eq(done[1]->received, GREEDY, "the other peer has used nothing yet");
  for (int i = 0; i < GREEDY + MODEST; i++) free_job(done[i]);
  cr_assert(!greedy.queued && !modest.queued && !greedy.running && !modest.running);
  close_pool(&f);
}

Test(pool, a_peer_that_has_used_less_time_is_first) {
  enum { EACH = 20 };
  pool_fixture f;
  pool_share heavy = {.used = UINT64_C(1) << 60}, light = {0};
  pool_queue a = {.share = &heavy}, b = {.share = &light};
  server_job *done[2 * EACH];
  open_pool(&f, 0);
  for (int i = 0; i < EACH; i++) pool_submit(&f.pool, &a, new_job(i));
  for (int i = 0; i < EACH; i++) pool_submit(&f.pool, &b, new_job(EACH + i));
  run_with_one(&f);
  cr_assert_eq(collect(&f, 2 * EACH, done), 2u * EACH);
  for (int i = 0; i < 2 * EACH; i++) {
    cr_assert_eq(done[i]->received, (uint64_t)((EACH + i) % (2 * EACH)));
    free_job(done[i]);
  }
  cr_assert(light.used > 0 && heavy.used > UINT64_C(1) << 60);
  // Time that a peer did not use while it had nothing to do is not kept for it.
  pool_share late = {0};
  pool_queue c = {.share = &late};
  pool_submit(&f.pool, &c, new_job(0));
  cr_assert_geq(late.used, UINT64_C(1) << 60);
  cr_assert_eq(collect(&f, 1, done), 1u);
  free_job(done[0]);
  close_pool(&f);
}

Test(pool, a_peer_with_fewer_running_jobs_is_first) {
  pool_fixture f;
  pool_share busy = {.running = 2}, idle = {0};
  pool_queue a = {.share = &busy}, b = {.share = &idle};
  server_job *done[3];
  open_pool(&f, 0);
  for (int i = 0; i < 2; i++) pool_submit(&f.pool, &a, new_job(i));
  pool_submit(&f.pool, &b, new_job(2));
  run_with_one(&f);
  cr_assert_eq(collect(&f, 3, done), 3u);
  cr_assert_eq(done[0]->received, 2u);
  for (int i = 0; i < 3; i++) free_job(done[i]);
  cr_assert(busy.running == 2 && !idle.running);
  close_pool(&f);
}

Test(pool, jobs_of_a_blocked_queue_wait) {
  pool_fixture f;
  pool_share share = {0};
  pool_queue a = {.share = &share}, b = {.share = &share};
  server_job *done[3], *withdrawn = new_job(3);
  open_pool(&f, 0);
  pool_submit(&f.pool, &a, new_job(0));
  pool_block(&f.pool, &a, true);
  cr_assert(!f.pool.first && !share.first && f.pool.queued == 1);
  pool_submit(&f.pool, &a, withdrawn);
  cr_assert(pool_withdraw(&f.pool, &a, withdrawn) && share.queued == 1);
  free_job(withdrawn);
  pool_submit(&f.pool, &a, new_job(1));
  pool_submit(&f.pool, &b, new_job(2));
  run_with_one(&f);
  cr_assert_eq(collect(&f, 1, done), 1u);
  cr_assert_eq(done[0]->received, 2u);
  pool_block(&f.pool, &a, false);
  cr_assert_eq(collect(&f, 2, done + 1), 2u);
  cr_assert(done[1]->received == 0 && done[2]->received == 1);
  for (int i = 0; i < 3; i++) free_job(done[i]);
  close_pool(&f);
}

// With no worker the queues stay as they are.
// CPU time of this thread is that of the job.
static void compute_for(uint64_t nanoseconds) {
  struct timespec begin, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((uint64_t)(now.tv_sec - begin.tv_sec) * 1000000000 + (uint64_t)now.tv_nsec <
           nanoseconds + (uint64_t)begin.tv_nsec);
}

Test(pool, a_job_that_waits_for_a_processor_is_not_overdue) {
  pool_fixture f;
  server_job *job = new_job(0);
  open_pool(&f, 0);
  f.pool.short_thread = uv_thread_self();
  cr_assert_null(pool_overdue(&f.pool, uv_hrtime()));
  f.pool.short_job = job;
  job->expected = JOB_REPEATABLE;
  job->started = uv_hrtime();
  uint64_t late = job->started + 2 * POOL_SHORT_NS;
  cr_assert_null(pool_overdue(&f.pool, late), "it has computed nothing since it was seen");
  uv_sleep(20);
  cr_assert_null(pool_overdue(&f.pool, late));
  compute_for(POOL_SHORT_NS);
  cr_assert_null(pool_overdue(&f.pool, job->started + POOL_SHORT_NS), "it has its time");
  cr_assert_eq(pool_overdue(&f.pool, late), job);
  job->started++;  // another one
  cr_assert_null(pool_overdue(&f.pool, late));
  cr_assert_eq(pool_overdue(&f.pool, late + POOL_STUCK_NS), job, "a process that was stopped");
  job->expected = JOB_ONCE;
  cr_assert_null(pool_overdue(&f.pool, late + POOL_STUCK_NS));
  f.pool.short_job = NULL;
  free_job(job);
  close_pool(&f);
}

Test(pool, check_sees_what_is_wrong) {
  pool_fixture f;
  pool_share shares[2] = {{0}};
  pool_queue queues[4];
  server_job *jobs[8];
  for (int i = 0; i < 4; i++) queues[i] = (pool_queue){.share = &shares[i % 2]};
  open_pool(&f, 0);
  for (int i = 0; i < 8; i++) pool_submit(&f.pool, &queues[i % 4], jobs[i] = new_job(i));
  cr_assert_null(pool_check(&f.pool), "%s", pool_check(&f.pool));
  pool_block(&f.pool, &queues[1], true);
  cr_assert_null(pool_check(&f.pool), "%s", pool_check(&f.pool));

  f.pool.queued = 5;
  cr_expect_str_eq(pool_check(&f.pool), "there are more jobs than the pool counts");
  f.pool.queued = 8;
  shares[0].queued = 3;
  cr_expect_str_eq(pool_check(&f.pool), "a peer has more jobs than it counts");
  shares[0].queued = 4;
  jobs[0]->running = true;
  cr_expect_str_eq(pool_check(&f.pool), "a job waits that is running");
  jobs[0]->running = false;
  queues[0].share = &shares[1];
  cr_expect_str_eq(pool_check(&f.pool), "a queue waits in the share of another peer");
  queues[0].share = &shares[0];
  queues[0].blocked = true;
  cr_expect_str_eq(pool_check(&f.pool), "a queue without jobs waits for a worker");
  queues[0].blocked = false;
  queues[0].last = jobs[0];
  cr_expect_str_eq(pool_check(&f.pool), "the last job of a queue is not at its end");
  queues[0].last = jobs[4];
  shares[0].last = &queues[0];
  cr_expect_str_eq(pool_check(&f.pool), "the last queue of a peer is not at its end");
  shares[0].last = &queues[2];
  f.pool.last = &shares[0];
  cr_expect_str_eq(pool_check(&f.pool), "the last peer is not at the end");
  f.pool.last = &shares[1];
  cr_assert_null(pool_check(&f.pool), "%s", pool_check(&f.pool));
  for (int i = 0; i < 8; i++) free_job(jobs[i]);
  close_pool(&f);
}
