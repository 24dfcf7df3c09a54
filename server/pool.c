// SPDX-License-Identifier: Apache-2.0
#include "server/pool.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "server/memory.h"

enum { STACK_BYTES = 8 << 20 };

// The queue has its first job.
static void append_queue(worker_pool *pool, pool_queue *queue) {
  pool_share *share = queue->share;
  assert(queue->first && !queue->blocked);
  queue->next = NULL;
  *(share->last ? &share->last->next : &share->first) = queue;
  share->last = queue;
  if (share->first != queue) return;
  if (share->used < pool->used && !share->running) share->used = pool->used;
  share->next = NULL;
  *(pool->last ? &pool->last->next : &pool->first) = share;
  pool->last = share;
}

static void remove_share(worker_pool *pool, pool_share *share) {
  assert(pool->first && pool->last);
  pool_share *before = NULL;
  for (pool_share *s = pool->first; s != share; s = s->next) before = s;
  *(before ? &before->next : &pool->first) = share->next;
  if (pool->last == share) pool->last = before;
}

// The queue has lost its last job, or goes to the end.
static void remove_queue(worker_pool *pool, pool_queue *queue) {
  pool_share *share = queue->share;
  assert(share && share->first && share->last);
  pool_queue *before = NULL;
  for (pool_queue *q = share->first; q != queue; q = q->next) before = q;
  *(before ? &before->next : &share->first) = queue->next;
  if (share->last == queue) share->last = before;
  if (!share->first) remove_share(pool, share);
}

// Whose job is next: of those with the fewest running ones, that which has used least; of equal ones the first. O(peers
// with queued jobs).
static pool_share *next_share(const worker_pool *pool) {
  pool_share *best = pool->first;
  for (pool_share *s = pool->first; s; s = s->next) {
    if (s->running < best->running || (s->running == best->running && s->used < best->used))
      best = s;
  }
  return best;
}

static bool may_be_short(const pool_share *share, const server_job *job) {
  return job->expected == JOB_REPEATABLE || (job->expected == JOB_ONCE && !share->slow);
}

// A queue whose next job the thread for short ones may take; NULL: none of the first few.
static pool_queue *short_queue(const pool_share *share) {
  enum { LOOKED_AT = 8 };
  assert(share && share->first);
  pool_queue *queue = share->first;
  for (unsigned i = 0; queue && i < LOOKED_AT; i++, queue = queue->next) {
    if (may_be_short(share, queue->first)) return queue;
  }
  return NULL;
}

// What that thread does next: while workers have time it leaves them everything.
static pool_queue *next_short(const worker_pool *pool) {
  const pool_share *best = NULL;
  pool_queue *found = NULL;
  if (pool->running < pool->thread_count) return NULL;
  for (const pool_share *s = pool->first; s; s = s->next) {
    pool_queue *queue = !best || s->used < best->used ? short_queue(s) : NULL;
    if (!queue) continue;
    best = s;
    found = queue;
  }
  return found;
}

static void wake_short(worker_pool *pool) {
  if (!pool->short_waits) return;
  pool->short_waits = false;
  uv_cond_signal(&pool->short_work);
}

static server_job *take(worker_pool *pool, pool_queue *queue) {
  pool_share *share = queue->share;
  assert(share && !queue->blocked);
  uint64_t least = UINT64_MAX;
  for (pool_share *s = pool->first; s; s = s->next) least = s->used < least ? s->used : least;
  if (least > pool->used) pool->used = least;
  server_job *job = queue->first;
  assert(job && !job->running);
  remove_queue(pool, queue);
  if (share->first) {
    remove_share(pool, share);
    share->next = NULL;
    *(pool->last ? &pool->last->next : &pool->first) = share;
    pool->last = share;
  }
  queue->first = job->next;
  if (queue->first) {
    append_queue(pool, queue);
  } else {
    queue->last = NULL;
  }
  assert(!queue->first == !queue->last);
  job->next = NULL;
  job->running = true;
  job->started = uv_hrtime();
  assert(share->queued > 0 && pool->queued > 0);
  share->queued--;
  share->running++;
  pool->queued--;
  pool->running++;
  if (pool->first && pool->running == pool->thread_count) wake_short(pool);
  return job;
}

