// SPDX-License-Identifier: Apache-2.0
#include "server/iteration.h"

#include <time.h>

enum { SHORT_NS = 50000 };

static uint64_t loop_cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

// What the loop did since it was here last, but for waiting, was an iteration.
static void on_prepare(uv_prepare_t *prepare) {
  iteration_clock *clock = prepare->data;
  server_metrics *metrics = clock->metrics;
  uint64_t now = uv_hrtime() - uv_metrics_idle_time(prepare->loop);
  iteration_begin(clock);
  uint64_t cpu = clock->since;
  uint64_t micros = clock->ended ? (now - clock->ended) / 1000 : 0;
  uint64_t cpu_micros = clock->ended ? (cpu - clock->ended_cpu) / 1000 : 0;
  clock->ended = now;
  clock->ended_cpu = cpu;
  if (micros > metrics->loop_max) metrics->loop_max = micros;
  if (cpu_micros > metrics->loop_cpu_max) metrics->loop_cpu_max = cpu_micros;
}

void iteration_open(iteration_clock *clock, uv_loop_t *loop, server_metrics *metrics) {
  clock->metrics = metrics;
  uv_prepare_init(loop, &clock->prepare);
  clock->prepare.data = clock;
  uv_prepare_start(&clock->prepare, on_prepare);
}

uint64_t iteration_cpu(iteration_clock *clock) { return clock->cpu = loop_cpu(); }

uint64_t iteration_used(iteration_clock *clock, uint64_t began) {
  uint64_t passed = uv_hrtime() - began, before = clock->cpu;
  if (passed < SHORT_NS) {
    clock->cpu += passed;
    return passed;
  }
  iteration_cpu(clock);
  return clock->cpu > before ? clock->cpu - before : 0;
}

void iteration_begin(iteration_clock *clock) {
  clock->since = iteration_cpu(clock);
  clock->asked = clock->short_since = 0;
}

// The thread has not used more of the processor than has passed.
bool iteration_has_time(iteration_clock *clock, uint64_t nanoseconds) {
  uint64_t now = uv_hrtime();
  if (!clock->asked) clock->asked = now;
  return now - clock->asked < nanoseconds || loop_cpu() - clock->since < nanoseconds;
}
