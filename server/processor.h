// SPDX-License-Identifier: Apache-2.0
// A thread that waits for a process, and the process, on one processor.
//
// To switch to the process there takes a tenth of what it takes to wake another processor, and what both of them read is
// in its cache. The kernel does not do so by itself: where another processor is idle, it wakes the other of the two there.
// A thread stays for many requests, as to begin and to end a stay costs as much as to switch to the process. From time to
// time the kernel chooses anew.
#ifndef SERVER_PROCESSOR_H
#define SERVER_PROCESSOR_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct processor_stay processor_stay;  // of one thread, which alone uses it

processor_stay *stay_new(void);  // NULL: no memory; then the thread never stays
void stay_free(processor_stay *stay);
// Keeps the calling thread where it is, unless it has been there for long. The processor plus 1; 0: that is not known.
int stay_begin(processor_stay *stay);
void stay_end(
    processor_stay *stay);  // from here on the thread runs anywhere; NULL, or no stay: nothing
bool process_keep(pid_t pid, int processor);  // on that one, plus 1
void process_roam(pid_t pid);  // on any that the calling thread, which does not stay, may use

#endif