// True: the loop is to be notified. False only where this worker goes on with the next small job before it unlocks.
static bool hand_back(worker_pool *pool, server_job *job) {
  uint64_t finished = job->finished;
  assert(job->running && !job->next);
  *pool->finished_end = job;
  pool->finished_end = &job->next;
  assert(pool->running > 0 && job->share->running > 0);
  pool->running--;
  job->share->running--;
  assert(job->finished >= job->started);
  job->share->used += job->finished - job->started;
  if (job->expected == JOB_ONCE) job->share->slow = job->finished - job->started > POOL_SHORT_NS;
  if (!pool->untold) pool->untold = finished;
  pool_share *next = next_share(pool);
  bool quiet = next && next->first->first->request.text.length <= POOL_SMALL_BYTES &&
               !pool->stopping && finished - pool->untold < POOL_QUIET_NS;
  if (!quiet) pool->untold = 0;
  return !quiet;
}

const char *pool_check(const worker_pool *pool) {
  uint64_t waiting = 0;
  const pool_share *share = pool->first, *last_share = NULL;
  for (; share; last_share = share, share = share->next) {
    uint64_t own = 0;
    const pool_queue *queue = share->first, *last = NULL;
    if (!queue) return "a peer without jobs waits for a worker";
    for (; queue; last = queue, queue = queue->next) {
      const server_job *job = queue->first, *last_job = NULL;
      if (queue->share != share) return "a queue waits in the share of another peer";
      if (!job || queue->blocked) return "a queue without jobs waits for a worker";
      for (; job; last_job = job, job = job->next) {
        if (job->running) return "a job waits that is running";
        own++;
      }
      if (last_job != queue->last) return "the last job of a queue is not at its end";
    }
    if (last != share->last) return "the last queue of a peer is not at its end";
    if (own > share->queued) return "a peer has more jobs than it counts";
    waiting += own;
  }
  if (last_share != pool->last) return "the last peer is not at the end";
  return waiting > pool->queued ? "there are more jobs than the pool counts" : NULL;
}

// Where a change of the queues ended; the mutex is held.
static void check_ended(const worker_pool *pool) {
#ifdef SHAPE_DEBUG
  assert(pool->queued > POOL_CHECK_MAX || !pool_check(pool));
#endif
  (void)pool;
}

// What a worker without work does: it waits, or gives memory back where that was asked for since it last did.
static void rest(worker_pool *pool, uint64_t *trims) {
  if (*trims == pool->trims) {
    pool->waiting++;
    uv_cond_wait(&pool->work, &pool->mutex);
    pool->waiting--;
    return;
  }
  bool all = pool->trim_all;
  pool->trim_all = false;
  *trims = pool->trims;
  uv_mutex_unlock(&pool->mutex);
  memory_trim_thread();
  if (all) memory_trim();
  uv_mutex_lock(&pool->mutex);
}

// Whether a process is to be beside the thread that waits for it: where nothing else is to be done no other thread needs
// the processor.
static bool is_alone(const worker_pool *pool, const server_job *job) {
  return job->workers && pool->running == 1 && !pool->first &&
         job->request.text.length <= POOL_SMALL_BYTES;
}

static void worker(void *data) {
  worker_pool *pool = data;
  processor_stay *stay = stay_new();
  uint64_t trims = 0;
  memory_trim_thread();
  uv_mutex_lock(&pool->mutex);
  for (;;) {
    while (!pool->first && !pool->stopping) rest(pool, &trims);
    if (pool->stopping) break;
    server_job *job = take(pool, next_share(pool)->first);
    bool alone = is_alone(pool, job);
    check_ended(pool);
    uv_mutex_unlock(&pool->mutex);
    if (!alone) stay_end(stay);
    job_run(job, alone ? stay : NULL);
    uv_mutex_lock(&pool->mutex);
    if (!hand_back(pool, job)) continue;
    uv_mutex_unlock(&pool->mutex);
    uv_async_send(pool->wake);
    uv_mutex_lock(&pool->mutex);
  }
  uv_mutex_unlock(&pool->mutex);
  stay_free(stay);
}

