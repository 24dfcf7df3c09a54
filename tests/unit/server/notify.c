// SPDX-License-Identifier: Apache-2.0
#include "server/notify.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// A socket of the abstract namespace, as "@name"; its descriptor.
static int listen_at(char *name, size_t size) {
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  snprintf(name, size, "@shaped-notify-%ld", (long)getpid());
  memcpy(at.sun_path + 1, name + 1, strlen(name + 1));
  int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
  cr_assert(fd >= 0 && bind(fd, (struct sockaddr *)&at, length) == 0);
  return fd;
}

static ssize_t receive(int fd, char out[64]) {
  ssize_t n = recv(fd, out, 63, MSG_DONTWAIT);
  out[n < 0 ? 0 : n] = 0;
  return n;
}

Test(notify, a_manager_receives_the_state) {
  char name[64], heard[64];
  int fd = listen_at(name, sizeof name);
  setenv("NOTIFY_SOCKET", name, 1);
  notify("READY=1");
  cr_expect_eq(receive(fd, heard), 7);
  cr_expect_str_eq(heard, "READY=1");
  notify("WATCHDOG=1");
  receive(fd, heard);
  cr_expect_str_eq(heard, "WATCHDOG=1");
  close(fd);
}

Test(notify, where_no_one_listens_nothing_happens) {
  char name[64], heard[64], large[300];
  int fd = listen_at(name, sizeof name);
  unsetenv("NOTIFY_SOCKET");
  notify("READY=1");
  memset(large, 'x', sizeof large);
  large[0] = '/';
  large[sizeof large - 1] = 0;
  static const char *const WRONG[] = {"", "relative", "@none-listens-here", "/nonexistent"};
  for (size_t i = 0; i <= sizeof WRONG / sizeof *WRONG; i++) {
    setenv("NOTIFY_SOCKET", i < sizeof WRONG / sizeof *WRONG ? WRONG[i] : large, 1);
    notify("READY=1");
  }
  cr_expect_lt(receive(fd, heard), 0);
  close(fd);
}

// A manager that does not read is not waited for.
Test(notify, a_full_socket_loses_signs_of_life, .timeout = 60) {
  char name[64];
  int fd = listen_at(name, sizeof name);
  setenv("NOTIFY_SOCKET", name, 1);
  for (int i = 0; i < 2000; i++) notify("WATCHDOG=1");
  char heard[64];
  int count = 0;
  while (receive(fd, heard) == 10) count++;
  cr_expect(count > 0, "the first ones arrive");
  close(fd);
}

static void expect_interval(const char *usec, const char *pid, unsigned milliseconds) {
  if (usec) setenv("WATCHDOG_USEC", usec, 1);
  if (pid) setenv("WATCHDOG_PID", pid, 1);
  cr_expect_eq(notify_watchdog(), milliseconds, "%s of %s: %u", usec, pid, notify_watchdog());
  unsetenv("WATCHDOG_USEC");
  unsetenv("WATCHDOG_PID");
}

Test(notify, half_of_the_interval_of_the_watchdog) {
  char own[32], other[32];
  snprintf(own, sizeof own, "%ld", (long)getpid());
  snprintf(other, sizeof other, "%ld", (long)getpid() + 1);
  expect_interval(NULL, NULL, 0);
  expect_interval("30000000", NULL, 15000);
  expect_interval("30000000", own, 15000);
  expect_interval("30000000", other, 0);
  expect_interval("0", NULL, 0);
  expect_interval("soon", NULL, 0);
  expect_interval("18446744073709551615", NULL, UINT_MAX);
}
