// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1  // sched_setaffinity

#include "server/processor.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <uv.h>

enum { STAY_NS = 50000000 };

struct processor_stay {
  int processor;   // plus 1; 0: the thread does not stay
  uint64_t until;  // uv_hrtime
  cpu_set_t any;   // where the thread may run otherwise
};

processor_stay *stay_new(void) { return calloc(1, sizeof(processor_stay)); }

void stay_free(processor_stay *stay) { free(stay); }

static bool keep(pid_t pid, int processor) {
  cpu_set_t one;
  assert(processor > 0 && processor <= CPU_SETSIZE);
  CPU_ZERO(&one);
  CPU_SET(processor - 1, &one);
  return sched_setaffinity(pid, sizeof one, &one) == 0;
}

int stay_begin(processor_stay *stay) {
  uint64_t now = uv_hrtime();
  int processor = sched_getcpu() + 1;
  if (processor > CPU_SETSIZE) return 0;
  if (!stay || !processor) return processor;
  if (stay->processor && now < stay->until) return processor;
  if (stay->processor) {
    stay_end(stay);  // where the thread is woken next is where it stays next
    return processor;
  }
  if (sched_getaffinity(0, sizeof stay->any, &stay->any) != 0 || !keep(0, processor))
    return processor;
  stay->processor = processor;
  stay->until = now + STAY_NS;
  return processor;
}

void stay_end(processor_stay *stay) {
  if (!stay || !stay->processor) return;
  sched_setaffinity(0, sizeof stay->any, &stay->any);
  stay->processor = 0;
}

bool process_keep(pid_t pid, int processor) { return keep(pid, processor); }

void process_roam(pid_t pid) {
  cpu_set_t any;
  if (sched_getaffinity(0, sizeof any, &any) == 0) sched_setaffinity(pid, sizeof any, &any);
}