static void short_worker(void *data) {
  worker_pool *pool = data;
  memory_trim_thread();
  uv_mutex_lock(&pool->mutex);
  while (!pool->stopping) {
    pool_queue *queue = next_short(pool);
    if (!queue) {
      pool->short_waits = true;
      uv_cond_wait(&pool->short_work, &pool->mutex);
      pool->short_waits = false;
      continue;
    }
    assert(!pool->short_job);
    server_job *job = pool->short_job = take(pool, queue);
    uv_mutex_unlock(&pool->mutex);
    job_run(job, NULL);
    uv_mutex_lock(&pool->mutex);
    pool->short_job = NULL;
    hand_back(pool, job);
    pool->untold = 0;
    uv_mutex_unlock(&pool->mutex);
    uv_async_send(pool->wake);
    uv_mutex_lock(&pool->mutex);
  }
  uv_mutex_unlock(&pool->mutex);
}

bool pool_start(worker_pool *pool, unsigned threads, uv_async_t *wake) {
  assert(wake);
  *pool = (worker_pool){.wake = wake};
  pool->finished_end = &pool->finished;
  if (uv_mutex_init(&pool->mutex)) return false;
  if (uv_cond_init(&pool->work) || uv_cond_init(&pool->short_work)) return false;
  pool->threads = calloc(threads, sizeof *pool->threads);
  if (!pool->threads) return false;
  memory_limit_heaps(threads + 1);
  const uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE,
                                       .stack_size = STACK_BYTES};
  for (; pool->thread_count < threads; pool->thread_count++) {
    if (uv_thread_create_ex(&pool->threads[pool->thread_count], &options, worker, pool))
      return false;
  }
  return !threads || uv_thread_create_ex(&pool->short_thread, &options, short_worker, pool) == 0;
}

void pool_stop(worker_pool *pool) {
  uv_mutex_lock(&pool->mutex);
  pool->stopping = true;
  uv_cond_broadcast(&pool->work);
  uv_cond_signal(&pool->short_work);
  uv_mutex_unlock(&pool->mutex);
  for (unsigned i = 0; i < pool->thread_count; i++) uv_thread_join(&pool->threads[i]);
  if (pool->thread_count) uv_thread_join(&pool->short_thread);
  assert(!pool->running && !pool->short_job);
  free(pool->threads);
  pool->threads = NULL;
  pool->thread_count = 0;
}

// One job more is in the queue. Unlocks.
static void count_queued(worker_pool *pool, pool_queue *queue) {
  assert(queue->share && queue->first && queue->last);
  queue->share->queued++;
  pool->queued++;
  pool->unannounced++;
  check_ended(pool);
  uv_mutex_unlock(&pool->mutex);
}

// Woken while the mutex is held, a worker would wait for that at once.
void pool_announce(worker_pool *pool) {
  if (!pool->unannounced) return;
  uv_mutex_lock(&pool->mutex);
  unsigned count = pool->unannounced < pool->waiting ? pool->unannounced : pool->waiting;
  if (pool->running >= pool->thread_count) wake_short(pool);
  uv_mutex_unlock(&pool->mutex);
  pool->unannounced = 0;
  while (count--) uv_cond_signal(&pool->work);
}

void pool_submit(worker_pool *pool, pool_queue *queue, server_job *job) {
  assert(!job->running);
  job->next = NULL;
  job->share = queue->share;
  uv_mutex_lock(&pool->mutex);
  assert(!queue->first == !queue->last);
  if (queue->last) {
    queue->last->next = job;
  } else {
    queue->first = job;
    if (!queue->blocked) append_queue(pool, queue);
  }
  queue->last = job;
  count_queued(pool, queue);
}

