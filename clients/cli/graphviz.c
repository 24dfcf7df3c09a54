// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/graphviz.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS_MAX = 120 };

extern char **environ;

typedef struct text {
  char *data;
  size_t length, capacity;
} text;

static bool make_room(text *t, size_t extra) {
  if (t->capacity - t->length >= extra) return true;
  size_t capacity = t->capacity ? t->capacity * 2 : 1 << 16;
  char *data = realloc(t->data, capacity);
  if (!data) return false;
  t->data = data;
  t->capacity = capacity;
  return true;
}

static long seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long)now.tv_sec;
}

// Everything that comes before the end or the time is up: NULL, or what went wrong.
static const char *read_all(int from, text *out) {
  long end = seconds_now() + SECONDS_MAX;
  for (;;) {
    long left = end - seconds_now();
    struct pollfd ready = {from, POLLIN, 0};
    if (left <= 0) return "took too long";
    if (poll(&ready, 1, (int)left * 1000) <= 0) continue;
    if (!make_room(out, 1 << 14)) return "made more than there is memory for";
    ssize_t n = read(from, out->data + out->length, out->capacity - out->length);
    if (n == 0) return NULL;
    if (n < 0 && errno != EINTR) return "could not be read";
    if (n > 0) out->length += (size_t)n;
  }
}

// The child reads a file without a name, so that it never waits for us. 0, or an errno.
static int start(int input, int output, pid_t *child) {
  char *arguments[] = {"dot", "-Tplain", NULL};
  posix_spawn_file_actions_t actions;
  int status = posix_spawn_file_actions_init(&actions);
  if (status) return status;
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  status = posix_spawnp(child, "dot", &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return status;
}

// The child's answer: NULL, or what went wrong.
static const char *run(FILE *input, text *out) {
  int ends[2], status = 0;
  pid_t child;
  if (pipe(ends) != 0) return strerror(errno);
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  int failed = start(fileno(input), ends[1], &child);
  close(ends[1]);
  const char *problem =
      failed ? "is not installed (on Debian: apt-get install graphviz); --format dot needs nothing"
             : read_all(ends[0], out);
  if (failed && failed != ENOENT) problem = strerror(failed);
  if (!failed) {
    if (problem) kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (!problem && (!WIFEXITED(status) || WEXITSTATUS(status))) problem = "failed";
  }
  close(ends[0]);
  return problem;
}

char *graphviz_layout(const char *command, const char *dot, size_t dot_length, size_t *length) {
  text out = {0};
  FILE *input = tmpfile();
  const char *problem = input ? NULL : strerror(errno);
  if (input && (fwrite(dot, 1, dot_length, input) != dot_length || fflush(input) != 0 ||
                fseek(input, 0, SEEK_SET) != 0))
    problem = strerror(errno);
  if (!problem) problem = run(input, &out);
  if (input) fclose(input);
  if (problem) {
    fprintf(stderr, "shape %s: the picture is laid out by Graphviz, whose program dot %s\n",
            command, problem);
    free(out.data);
    return NULL;
  }
  *length = out.length;
  return out.data;
}
