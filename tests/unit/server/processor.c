// SPDX-License-Identifier: Apache-2.0
// A thread stays on one processor while it waits for a process there, and has all of its own afterwards.
#define _GNU_SOURCE 1  // cpu_set_t

#include "server/processor.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int processors_of(pid_t pid) {
  cpu_set_t set;
  cr_assert_eq(sched_getaffinity(pid, sizeof set, &set), 0);
  return CPU_COUNT(&set);
}

Test(processor, a_stay_is_of_one_processor_and_ends) {
  int all = processors_of(0);
  processor_stay *stay = stay_new();
  cr_assert(stay);
  stay_end(stay);
  cr_expect_eq(processors_of(0), all, "there was none");
  int processor = stay_begin(stay);
  cr_assert_gt(processor, 0);
  cr_expect_eq(processors_of(0), 1);
  cr_expect_eq(stay_begin(stay), processor, "it goes on");
  cr_expect_eq(sched_getcpu() + 1, processor);
  stay_end(stay);
  cr_expect_eq(processors_of(0), all);
  stay_free(stay);
}

Test(processor, the_kernel_chooses_anew_from_time_to_time, .timeout = 60) {
  int all = processors_of(0);
  processor_stay *stay = stay_new();
  stay_begin(stay);
  for (int i = 0; i < 10000 && processors_of(0) == 1; i++) {
    usleep(1000);
    cr_assert_gt(stay_begin(stay), 0);
    if (all == 1) break;
  }
  cr_expect_eq(processors_of(0), all, "for one request the thread does not stay");
  stay_begin(stay);
  cr_expect_eq(processors_of(0), 1);
  stay_end(stay);
  stay_free(stay);
}

Test(processor, without_memory_a_thread_never_stays) {
  int all = processors_of(0);
  cr_expect_gt(stay_begin(NULL), 0);
  cr_expect_eq(processors_of(0), all);
  stay_end(NULL);
}

Test(processor, a_process_is_kept_and_roams) {
  int all = processors_of(0), processor = sched_getcpu() + 1;
  pid_t pid = fork();
  if (pid == 0) {
    for (;;) pause();
  }
  cr_assert_gt(pid, 0);
  cr_expect(process_keep(pid, processor));
  cr_expect_eq(processors_of(pid), 1);
  process_roam(pid);
  cr_expect_eq(processors_of(pid), all);
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  cr_expect_not(process_keep(pid, processor), "it is gone");
}
