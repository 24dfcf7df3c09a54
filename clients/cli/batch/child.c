// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE  // F_SETPIPE_SZ
#include "clients/cli/batch/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/process/sandbox.h"

enum { PIPE_BYTES = 1 << 20, CHUNK = 1 << 18 };

void *shared_memory(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

// A pipe that is never waited for where it is read, and as wide as the kernel gives it.
static bool open_pipe(int ends[2], bool wide) {
  if (pipe(ends) != 0) return false;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
#ifdef F_SETPIPE_SZ
  if (wide) (void)fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES);
#else
  (void)wide;
#endif
  return true;
}

bool child_start(child *children, uint32_t count, uint32_t which, const worker_work *work,
                 int wake) {
  child *c = &children[which];
  int replies[2];
  if (!c->note) c->note = shared_memory(sizeof *c->note);
  if (!c->note || !open_pipe(replies, !work->options->isolate)) return false;
  memset(c->note, 0, sizeof *c->note);
  atomic_store(&c->note->index, SIZE_MAX);
  fflush(NULL);
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    process_end_with(parent);  // without it nothing would end its model
    close(replies[0]);
    for (uint32_t i = 0; i < count; i++) {
      if (i != which && children[i].note) munmap(children[i].note, sizeof *c->note);
      if (i != which && children[i].pid) close(children[i].replies);  // there may be no other left
    }
    signal(SIGPIPE, SIG_IGN);
    worker_run(work, c->note, replies[1], wake);
  }
  close(replies[1]);
  if (pid < 0) {
    close(replies[0]);
    return false;
  }
  c->pid = pid;
  c->replies = replies[0];
  c->index = SIZE_MAX;
  c->length = 0;
  return true;
}

int child_stop(child *c, bool kill_it) {
  int status = 0;
  if (kill_it) kill(c->pid, SIGKILL);
  close(c->replies);
  while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) {}
  c->pid = 0;
  c->length = 0;
  return status;
}

void child_free(child *c) {
  if (c->note) munmap(c->note, sizeof *c->note);
  free(c->data);
}

int child_receive(child *c, bool *no_memory) {
  if (c->capacity - c->length < CHUNK) {
    char *data = realloc(c->data, 2 * c->capacity + CHUNK);
    if (!data) return *no_memory = true, 0;
    c->data = data;
    c->capacity = 2 * c->capacity + CHUNK;
  }
  ssize_t n;
  do {
    n = read(c->replies, c->data + c->length, c->capacity - c->length);
  } while (n < 0 && errno == EINTR);
  if (n < 0 && errno == EAGAIN) return 0;
  if (n <= 0) return -1;
  c->length += (size_t)n;
  return 1;
}

const char *child_message(const child *c, size_t at, worker_head *head) {
  if (c->length - at < sizeof *head) return NULL;
  memcpy(head, c->data + at, sizeof *head);
  at += sizeof *head;
  return c->length - at < head->length ? NULL : c->data + at;
}

void child_drop(child *c, size_t bytes) {
  if (bytes < c->length) memmove(c->data, c->data + bytes, c->length - bytes);
  c->length -= bytes;
}
