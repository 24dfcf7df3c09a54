// SPDX-License-Identifier: Apache-2.0
// A worker process, and what the daemon says to it: requests in shared memory and over its socket.
#define _GNU_SOURCE 1  // MAP_ANONYMOUS

#include "server/worker.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECOND_NS = 1000000000 };
static const char ID[SESSION_ID_SIZE] = "0123456789abcdef0123456789abcdef";

typedef struct worked {
  wire_shared *shared;
  wire_stream stream;
  pid_t pid;
  uint64_t serial;
  char reply[1 << 20];
} worked;

static worked *start(void) {
  int ends[2];
  worked *w = calloc(1, sizeof *w);
  cr_assert(w && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  w->shared =
      mmap(NULL, sizeof *w->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  cr_assert(w->shared != MAP_FAILED);
  w->stream.fd = ends[0];
  w->pid = fork();
  if (w->pid == 0) {
    close(ends[0]);
    worker_run(ends[1], w->shared);
  }
  close(ends[1]);
  cr_assert(w->pid > 0);
  return w;
}

// As waitpid has it, when the process has ended.
static int status_at_end(worked *w) {
  int status;
  close(w->stream.fd);
  cr_assert_eq(waitpid(w->pid, &status, 0), w->pid);
  munmap(w->shared, sizeof *w->shared);
  free(w);
  return status;
}

static void stop(worked *w) {
  cr_expect_eq(kill(w->pid, SIGKILL), 0);
  cr_expect(WIFSIGNALED(status_at_end(w)), "it waits for requests until then");
}

// Gives the worker a request: a method, and its params as JSON.
static void ask(worked *w, const char *method, const char *params) {
  wire_shared *s = w->shared;
  const method_row *row = method_find(method, strlen(method));
  size_t size = strlen(params) + 64, length;
  char *text = malloc(size);
  cr_assert(text && row);
  length = (size_t)snprintf(text, size, "{\"id\": 7, \"params\": %s}", params);
  rpc_request r = {
      .text = {text, length}, .id = {text + 7, 1}, .params = {text + 20, strlen(params)}};
  wire_job_from(&r, &s->job);
  while (method_at(s->job.method) != row) s->job.method++;
  s->job.serial = ++w->serial;
  s->job.has_sessions = true;
  s->job.limits = (method_limits){.json = {0, 50},
                                  .steps = 1000000,
                                  .bits = 4096,
                                  .elements = 1024,
                                  .memory = 256 << 20,
                                  .reply = 4 << 20};
  s->length = length;
  method_control_init(&s->control);
  atomic_store(&s->state, WIRE_ASKED);
  if (length <= WIRE_TEXT) memcpy(s->text, text, length);
  atomic_fetch_add(&s->rings, 1);
  wire_wake(&s->rings);
  const wire_head head = {.kind = WIRE_JOB};
  if (length > WIRE_TEXT) cr_assert(wire_send(&w->stream, &head, text, length, NULL, 0));
  free(text);
}

// The reply, wherever it is; `kind` is what comes over the socket first, or WIRE_REPLY.
static wire_head hear(worked *w) {
  wire_head head;
  for (int i = 0; i < 60 && !wire_wait(&w->shared->state, WIRE_ASKED, SECOND_NS); i++) continue;
  unsigned state = atomic_load(&w->shared->state);
  cr_assert(state == WIRE_ANSWERED || state == WIRE_SPEAKS, "%u", state);
  if (state == WIRE_ANSWERED) {
    head = w->shared->head;
    cr_assert(head.length < sizeof w->reply);
    memcpy(w->reply, w->shared->reply, head.length);
  } else {
    cr_assert(wire_receive(&w->stream, &head, sizeof head) && head.length < sizeof w->reply);
    cr_assert(wire_receive(&w->stream, w->reply, head.length));
  }
  w->reply[head.length] = 0;
  return head;
}

static char *repeated(const char *open, size_t times, const char *close) {
  char *text = malloc(strlen(open) + times + strlen(close) + 1);
  cr_assert(text);
  strcpy(text, open);
  memset(text + strlen(open), 'x', times);
  strcpy(text + strlen(open) + times, close);
  return text;
}

Test(worker, requests_of_any_length_are_answered, .timeout = 120) {
  // Below and above what has room in shared memory, there and back.
  static const size_t LENGTHS[] = {0, 10, WIRE_TEXT - 40, WIRE_TEXT + 1, WIRE_ROOM + 1, 900000};
  worked *w = start();
  for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
    char *params = repeated("{\"a\": \"", LENGTHS[i], "\"}");
    ask(w, "server/ping", params);
    wire_head head = hear(w);
    cr_expect(head.kind == WIRE_REPLY && head.code == RPC_OK && head.flags == 0);
    cr_expect(strstr(w->reply, "\"id\": 7, \"result\": {") && strstr(w->reply, params),
              "%zu bytes: %.80s", LENGTHS[i], w->reply);
    cr_expect_eq(atomic_load(&w->shared->begun), w->serial);
    free(params);
  }
  stop(w);
}

Test(worker, an_error_is_a_reply, .timeout = 120) {
  worked *w = start();
  ask(w, "analyze", "[]");
  wire_head head = hear(w);
  cr_expect(head.code == RPC_INVALID && strstr(w->reply, "\"error\""), "%s", w->reply);
  stop(w);
}

Test(worker, a_session_is_the_workers_and_its_id_the_daemons, .timeout = 120) {
  worked *w = start();
  ask(w, "session/open", "{\"text\": \"func.func @main() { return }\", \"shared\": true}");
  wire_head head = hear(w);
  cr_assert(head.kind == WIRE_SESSION_ADD && head.value > 0 && head.flags == 1);
  const wire_head result = {.kind = WIRE_RESULT, .code = RPC_OK};
  cr_assert(wire_send(&w->stream, &result, ID, sizeof ID, NULL, 0));
  head = hear(w);
  cr_assert(head.kind == WIRE_REPLY && head.code == RPC_OK && head.value > 0);
  cr_expect(strstr(w->reply, ID), "%s", w->reply);
  ask(w, "session/close", "{\"session\": \"0123456789abcdef0123456789abcdef\"}");
  head = hear(w);
  cr_expect(head.kind == WIRE_REPLY && head.flags == WIRE_ENDED && head.value == 0);
  stop(w);
}

Test(worker, one_that_hears_nonsense_ends, .timeout = 120) {
  worked *w = start();
  w->shared->job.method = METHOD_COUNT;
  w->shared->job.serial = 1;
  atomic_fetch_add(&w->shared->rings, 1);
  wire_wake(&w->shared->rings);
  int status = status_at_end(w);
  cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

Test(worker, one_whose_daemon_is_gone_ends, .timeout = 120) {
  worked *w = start();
  char *params = repeated("{\"a\": \"", WIRE_ROOM + 1, "\"}");
  shutdown(w->stream.fd, SHUT_RD);
  ask(w, "server/ping", params);  // whose reply it has to send
  free(params);
  int status = status_at_end(w);
  cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
