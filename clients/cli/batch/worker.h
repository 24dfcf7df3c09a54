// SPDX-License-Identifier: Apache-2.0
// The child side of a batch, in a sandbox that opens files to read and nothing else (proto/process). Messages to the
// parent: a byte that says what, a length (size_t), that many bytes.
#ifndef SHAPE_CLI_BATCH_WORKER_H
#define SHAPE_CLI_BATCH_WORKER_H

#include <stdatomic.h>

#include "clients/cli/batch/batch.h"

enum {
  WORKER_RECORD = 'r',  // JSON of the record
  WORKER_KNOWN = 'k'    // index (size_t) in `known`: the same content has a result already
};

typedef struct worker_file {
  char hash[SHA256_TEXT];
  char format[16];  // the longest name of a format is shorter
  uint64_t bytes;
} worker_file;

// Memory that both have: what the parent needs where the worker does not come to an end. A message would wake it for each
// file.
typedef struct worker_note {
  atomic_bool whole;  // the file is read, the analysis begins
  worker_file file;
} worker_note;

// Reads indices of paths from `jobs` until its end, works on each, answers on `replies`. Never returns.
_Noreturn void worker_run(const batch_options *options, const batch_paths *paths,
                          const results *known, worker_note *note, int jobs, int replies);

#endif
