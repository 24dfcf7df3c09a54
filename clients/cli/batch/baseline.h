// SPDX-License-Identifier: Apache-2.0
// What got worse since an earlier run: the results of today beside a file of results (--jsonl, or a journal).
//
// Worse is, for a model that both have: no answer or errors where there were none, an error or warning more, a guard
// more, more dims that the arguments do not determine, fewer known ones in the very same file, and any change of its
// inputs and outputs (type, dims, name): others rely on those. Lists that were cut are compared by their lengths.
// A model that only one of both has is worse where it is gone, or is new and has no answer or errors.
// Cost: each record is read and parsed once.
#ifndef SHAPE_CLI_BATCH_BASELINE_H
#define SHAPE_CLI_BATCH_BASELINE_H

#include <stdio.h>

#include "clients/cli/batch/journal.h"

typedef struct baseline {
  const char *path;  // NULL: there is none
  results then;      // sorted
  bool part;         // the run has a part of the models only: what is missing is not gone
} baseline;

// False after a message on stderr: there are no results in that file.
bool baseline_open(baseline *b, const char *path, bool part);
// A line on `to` for each change for the worse, then how many there are; `now` is sorted. False after a message.
bool baseline_compare(const baseline *b, const results *now, FILE *to, size_t *worse);
void baseline_close(baseline *b);

#endif