void pool_repeat(worker_pool *pool, pool_queue *queue, server_job *job) {
  assert(job->running && job->expected == JOB_REPEATABLE);
  job->expected = JOB_LONG;
  uv_mutex_lock(&pool->mutex);
  job->running = false;
  job->next = queue->first;
  queue->first = job;
  if (!job->next) {
    queue->last = job;
    if (!queue->blocked) append_queue(pool, queue);
  }
  count_queued(pool, queue);
  pool_announce(pool);
}

// What has been computed for the job of the thread for short ones, from an unknown time on; 0: unknown.
static uint64_t cpu_of_short_job(const worker_pool *pool, pid_t process) {
  clockid_t clock;
  struct timespec t;
  int status = process ? clock_getcpuclockid(process, &clock)
                       : pthread_getcpuclockid(pool->short_thread, &clock);
  if (status || clock_gettime(clock, &t)) return 0;
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

server_job *pool_overdue(worker_pool *pool, uint64_t now) {
  uv_mutex_lock(&pool->mutex);
  server_job *job = pool->short_job;
  bool late = job && job->expected == JOB_REPEATABLE && now > job->started + POOL_SHORT_NS;
  uint64_t started = job ? job->started : 0;
  uv_mutex_unlock(&pool->mutex);
  if (!job) return NULL;
  pid_t process = atomic_load_explicit(&job->executor, memory_order_relaxed);
  uint64_t cpu = cpu_of_short_job(pool, process);
  if (pool->seen.started != started || pool->seen.process != process || cpu < pool->seen.cpu)
    pool->seen = (pool_seen){started, cpu, process};
  bool worked = cpu - pool->seen.cpu >= POOL_SHORT_NS / 2;
  return late && (worked || now > started + POOL_STUCK_NS) ? job : NULL;
}

server_job *pool_finished(worker_pool *pool) {
  uv_mutex_lock(&pool->mutex);
  server_job *list = pool->finished;
  pool->finished = NULL;
  pool->finished_end = &pool->finished;
  pool->untold = 0;
  uv_mutex_unlock(&pool->mutex);
  return list;
}

bool pool_withdraw(worker_pool *pool, pool_queue *queue, server_job *job) {
  bool found = false;
  uv_mutex_lock(&pool->mutex);
  server_job *before = NULL;
  for (server_job *j = queue->first; j && !found; before = j, j = j->next) {
    if (j != job) continue;
    found = true;
    if (before) {
      before->next = j->next;
    } else {
      queue->first = j->next;
    }
    if (queue->last == j) queue->last = before;
    assert(pool->queued > 0 && queue->share->queued > 0);
    pool->queued--;
    queue->share->queued--;
    if (!queue->first && !queue->blocked) remove_queue(pool, queue);
    break;
  }
  check_ended(pool);
  uv_mutex_unlock(&pool->mutex);
  return found;
}

void pool_block(worker_pool *pool, pool_queue *queue, bool blocked) {
  if (queue->blocked == blocked) return;  // only the loop changes it
  uv_mutex_lock(&pool->mutex);
  queue->blocked = blocked;
  if (queue->first && blocked) remove_queue(pool, queue);
  if (queue->first && !blocked) {
    append_queue(pool, queue);
    uv_cond_broadcast(&pool->work);
    uv_cond_signal(&pool->short_work);
  }
  check_ended(pool);
  uv_mutex_unlock(&pool->mutex);
}

void pool_give_back(worker_pool *pool, server_job *job) {
  assert(!job->running);
  job->next = NULL;
  uv_mutex_lock(&pool->mutex);
  *pool->finished_end = job;
  pool->finished_end = &job->next;
  uv_mutex_unlock(&pool->mutex);
  uv_async_send(pool->wake);
}

void pool_trim(worker_pool *pool) {
  uv_mutex_lock(&pool->mutex);
  pool->trims++;
  pool->trim_all = true;
  uv_cond_broadcast(&pool->work);
  uv_mutex_unlock(&pool->mutex);
}

void pool_counts(worker_pool *pool, uint64_t *queued, uint64_t *running) {
  uv_mutex_lock(&pool->mutex);
  *queued = pool->queued;
  *running = pool->running;
  uv_mutex_unlock(&pool->mutex);
}
