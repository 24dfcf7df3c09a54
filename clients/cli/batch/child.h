// SPDX-License-Identifier: Apache-2.0
// A worker as the parent sees it: its process, its pipe, and what came through that.
#ifndef SHAPE_CLI_BATCH_CHILD_H
#define SHAPE_CLI_BATCH_CHILD_H

#include <sys/types.h>

#include "clients/cli/batch/worker.h"

typedef struct child {
  pid_t pid;  // 0: there is none
  int replies;
  size_t index;     // of the path that it was found at; SIZE_MAX: at none without an answer
  double deadline;  // of the model, or of what the worker does between two; seconds of progress_now
  double sending;   // 0: all that it sent is here; else until when the rest is waited for
  double inspected;  // when it was last
  worker_note *note;
  char *data;  // bytes that came and are not yet a message
  size_t length, capacity;
} child;

// Memory that this process and those that it forks have in common; NULL: there is none.
void *shared_memory(size_t bytes);

// Starts a process for children[which] of `count`. False with errno.
bool child_start(child *children, uint32_t count, uint32_t which, const worker_work *work,
                 int wake);
// Ends it, whatever it does, and says how it ended (waitpid).
int child_stop(child *c, bool kill_it);
void child_free(child *c);

// Reads some of what there is: > 0, 0: nothing now (or no memory, which is said), < 0: it has ended.
int child_receive(child *c, bool *no_memory);
// The message that begins at `data` + at, of which all has come; NULL: there is none.
const char *child_message(const child *c, size_t at, worker_head *head);
// Forgets the first bytes.
void child_drop(child *c, size_t bytes);

#endif
