// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1  // syscall

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/process/sandbox.h"

// Runs a probe in a process in the sandbox: what it returns, or -1 for a signal.
static int inside(sandbox_kind kind, int (*probe)(void)) {
  unsigned available = sandbox_available();
  pid_t pid = fork();
  if (pid == 0) {
    if (sandbox_enter(kind) != available) _exit(99);
    _exit(probe());
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool denied(long result) { return result < 0 && (errno == EPERM || errno == EACCES); }

// 0, or the number of the first call that was not refused.
static int leave_memory(void) {
  if (!denied(open("/etc/passwd", O_RDONLY))) return 1;
  if (!denied(open("/tmp", O_RDONLY))) return 2;
  if (!denied(socket(AF_UNIX, SOCK_STREAM, 0))) return 3;
  if (!denied(socket(AF_INET, SOCK_STREAM, 0))) return 4;
  if (!denied(fork())) return 5;
  if (!denied(execl("/bin/true", "true", (char *)NULL))) return 6;
  if (!denied(kill(getppid(), 0))) return 7;
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) return 8;
  if (!denied(unlink("/tmp/none"))) return 9;
  if (!denied(syscall(SYS_ptrace, 0, 0, 0, 0))) return 10;
  if (!denied(syscall(SYS_tgkill, getppid(), getppid(), 0))) return 11;
  return 0;
}

static int compute(void) {
  char *volatile piece = malloc(1 << 22);
  if (!piece) return 1;
  memset(piece, 1, 1 << 22);
  char *volatile larger = realloc(piece, 1 << 24);
  if (!larger) return 2;
  free(larger);
  return write(STDERR_FILENO, "", 0) == 0 ? 0 : 3;
}

static int end_itself(void) { abort(); }

static int read_files(void) {
  char bytes[4];
  int fd = open("/etc/passwd", O_RDONLY);
  if (fd < 0 || read(fd, bytes, sizeof bytes) != (ssize_t)sizeof bytes) return 1;
  close(fd);
  if (!denied(open("/tmp/shaped-sandbox-test", O_WRONLY | O_CREAT, 0600))) return 2;
  if (!denied(open("/etc/passwd", O_RDWR))) return 3;
  if (!denied(socket(AF_UNIX, SOCK_STREAM, 0))) return 4;
  if (!denied(fork())) return 5;
  return 0;
}

Test(sandbox, of_computing_leaves_nothing_but_memory_and_what_is_open) {
  if (!(sandbox_available() & SANDBOX_SECCOMP)) cr_skip_test("this kernel has no seccomp");
  cr_assert_eq(inside(SANDBOX_COMPUTES, leave_memory), 0);
  cr_assert_eq(inside(SANDBOX_COMPUTES, compute), 0);
  cr_assert_eq(inside(SANDBOX_COMPUTES, end_itself), -1, "abort ends the process");
}

Test(sandbox, of_reading_opens_files_to_read_and_nothing_else) {
  if (!(sandbox_available() & SANDBOX_SECCOMP)) cr_skip_test("this kernel has no seccomp");
  cr_assert_eq(inside(SANDBOX_READS_FILES, read_files), 0);
  cr_assert_eq(inside(SANDBOX_READS_FILES, compute), 0);
}

static int nothing_is_open(void) {
  for (int fd = 3; fd < 100; fd++) {
    if (fcntl(fd, F_GETFD) != -1) return fd;
  }
  return 0;
}

Test(sandbox, descriptors_are_closed_from_one_on) {
  pid_t pid = fork();
  if (pid == 0) {
    for (int i = 0; i < 20; i++) (void)!dup(STDERR_FILENO);
    process_close_from(3);
    _exit(nothing_is_open());
  }
  int status = 0;
  waitpid(pid, &status, 0);
  cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// A process that would wait for ever, and whose parent ends: the pipe of both is closed.
Test(sandbox, a_process_ends_with_its_parent) {
  int ends[2];
  char byte;
  cr_assert_eq(pipe(ends), 0);
  pid_t parent = fork();
  if (parent == 0) {
    pid_t self = getpid();
    if (fork() == 0) {
      process_end_with(self);
      (void)!write(ends[1], "", 1);
      for (;;) pause();
    }
    (void)!read(ends[0], &byte, 1);
    _exit(0);
  }
  close(ends[1]);
  waitpid(parent, NULL, 0);
  cr_assert_eq(read(ends[0], &byte, 1), 0, "it is gone");
}

Test(sandbox, a_process_whose_parent_is_gone_ends) {
  pid_t pid = fork();
  if (pid == 0) {
    process_end_with(getppid() + 1);
    _exit(1);
  }
  int status = 1;
  waitpid(pid, &status, 0);
  cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
