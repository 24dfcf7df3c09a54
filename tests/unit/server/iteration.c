// SPDX-License-Identifier: Apache-2.0
// An iteration of the loop has time of the processor, and each has its own.
#include "server/iteration.h"

#include <criterion/criterion.h>
#include <string.h>

Test(iteration, time_is_that_of_the_processor) {
  const uint64_t second = 1000000000;
  iteration_clock clock = {0};
  iteration_begin(&clock);
  uint64_t began = clock.cpu;
  cr_expect(began && clock.since == began && !clock.asked);
  cr_expect(iteration_has_time(&clock, second));
  cr_expect(clock.asked);
  clock.asked -= 2 * second;
  cr_expect(iteration_has_time(&clock, second), "others had the processor");
  clock.since -= 2 * second;
  cr_expect_not(iteration_has_time(&clock, second));
  clock.asked += 2 * second;
  cr_expect(iteration_has_time(&clock, second), "there was not as much");
  clock.short_since = 7;
  cr_expect_geq(iteration_cpu(&clock), began);
  iteration_begin(&clock);
  cr_expect_eq(clock.short_since, 0u);
  cr_expect(iteration_has_time(&clock, second), "the next one has time of its own");
}

Test(iteration, what_took_long_is_measured) {
  iteration_clock clock = {0};
  iteration_begin(&clock);
  uint64_t began = clock.cpu, now = uv_hrtime();
  cr_expect_lt(iteration_used(&clock, now), now, "it is what passed, or was used");
  clock.cpu = began;
  uint64_t used = iteration_used(&clock, now - 1000000000);
  cr_expect(used == clock.cpu - began && used < 1000000000, "others had the processor");
  clock.cpu += 1000000000;
  cr_expect_eq(iteration_used(&clock, now - 1000000000), 0u, "it was less than what passed before");
}

static void work(uv_idle_t *idle) {
  iteration_clock own = {0}, *clock = idle->data;
  uint64_t begin = iteration_cpu(&own);
  cr_expect(iteration_has_time(clock, UINT64_MAX));
  while (iteration_cpu(&own) - begin < 3000000) continue;
  cr_expect_not(iteration_has_time(clock, 1000000));
  uv_idle_stop(idle);
}

static void close_handle(uv_handle_t *handle, void *data) {
  (void)data;
  uv_close(handle, NULL);
}

// What a loop does between two waits is an iteration, and the metrics have the longest.
Test(iteration, the_longest_is_measured) {
  uv_loop_t loop;
  uv_idle_t idle;
  iteration_clock clock = {0};
  server_metrics *metrics = calloc(1, sizeof *metrics);
  cr_assert(metrics && uv_loop_init(&loop) == 0);
  uv_loop_configure(&loop, UV_METRICS_IDLE_TIME);
  iteration_open(&clock, &loop, metrics);
  uv_idle_init(&loop, &idle);
  idle.data = &clock;
  uv_run(&loop, UV_RUN_NOWAIT);
  cr_expect_eq(metrics->loop_cpu_max, 0u, "nothing was before the first one");
  uv_idle_start(&idle, work);
  uv_run(&loop, UV_RUN_NOWAIT);
  uv_run(&loop, UV_RUN_NOWAIT);
  cr_expect_geq(metrics->loop_cpu_max, 3000u);
  cr_expect_geq(metrics->loop_max, metrics->loop_cpu_max / 2);
  uv_walk(&loop, close_handle, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  cr_expect_eq(uv_loop_close(&loop), 0);
  free(metrics);
}
