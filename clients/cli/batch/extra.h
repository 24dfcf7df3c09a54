// SPDX-License-Identifier: Apache-2.0
// What a record has beside the summary where it is asked for: memory and work, and how many dims could be free.
#ifndef SHAPE_CLI_BATCH_EXTRA_H
#define SHAPE_CLI_BATCH_EXTRA_H

#include "clients/cli/batch/record.h"
#include "clients/cli/setup.h"

typedef struct kept_text {
  char *data;
  size_t length, capacity;
  bool failed;  // there was no memory
} kept_text;

void kept_add(void *to, const char *data,
              size_t length);  // a shape_write; `data` of it is malloc'ed

// Of the entry of an analysis without errors. extra_end ends the texts.
void *extra_cost(subject *s, batch_extra *out);
void extra_end(void *cost);
// How many dims of arguments are numbers, and no numbers in the answer of generalize; -1: it has no answer.
int64_t extra_free_dims(subject *s);

#endif
