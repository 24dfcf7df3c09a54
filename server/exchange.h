// SPDX-License-Identifier: Apache-2.0
// One request and one worker process: sends the job, answers the calls that the worker makes meanwhile by the host of the
// job (sessions, profiles), takes the reply. Nothing that comes is trusted. To the host the process is the session.
#ifndef SERVER_EXCHANGE_H
#define SERVER_EXCHANGE_H

#include <sys/types.h>

#include "server/job.h"
#include "server/peer.h"
#include "server/wire.h"

enum { EXCHANGE_KILL_MS = 2000 };  // for a request that was stopped to end

typedef enum exchange_end {
  EXCHANGE_DONE,     // it answered, and can go on
  EXCHANGE_ABSENT,   // it died before it took the request: nothing is written, another may have it
  EXCHANGE_LONGER,   // it takes more than `steps`: the same, and the process can go on
  EXCHANGE_DIED,     // it is gone, or
  EXCHANGE_INVALID,  // what it says makes no sense: worker-died
  EXCHANGE_STOPPED   // it did not end although it was to: the reason why is the answer
} exchange_end;

typedef struct worker_process worker_process;

typedef struct exchange {
  server_job *job;
  worker_process *process;
  bool fresh;      // it may add a session
  uint64_t steps;  // after which the worker gives up; 0: never
  // Results.
  exchange_end end;
  bool added, ended;  // a session
  // Its own.
  unsigned
      state;  // of the shared memory, once it was not WIRE_ASKED: the worker may change it again
  uint64_t stop_seen;  // uv_hrtime; 0: not yet
  bool looked_for_token;
} exchange;

struct worker_process {
  worker_process *next;  // among those without work
  wire_stream stream;
  wire_shared *shared;
  pid_t pid;
  uint64_t memory;            // that it may have
  uint64_t serial;            // of its last job
  char peer[PEER_NAME_SIZE];  // whose requests it had; empty: it had none
  uint64_t session_bytes;     // of the session that it holds, as it says
  bool holds;                 // a session
  int processor;              // that it is kept on, plus 1; 0: any
  unsigned late;              // that many requests more the loop does not wait for it
  exchange exchange;          // about its last job
};

// Sends the job. False: that failed, and the end says how, as after exchange_finish.
bool exchange_begin(exchange *x);
// Waits for so long. True: exchange_finish takes what there is without waiting.
bool exchange_ready(exchange *x, uint64_t wait_ns);
// Fills the job's reply and outcome, unless the end is ABSENT. The process is to be ended unless it is DONE.
void exchange_finish(exchange *x);
// The session that the parameters name, if any. The request need not be valid.
bool exchange_session_id(const rpc_request *request, char id[SESSION_ID_SIZE]);

#endif
