// SPDX-License-Identifier: Apache-2.0
#include "server/notify.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

void notify(const char *state) {
  const char *path = getenv("NOTIFY_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!path || (*path != '/' && *path != '@')) return;
  size_t length = strlen(path);
  if (length >= sizeof address.sun_path) return;
  memcpy(address.sun_path, path, length);
  if (*path == '@') address.sun_path[0] = 0;  // the abstract namespace
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  // A manager that does not read must not stop the loop: the loop waits for it no longer than this, and not at all to send it
  // again and again that we are alive.
  const struct timeval patience = {.tv_usec = 100000};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  int flags = MSG_NOSIGNAL | (strncmp(state, "WATCHDOG=", 9) == 0 ? MSG_DONTWAIT : 0);
  ssize_t sent = sendto(fd, state, strlen(state), flags, (struct sockaddr *)&address,
                        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
  (void)sent;  // a manager that does not listen is no reason to stop
  close(fd);
}

unsigned notify_watchdog(void) {
  const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
  if (!usec || (pid && strtol(pid, NULL, 10) != (long)getpid())) return 0;
  unsigned long long half = strtoull(usec, NULL, 10) / 2000;
  return half < UINT_MAX ? (unsigned)half : UINT_MAX;
}
