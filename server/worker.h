// SPDX-License-Identifier: Apache-2.0
// The processes that read and solve requests, seen from inside.
//
// The daemon executes itself once more as the *template*: a process with a fresh address space, one thread and one
// socket, which forks a worker whenever the daemon asks for one. So workers hold neither keys nor what other clients
// sent, and share no addresses with the daemon. A worker answers one request after the other (job_answer) until its
// socket ends.
#ifndef SERVER_WORKER_H
#define SERVER_WORKER_H

#include "server/wire.h"

enum { TEMPLATE_FD = 3 };  // where the template finds its socket

// What the daemon asks of the template, beside two descriptors: the worker's socket and the shared memory. The answer is
// the worker's process id as an int64_t, or a negative errno.
typedef struct template_request {
  uint64_t memory;   // bytes of data that the worker may have; 0: as many as there are
  uint32_t sandbox;  // what sandbox_enter has to reach, or the worker ends at once
} template_request;

#define TEMPLATE_ARGUMENT "--worker-template"

// Asks for a worker, of the socket and shared memory that `fds` has: its process id, or a negative errno.
int64_t template_ask(int template_fd, const template_request *request, const int fds[2]);
// The template: does not return before its socket ends. The exit status.
int worker_template(void);
// The loop of a worker.
_Noreturn void worker_run(int fd, wire_shared *shared);

#endif
