// SPDX-License-Identifier: Apache-2.0
// Worker threads, and the jobs that wait for them.
//
// Work is shared between peers, and then between the connections of each: a worker takes a job of the peer that has the
// fewest running, of those the one that has used least time of workers, and of its connections one after the other.
// A peer that sends a thousand requests at once, on one connection or on a thousand, delays another peer's by one job.
// Long jobs do not keep short ones waiting: one thread more takes jobs while all workers are busy, of the peer that has
// used least time of workers. A job that is there for POOL_SHORT_NS, and for half of that computed since the loop saw it
// first, or is there for POOL_STUCK_NS, is ended (pool_overdue) and waits for a worker again. One that only waits for a
// processor meanwhile is not long.
//
// Finished jobs come back to the loop through an async handle. libuv's own pool is not used: its four threads also serve
// files and names, and running work cannot be distinguished there.
//
// Jobs are put into queues one by one, and workers woken for all of them at once (pool_announce): to wake one for each
// costs as much as a small job, and takes the processor from the loop, which has more to hand over.
//
// A worker that has more small jobs before it does not wake the loop for each answer, but once for all of POOL_QUIET_NS:
// waking it costs as much as a part of such a job, and the loop then reads and writes several messages in one call. The
// loop looks for answers at its ticks too, as a small job can take long.
#ifndef SERVER_POOL_H
#define SERVER_POOL_H

#include <uv.h>

#include "server/job.h"

enum {
  POOL_SMALL_BYTES = 1 << 13,
  POOL_QUIET_NS = 200000,
  POOL_SHORT_NS = 10000000,
  POOL_STUCK_NS = 200000000,
  POOL_SHORT_BYTES = 1 << 16  // a larger request is not expected to be short
};

typedef struct pool_queue pool_queue;

// What a peer has to be done.
typedef struct pool_share {
  pool_queue *first, *last;  // its queues that are not empty, in their order
  struct pool_share *next;   // among the shares that have one
  uint64_t queued, running;  // jobs
  uint64_t used;             // nanoseconds; what was saved while there was nothing to do is lost
  bool slow;                 // the last job of JOB_ONCE took longer than POOL_SHORT_NS
} pool_share;

// What a connection has to be done.
struct pool_queue {
  server_job *first, *last;
  pool_share *share;  // of its peer; set before the first job, and the same while there is one
  pool_queue *next;   // among the queues of the share that are not empty, and not blocked
  bool blocked;       // its jobs wait, see pool_block
};

// When pool_overdue saw a job for the first time: when it was taken, by what process, and what that had computed.
typedef struct pool_seen {
  uint64_t started, cpu;
  pid_t process;
} pool_seen;

typedef struct worker_pool {
  uv_mutex_t mutex;
  uv_cond_t work;
  uv_thread_t *threads;
  unsigned thread_count;
  unsigned waiting;      // of them, for work
  unsigned unannounced;  // of the loop: jobs since it last woke workers
  uv_cond_t short_work;
  uv_thread_t short_thread;  // where there are others
  bool short_waits;          // until it is woken
  server_job *short_job;     // that it has; NULL: none
  pool_seen seen;            // of the loop
  pool_share *first, *last;  // shares with queued jobs, in their order
  uint64_t queued, running;
  uint64_t used;  // the least of all shares that had jobs when one was taken last
  server_job *finished, **finished_end;
  uint64_t
      untold;  // uv_hrtime of the first answer that the loop was not woken up for; 0: there is none
  uint64_t trims;  // how often pool_trim was called
  bool trim_all;   // and what all threads share was not trimmed since
  bool stopping;
  uv_async_t *wake;
} worker_pool;

// `wake` is sent when jobs were finished. False when threads cannot be made.
bool pool_start(worker_pool *pool, unsigned threads, uv_async_t *wake);
// Waits for running jobs; those in queues stay where they are.
void pool_stop(worker_pool *pool);
void pool_submit(worker_pool *pool, pool_queue *queue, server_job *job);
void pool_announce(worker_pool *pool);         // workers that wait are woken for what was submitted
server_job *pool_finished(worker_pool *pool);  // a list by `next`, taken from the pool
// The job of JOB_REPEATABLE that the thread for short ones has for longer than it may by `now`, by uv_hrtime; NULL: none.
server_job *pool_overdue(worker_pool *pool, uint64_t now);
// A finished job is to be begun once more, before others of its queue, and not by that thread.
void pool_repeat(worker_pool *pool, pool_queue *queue, server_job *job);
// Takes a job out of its queue: true when no worker will ever see it. False when one has (or had) it.
bool pool_withdraw(worker_pool *pool, pool_queue *queue, server_job *job);
// Jobs of a blocked queue are not begun: their replies would only be held.
void pool_block(worker_pool *pool, pool_queue *queue, bool blocked);
void pool_give_back(worker_pool *pool, server_job *job);  // a withdrawn job, as finished
void pool_trim(worker_pool *pool);  // workers give memory back as soon as they have nothing to do
// What is wrong with the queues and their counts, while the mutex is held or no worker runs; NULL: nothing. O(queued jobs):
// debug builds ask while there are few.
const char *pool_check(const worker_pool *pool);
enum { POOL_CHECK_MAX = 256 };
void pool_counts(worker_pool *pool, uint64_t *queued, uint64_t *running);

#endif
