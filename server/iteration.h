// SPDX-License-Identifier: Apache-2.0
// What an iteration of the event loop has taken of the processor, so that none of its parts takes it all.
#ifndef SERVER_ITERATION_H
#define SERVER_ITERATION_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "server/metrics.h"

typedef struct iteration_clock {
  uv_prepare_t prepare;  // before the loop waits
  server_metrics *metrics;
  uint64_t opened;  // uv_hrtime
  uint64_t ended;  // uv_hrtime but for the time that the loop waited, when the last iteration ended
  uint64_t ended_cpu;  // of the processor, then
  uint64_t cpu;        // of the processor, when iteration_cpu or iteration_used was called last
  uint64_t since;      // of the processor, when this iteration began
  // uv_hrtime when the time of this iteration was first asked for, and of its first request that was tried there; 0: there
  // was none.
  uint64_t asked, short_since;
  uint64_t read_began;  // uv_hrtime, of the connection that is read
} iteration_clock;

void iteration_open(iteration_clock *clock, uv_loop_t *loop, server_metrics *metrics);
void iteration_begin(iteration_clock *clock);
// Whether this iteration of the loop has taken less than so long by now.
bool iteration_has_time(iteration_clock *clock, uint64_t nanoseconds);
// Nanoseconds of the processor that this thread has used: what others take of it does not count. A system call, which takes
// as long as a thirtieth of a small analysis.
uint64_t iteration_cpu(iteration_clock *clock);
// What the thread has used of the processor since this or iteration_cpu was called last; where little time has passed since
// `began`, by uv_hrtime, all of that.
uint64_t iteration_used(iteration_clock *clock, uint64_t began);

#endif
