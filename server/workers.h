// SPDX-License-Identifier: Apache-2.0
// Worker processes, seen from the daemon: makes them, has requests answered by them, and replaces those that die.
//
// A thread of the pool that has a job takes a process for it; each process has one request at a time, and only those of
// one peer, as what it has read may still be in its memory. A session gets a process of its own, which has read nothing but that session's program; the table of sessions holds it. What a process
// says is checked (wire.h); one that dies, or says what it must not say, costs the request that it had: `worker-died`.
// A process that goes on for KILL_MS after its request was cancelled, or its deadline, is ended.
#ifndef SERVER_WORKERS_H
#define SERVER_WORKERS_H

#include "server/config.h"
#include "server/job.h"
#include "server/processor.h"
#include "server/sessions.h"

typedef struct worker_set worker_set;

typedef struct worker_counts {
  unsigned sandbox;  // as sandbox_available
  uint64_t started, died;
} worker_counts;

// Starts the template and `count` workers. NULL after filling `error`.
worker_set *workers_start(const server_config *config, unsigned count, char *error, size_t size);
void workers_stop(worker_set *set);  // NULL: nothing. No job runs any more
// Answers the request, as job_run does; any thread. With its `stay` beside the process, if that answers soon.
void workers_answer(worker_set *set, server_job *job, processor_stay *stay);
// The same from the loop, for a request that is small and takes that many steps at most: waits for so long. False:
// workers_answer goes on where this ended, with the process that has the request by then, if one has.
bool workers_try(worker_set *set, server_job *job, uint64_t steps, uint64_t wait_ns);
void workers_abandon(server_job *job);          // after workers_try: it gets no answer
void workers_rest(worker_set *set);             // of the loop: it does not try any now
worker_counts workers_counts(worker_set *set);  // any thread

// The kind of session that the table has where sessions live in processes.
extern const session_kind WORKER_SESSIONS;

#endif
