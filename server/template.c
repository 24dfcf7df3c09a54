// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1  // struct ucred of sys/socket.h, MAP_ANONYMOUS

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/process/sandbox.h"
#include "server/memory.h"
#include "server/worker.h"

enum { STACK_BYTES = 8 << 20, WORKER_FD = 3 };

static void limit_to(int what, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(what, &limit) != 0) return;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < most) most = limit.rlim_max;
  limit.rlim_cur = most;
  setrlimit(what, &limit);
}

// The kernel ends a worker before it ends the daemon where memory is short.
static void end_first(void) {
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  ssize_t n = write(fd, "500", 3);
  (void)n;
  close(fd);
}

static _Noreturn void become_worker(const template_request *wanted, int socket_fd, int memory_fd,
                                    pid_t parent) {
  process_end_with(parent);
  wire_shared *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, memory_fd, 0);
  if (shared == MAP_FAILED || dup2(socket_fd, WORKER_FD) < 0) _exit(1);
  fcntl(WORKER_FD, F_SETFD, 0);
  close(STDIN_FILENO);
  close(STDOUT_FILENO);
  process_close_from(WORKER_FD + 1);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  if (wanted->memory) limit_to(RLIMIT_DATA, (rlim_t)wanted->memory);
#endif
  if ((sandbox_enter(SANDBOX_COMPUTES) & wanted->sandbox) != wanted->sandbox) _exit(1);
  worker_run(WORKER_FD, shared);
}

int64_t template_ask(int template_fd, const template_request *request, const int fds[2]) {
  union {
    char bytes[CMSG_SPACE(2 * sizeof(int))];
    struct cmsghdr align;
  } control = {{0}};
  struct iovec part = {(void *)(uintptr_t)request, sizeof *request};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(2 * sizeof(int));
  memcpy(CMSG_DATA(head), fds, 2 * sizeof(int));
  int64_t answer = -EPIPE;
  if (sendmsg(template_fd, &message, MSG_NOSIGNAL) != (ssize_t)sizeof *request) return -EPIPE;
  ssize_t n;
  do {
    n = recv(template_fd, &answer, sizeof answer, 0);
  } while (n < 0 && errno == EINTR);
  return n == (ssize_t)sizeof answer && answer ? answer : -EPIPE;
}

// False at the end of the socket.
static bool receive_request(template_request *out, int fds[2]) {
  union {
    char bytes[CMSG_SPACE(2 * sizeof(int))];
    struct cmsghdr align;
  } control;
  struct iovec part = {out, sizeof *out};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  ssize_t n;
  do {
    n = recvmsg(TEMPLATE_FD, &message, MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR);
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  if (n != (ssize_t)sizeof *out || !head || head->cmsg_type != SCM_RIGHTS ||
      head->cmsg_len != CMSG_LEN(2 * sizeof(int))) {
    return false;
  }
  memcpy(fds, CMSG_DATA(head), 2 * sizeof(int));
  return true;
}

int worker_template(void) {
  template_request request;
  int fds[2];
  pid_t self = getpid(), parent = getppid();
  process_end_with(parent);
  // A terminal and a service manager signal the whole group: the daemon alone says when it is over.
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGCHLD, SIG_IGN);  // workers are not waited for
  limit_to(RLIMIT_CORE, 0);
  limit_to(RLIMIT_STACK, STACK_BYTES);
  process_close_from(TEMPLATE_FD + 1);
  end_first();
  memory_keep();
  while (receive_request(&request, fds)) {
    pid_t pid = fork();
    if (pid == 0) become_worker(&request, fds[0], fds[1], self);
    int64_t answer = pid < 0 ? -(int64_t)errno : (int64_t)pid;
    close(fds[0]);
    close(fds[1]);
    if (send(TEMPLATE_FD, &answer, sizeof answer, MSG_NOSIGNAL) != (ssize_t)sizeof answer) break;
  }
  return 0;
}
