// SPDX-License-Identifier: Apache-2.0
// One request that a worker answers.
//
// Who owns it: the loop makes it, the pool has it from pool_submit until the loop takes it back with pool_finished.
// A worker reads the request, the method and the limits and writes the reply, the outcome and the times; everything
// else is the loop's. `control` is shared.
#ifndef SERVER_JOB_H
#define SERVER_JOB_H

#include <stdatomic.h>

#include "proto/methods/method.h"
#include "server/processor.h"

typedef struct connection connection;
typedef struct server_batch server_batch;

// The text that requests are slices of; the last job that was made of it frees it.
typedef struct server_message {
  uint32_t references;
  connection *holder;  // on whose account it is held; see flow.c
  size_t counted;
  size_t length;
  shape_arena arena;  // of rpc_split
  char text[];
} server_message;

// Bytes on their way to a client: a message, or a part of one. Those of a batch are not joined, which would hold up
// everybody where they are large, but written one after the other.
typedef struct server_reply {
  struct server_reply *next;
  connection *holder;  // as of a message
  size_t counted;
  bool sent;  // it is among those that wait for the client to read
  shape_arena arena;
  shape_strbuf out;
  size_t batch;  // of the first of a batch: bytes of the message; of the others: not 0; else 0
  bool follows, continued;  // within a batch: not the first, not the last
  char head[48];            // what is before and after it, made where it is written
  size_t head_length;
  const char *tail;
} server_reply;

// Whether a job may go to the thread that is kept for short ones, see pool.h.
typedef enum job_length {
  JOB_LONG,  // it is large, or took long there
  JOB_ONCE,  // it changes what the daemon keeps: where no such job of its peer took long lately
  JOB_REPEATABLE  // where it takes long there it is ended, and begun once more elsewhere
} job_length;

// A job that was ended to be begun once more.
typedef struct job_again {
  bool wanted;
  shape_status stop;  // not SHAPE_OK: it is to end for good all the same
} job_again;

typedef struct server_job {
  struct server_job *next;                          // in a queue of the pool
  struct server_job *active_before, *active_after;  // among all that were not answered yet
  struct pool_share *share;                         // of the queue that it was put into
  connection *conn;
  server_batch *batch;  // NULL: the reply is alone
  server_message *message;
  rpc_request request;
  const method_row *row;
  method_limits limits;
  method_host host;
  method_control control;
  struct worker_set *workers;      // NULL: this process answers
  struct worker_process *process;  // that has the request already; NULL: none
  atomic_int executor;             // the process that answers it; 0: this one
  uint64_t deadline;               // uv_hrtime; the request may name an earlier one
  uint64_t received, started, finished,
      progressed;  // progressed: when its progress was last reported
  server_reply *reply;
  rpc_code outcome;
  bool running;  // a worker has taken it
  job_length expected;
  job_again again;
} server_job;

server_reply *reply_new(size_t limit);  // NULL: no memory
void reply_free(server_reply *reply);
server_message *message_new(const char *text, size_t length);  // one reference; NULL: no memory
void message_release(server_message *message);

// A request to its reply: what a request is answered by, in this process or in another. `out` is empty where there was no
// memory for a reply.
void job_answer(const method_row *row, const rpc_request *request, const method_limits *limits,
                const method_host *host, method_control *control, shape_strbuf *out,
                rpc_code *outcome);
// Whether its deadline, or the earlier one that the request names, is not after `now`.
bool job_is_late(const server_job *job, uint64_t now);
// Answers the request of a job; called on a thread of the pool. With `workers` a process of those does; `stay`, if any, is
// of a thread that should then be beside it.
void job_run(server_job *job, processor_stay *stay);
// Makes an error the reply of a job.
void job_fail(server_job *job, const rpc_failure *failure);

#endif
