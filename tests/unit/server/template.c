// SPDX-License-Identifier: Apache-2.0
// The process that forks workers: what it is asked, and how it ends.
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/worker.h"

static pid_t start_template(int *fd) {
  int ends[2];
  cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
  pid_t pid = fork();
  if (pid == 0) {
    int own = dup(ends[1]);  // it may be the number that the template's has
    dup2(own, TEMPLATE_FD);
    _exit(worker_template());
  }
  cr_assert(pid > 0);
  close(ends[1]);
  *fd = ends[0];
  return pid;
}

static int status_of(pid_t pid) {
  int status;
  cr_assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
  return WEXITSTATUS(status);
}

// Asks for a worker; the end of its socket that is the daemon's.
static int fork_worker(int template_fd, uint32_t sandbox) {
  int ends[2];
  const template_request request = {.sandbox = sandbox};
  FILE *memory = tmpfile();
  cr_assert(memory && ftruncate(fileno(memory), sizeof(wire_shared)) == 0);
  cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  int64_t pid = template_ask(template_fd, &request, (const int[2]){ends[1], fileno(memory)});
  close(ends[1]);
  fclose(memory);
  cr_assert(pid > 0 && pid != getpid());
  return ends[0];
}

Test(template, it_ends_with_its_socket_and_its_workers_with_it, .timeout = 60) {
  int fd;
  char byte;
  pid_t pid = start_template(&fd);
  int first = fork_worker(fd, 0), second = fork_worker(fd, 0);
  cr_expect_eq(recv(first, &byte, 1, MSG_DONTWAIT), -1, "it waits for requests");
  close(fd);
  cr_expect_eq(status_of(pid), 0);
  cr_expect_eq(recv(first, &byte, 1, 0), 0);
  cr_expect_eq(recv(second, &byte, 1, 0), 0);
  close(first), close(second);
}

Test(template, a_worker_without_the_sandbox_that_is_asked_for_ends_at_once, .timeout = 60) {
  int fd;
  char byte;
  pid_t pid = start_template(&fd);
  int worker = fork_worker(fd, UINT32_MAX);
  cr_expect_eq(recv(worker, &byte, 1, 0), 0);
  int next = fork_worker(fd, 0);
  cr_expect_eq(recv(next, &byte, 1, MSG_DONTWAIT), -1, "the template goes on");
  close(fd);
  cr_expect_eq(status_of(pid), 0);
  close(worker), close(next);
}

Test(template, what_is_no_request_ends_it, .timeout = 60) {
  int fd;
  const template_request request = {.memory = 0};
  pid_t pid = start_template(&fd);
  cr_assert_eq(send(fd, &request, sizeof request, 0), (ssize_t)sizeof request);  // no descriptors
  cr_expect_eq(status_of(pid), 0);
  close(fd);
  pid = start_template(&fd);
  cr_assert_eq(send(fd, "x", 1, 0), 1);
  cr_expect_eq(status_of(pid), 0);
  close(fd);
}

Test(template, signals_of_the_group_are_the_daemons, .timeout = 60) {
  int fd;
  pid_t pid = start_template(&fd);
  int worker = fork_worker(fd, 0);
  kill(pid, SIGTERM);
  kill(pid, SIGINT);
  kill(pid, SIGHUP);
  close(fork_worker(fd, 0));
  close(fd);
  cr_expect_eq(status_of(pid), 0);
  close(worker);
}
