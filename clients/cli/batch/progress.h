// SPDX-License-Identifier: Apache-2.0
// How far a batch is, on standard error: a bar with the rate and the time left on a terminal, else a plain line every
// few seconds.
#ifndef SHAPE_CLI_BATCH_PROGRESS_H
#define SHAPE_CLI_BATCH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct progress {
  size_t done, total, not_ok, said;  // said: of `done`, when it was shown last
  double begin, shown;               // seconds of the monotonic clock
  bool terminal, drawn, quiet;
  unsigned width;  // of the terminal
} progress;

void progress_begin(progress *p, size_t total, bool quiet);
void progress_step(progress *p, bool failed);  // one more is done
void progress_draw(progress *p);               // where more are done, and it is time to
void progress_end(progress *p);
double progress_now(void);  // seconds

#endif
