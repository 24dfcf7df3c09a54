// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1  // F_SETLEASE
#include "clients/cli/input_window.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clients/cli/options.h"

enum { LENGTH = WINDOW_FROM + 10 };

// Status of a process that loses its lease, as one that was stopped for long does, before the file is cut.
static int status_of(bool reads_on) {
  char path[] = "/tmp/shape-window-XXXXXX";
  int fd = mkstemp(path), status = -1;
  cr_assert(fd >= 0 && ftruncate(fd, LENGTH) == 0);
  close(fd);
  pid_t pid = fork();
  if (pid == 0) {
    fd = open(path, O_RDONLY | O_CLOEXEC);
    input_window *w = input_window_open(fd, LENGTH);
    if (!w) _exit(EXIT_UNREADABLE);  // no leases here
    if (fcntl(fd, F_SETLEASE, F_UNLCK) != 0 || truncate(path, 0) != 0) _exit(99);
    if (reads_on) _exit(input_window_text(w)[LENGTH / 2]);
    input_window_close(w);
    _exit(98);
  }
  cr_assert(pid > 0 && waitpid(pid, &status, 0) == pid);
  unlink(path);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

Test(input_window, a_lost_lease_is_an_unreadable_file) {
  cr_expect_eq(status_of(true), EXIT_UNREADABLE);
  cr_expect_eq(status_of(false), EXIT_UNREADABLE);
}

// What was read before the stop is there after it, whatever others did to the file meanwhile.
Test(input_window, a_process_that_is_to_stop_gives_up_its_lease) {
  char path[] = "/tmp/shape-window-XXXXXX";
  int fd = mkstemp(path);
  cr_assert(fd >= 0 && ftruncate(fd, LENGTH) == 0 && pwrite(fd, "x", 1, LENGTH / 2) == 1);
  close(fd);
  fd = open(path, O_RDONLY | O_CLOEXEC);
  signal(SIGTSTP, SIG_IGN);  // else the test would stop here
  input_window *w = input_window_open(fd, LENGTH);
  if (w) {
    cr_assert_eq(fcntl(fd, F_GETLEASE), F_RDLCK);
    cr_assert_eq(kill(getpid(), SIGTSTP), 0);
    while (fcntl(fd, F_GETLEASE) == F_RDLCK)
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    cr_assert_eq(truncate(path, 0), 0);
    cr_expect_eq(input_window_text(w)[LENGTH / 2], 'x');
    input_window_close(w);
  }
  close(fd);
  unlink(path);
}
