// SPDX-License-Identifier: Apache-2.0
#include "tests/support/worker_says.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REPLY_BYTES = 1 << 20, MEMORY_BYTES = 16 << 20 };

static void set_request(server_job *job, const char *method, char *text, size_t size) {
  snprintf(text, size, "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"%s\"}", method);
  job->request.text = (json_slice){text, strlen(text)};
  job->request.id = (json_slice){strstr(text, "7"), 1};
  job->row = method_find(method, strlen(method));
}

static bool add(void *data, struct shape_session *session, bool shared, char id[SESSION_ID_SIZE],
                rpc_failure *failure) {
  said_host *h = data;
  (void)session, (void)shared, (void)failure;
  h->open++;
  memset(id, 'A', SESSION_ID_SIZE - 1);
  id[SESSION_ID_SIZE - 1] = 0;
  return true;
}

static struct shape_session *take(void *data, json_slice id, rpc_failure *failure) {
  (void)data, (void)id;
  rpc_fail(failure, RPC_SESSION_UNKNOWN, "it is not open");
  return NULL;
}

static void give(void *data, struct shape_session *session, bool end) {
  said_host *h = data;
  (void)session;
  if (!h->open) abort();
  h->open -= end;
}

static json_slice get(void *data, shape_arena *arena, json_slice name) {
  const said_host *h = data;
  (void)name;
  return (json_slice){arena_strndup(arena, h->profile, h->length), h->length};
}

static bool update(void *data, shape_arena *arena, json_slice name,
                   void (*fold)(void *work, json_slice before, shape_strbuf *after), void *work,
                   rpc_failure *failure) {
  said_host *h = data;
  shape_strbuf after;
  strbuf_init(&after, arena);
  fold(work, get(h, arena, name), &after);
  if (after.length > sizeof h->profile) {
    rpc_fail(failure, RPC_MEMORY, "it is too large");
    return false;
  }
  h->length = after.length;
  if (after.length) memcpy(h->profile, after.data, after.length);
  return true;
}

// What the worker does once it is asked.
static void say(wire_shared *shared, const void *bytes, size_t length, said_how how) {
  if (how == SAID_NOTHING) return;
  atomic_store(&shared->begun, shared->job.serial);
  if (how == SAID_ON_SOCKET) {
    atomic_store(&shared->state, WIRE_SPEAKS);
    return;
  }
  size_t head = length < sizeof shared->head ? length : sizeof shared->head, left = length - head;
  memcpy(&shared->head, bytes, head);
  if (left) memcpy(shared->reply, (const char *)bytes + head, left < WIRE_ROOM ? left : WIRE_ROOM);
  atomic_store(&shared->state, WIRE_ANSWERED);
}

said_result worker_says(const char *method, const void *bytes, size_t length, said_how how,
                        said_host *host) {
  int ends[2];
  char text[128];
  wire_shared *shared = calloc(1, sizeof *shared);
  server_job *job = calloc(1, sizeof *job);
  worker_process *process = calloc(1, sizeof *process);
  if (!shared || !job || !process || length > SAID_MAX ||
      socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) {
    abort();
  }
  set_request(job, method, text, sizeof text);
  job->limits =
      (method_limits){.json = {REPLY_BYTES, 64}, .memory = MEMORY_BYTES, .reply = REPLY_BYTES};
  job->reply = reply_new(REPLY_BYTES);
  if (!job->reply || !job->row) abort();
  process->stream.fd = ends[0];
  process->shared = shared;
  for (size_t done = 0; how == SAID_ON_SOCKET && done < length;) {
    ssize_t n = write(ends[1], (const char *)bytes + done, length - done);
    if (n <= 0) abort();
    done += (size_t)n;
  }
  shutdown(ends[1], SHUT_WR);
  if (host) job->host = (method_host){host, NULL, NULL, get, update, add, take, give};
  exchange x = {.job = job,
                .process = process,
                .fresh = job->row->function == method_session_open,
                .steps = how == SAID_BRIEFLY};
  if (!exchange_begin(&x)) abort();  // the text is in shared memory
  say(shared, bytes, length, how);
  if (how == SAID_AND_TAKEN_BACK) {
    if (!exchange_ready(&x, 1)) abort();
    atomic_store(&shared->state, WIRE_ASKED);
  }
  exchange_finish(&x);
  if (x.added) give(host, NULL, true);
  close(ends[0]);
  close(ends[1]);
  said_result result = {x.end, job->outcome, x.added, x.ended, job->reply};
  free(shared);
  free(process);
  free(job);
  return result;
}
