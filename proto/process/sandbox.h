// SPDX-License-Identifier: Apache-2.0
// Takes rights away from the calling process: for processes that read untrusted input.
//
// Three layers, each as far as the kernel has it: no_new_privs, so that nothing that is executed gains rights; Landlock,
// so that no path can be opened; a seccomp filter that allows a list of system calls and answers all others with EPERM.
// EPERM and not a kill, so that a C library that tries a call which the list does not know falls back as it does on old
// kernels. None of it can be undone. Call it while the process has one thread.
#ifndef PROTO_PROCESS_SANDBOX_H
#define PROTO_PROCESS_SANDBOX_H

#include <stdbool.h>
#include <sys/types.h>

typedef enum sandbox_kind {
  SANDBOX_COMPUTES,    // reads and writes descriptors that are open, and nothing else
  SANDBOX_READS_FILES  // may open regular files for reading, too, and lower its own limits
} sandbox_kind;

// What is in force, or could be: a set.
enum { SANDBOX_NO_PRIVILEGES = 1, SANDBOX_LANDLOCK = 2, SANDBOX_SECCOMP = 4 };

unsigned sandbox_available(void);
unsigned sandbox_enter(sandbox_kind kind);  // what is in force now

// Closes every descriptor from `lowest` on.
void process_close_from(int lowest);
// From here on the calling process ends when its parent does, or now, where that is gone already. `parent`: as it was before
// the fork. Where the kernel cannot say it only the second.
void process_end_with(pid_t parent);

#endif
