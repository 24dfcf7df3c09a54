// SPDX-License-Identifier: Apache-2.0
// The child side of a batch, in a sandbox that opens files to read and nothing else (proto/process).
//
// Workers take the next model themselves, from a counter in memory that all have, and send what they find in one write; the
// parent sleeps meanwhile. It is woken by the end of a worker, by a pipe that workers write to before what they have sent
// fills half of their own, and by its own clock, ten times a second. Which model a worker is at is in memory that it has with the
// parent, and is written before the model is opened; a model's answer is sent before the next model is begun.
#ifndef SHAPE_CLI_BATCH_WORKER_H
#define SHAPE_CLI_BATCH_WORKER_H

#include <stdatomic.h>

#include "clients/cli/batch/batch.h"

typedef enum worker_message {
  WORKER_RECORD,  // JSON of the record
  WORKER_KNOWN,   // index (size_t) in `known`: the same content has a result already
  WORKER_OK       // nothing: the status is OK, and the record would not be read
} worker_message;

// In front of each message.
typedef struct worker_head {
  size_t what;    // a worker_message
  size_t index;   // of the path
  size_t length;  // of what follows
} worker_head;

typedef struct worker_file {
  char hash[SHA256_TEXT];
  char format[16];  // the longest name of a format is shorter
  uint64_t bytes;
} worker_file;

// Memory that the parent and one worker have: what the parent needs where the worker does not come to an end.
typedef struct worker_note {
  atomic_size_t index;  // of the path that it works on, or has answered last; SIZE_MAX: none yet
  atomic_uint_least64_t begun;  // when that was: nanoseconds of the monotonic clock
  atomic_bool whole;            // the file is read, the analysis begins
  worker_file file;
} worker_note;

// The models that workers take. They may do what they like with `next`: the parent knows which have answers.
typedef struct worker_work {
  const batch_options *options;
  const batch_paths *paths;
  const results *known;  // sorted by hash
  const size_t *order;   // indices of paths
  size_t count;
  atomic_size_t *next;  // of `order`; memory of all
} worker_work;

// Works on models until there are no more of them. Never returns.
_Noreturn void worker_run(const worker_work *work, worker_note *note, int replies, int wake);

#endif
