// SPDX-License-Identifier: Apache-2.0
#include "server/worker.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/job.h"
#include "server/memory.h"
#include "solver/shape.h"

enum { KEPT_BYTES = 1 << 16, REST_NS = 500000000 };

typedef struct worker {
  wire_stream stream;
  wire_shared *shared;
  wire_job job;
  char *text;
  size_t capacity;
  shape_session *session;  // the one that it keeps, if any
  char session_id[SESSION_ID_SIZE];
  bool ended, speaks;
  unsigned rings;        // that were answered
  wire_failure failure;  // of the last call: its texts live as long as the request
} worker;

// --- calls. Without its daemon a worker ends.

// From here on the daemon reads the socket.
static void speak(worker *w) {
  if (w->speaks) return;
  w->speaks = true;
  atomic_store(&w->shared->state, WIRE_SPEAKS);
  wire_wake(&w->shared->state);
}

static void call(worker *w, const wire_head *head, const void *first, size_t first_length,
                 const void *second, size_t second_length, wire_head *result) {
  speak(w);
  if (!wire_send(&w->stream, head, first, first_length, second, second_length) ||
      !wire_receive(&w->stream, result, sizeof *result) || result->kind != WIRE_RESULT) {
    _exit(0);
  }
}

static void take_bytes(worker *w, void *to, size_t length) {
  if (!wire_receive(&w->stream, to, length)) _exit(0);
}

static void take_failure(worker *w, const wire_head *result, rpc_failure *failure) {
  if (result->length != sizeof w->failure) _exit(1);
  take_bytes(w, &w->failure, sizeof w->failure);
  rpc_fail(failure, (rpc_code)result->code, "%s", w->failure.message);
  if (*w->failure.limit) failure->limit = w->failure.limit;
  failure->limit_value = result->value;
}

static bool add_session(void *data, struct shape_session *session, bool shared,
                        char id[SESSION_ID_SIZE], rpc_failure *failure) {
  worker *w = data;
  const wire_head head = {
      .kind = WIRE_SESSION_ADD, .value = shape_session_get_stats(session).bytes, .flags = shared};
  wire_head result;
  assert(!w->session);
  call(w, &head, NULL, 0, NULL, 0, &result);
  if (result.code != RPC_OK) {
    take_failure(w, &result, failure);
    return false;
  }
  if (result.length != SESSION_ID_SIZE) _exit(1);
  take_bytes(w, id, SESSION_ID_SIZE);
  memcpy(w->session_id, id, SESSION_ID_SIZE);
  w->session = session;
  return true;
}

static struct shape_session *take_session(void *data, json_slice id, rpc_failure *failure) {
  worker *w = data;
  wire_head result;
  if (w->session && slice_is(id, w->session_id)) return w->session;
  // Not a matter for the daemon: the text may be as long as the request.
  if (id.length != SESSION_ID_SIZE - 1) {
    rpc_fail(failure, RPC_SESSION_UNKNOWN, "%s", rpc_code_message(RPC_SESSION_UNKNOWN));
    return NULL;
  }
  const wire_head head = {.kind = WIRE_SESSION_TAKE};
  call(w, &head, id.text, id.length, NULL, 0, &result);
  take_failure(w, &result, failure);
  return NULL;
}

static void give_session(void *data, struct shape_session *session, bool end) {
  worker *w = data;
  assert(session == w->session);
  if (!end) return;
  shape_session_free(session);
  w->session = NULL;
  w->ended = true;
}

typedef struct room_work {
  shape_arena *arena;
  size_t length;
  char *room;
} room_work;

static void make_room(void *data) {
  room_work *r = data;
  r->room = arena_alloc(r->arena, r->length);
}

static json_slice get_profile(void *data, shape_arena *arena, json_slice name) {
  worker *w = data;
  const wire_head head = {.kind = WIRE_PROFILE_GET};
  wire_head result;
  call(w, &head, name.text, name.length, NULL, 0, &result);
  if (!result.length) return (json_slice){0};
  // What comes is taken whether there is room for it or not.
  room_work r = {arena, result.length + 1, NULL};
  shape_status status = arena_protect(arena, make_room, &r);
  if (status == SHAPE_OK) {
    take_bytes(w, r.room, result.length);
    return (json_slice){r.room, result.length};
  }
  for (uint64_t i = 0; i < result.length; i++) {
    char byte;
    take_bytes(w, &byte, 1);
  }
  arena_fail(arena, status);
}

// The daemon keeps what `fold` wrote where the profile still is what `fold` saw; else it is done once more.
static bool update_profile(void *data, shape_arena *arena, json_slice name,
                           void (*fold)(void *work, json_slice before, shape_strbuf *after),
                           void *work, rpc_failure *failure) {
  worker *w = data;
  for (;;) {
    shape_strbuf after, texts;
    json_slice before = get_profile(w, arena, name);
    const wire_profile sizes = {name.length, before.length};
    strbuf_init(&after, arena);
    fold(work, before, &after);
    strbuf_init(&texts, arena);
    strbuf_add(&texts, name.text, name.length);
    strbuf_add(&texts, before.text, before.length);
    strbuf_add(&texts, after.data, after.length);
    const wire_head head = {.kind = WIRE_PROFILE_PUT};
    wire_head result;
    call(w, &head, &sizes, sizeof sizes, texts.data, texts.length, &result);
    if (result.code != RPC_OK) {
      take_failure(w, &result, failure);
      return false;
    }
    if (result.value == WIRE_KEPT) return true;
    arena_poll(arena);
  }
}

// --- requests

static void send_reply(worker *w, wire_head head, const shape_strbuf *out) {
  if (!w->speaks && out->length <= WIRE_ROOM) {
    head.length = out->length;
    w->shared->head = head;
    if (out->length) memcpy(w->shared->reply, out->data, out->length);
    atomic_store(&w->shared->state, WIRE_ANSWERED);
    wire_wake(&w->shared->state);
    return;
  }
  speak(w);
  if (!wire_send(&w->stream, &head, out->data, out->length, NULL, 0)) _exit(0);
}

static void answer(worker *w, const rpc_request *request) {
  const wire_job *job = &w->job;
  const method_host host = {.data = w,
                            .session_add = job->has_sessions ? add_session : NULL,
                            .session_take = job->has_sessions ? take_session : NULL,
                            .session_give = job->has_sessions ? give_session : NULL,
                            .profile_get = job->has_profiles ? get_profile : NULL,
                            .profile_update = job->has_profiles ? update_profile : NULL};
  rpc_code outcome = RPC_MEMORY;
  server_reply *reply = reply_new(job->limits.reply);
  if (!reply) _exit(1);
  reply->arena.fault = (shape_fault){.fail_at = job->reply_fail_at, .once = true};
  w->ended = false;
  job_answer(method_at(job->method), request, &job->limits, &host, &w->shared->control, &reply->out,
             &outcome);
  const wire_head head = {.kind = WIRE_REPLY,
                          .code = outcome,
                          .value = w->session ? shape_session_get_stats(w->session).bytes : 0,
                          .flags = w->ended ? WIRE_ENDED : 0};
  send_reply(w, head, &reply->out);
  reply_free(reply);
}

// Some time after the last request memory goes back to the system; then there is nothing to do but to wait.
static void wait_for_ring(worker *w) {
  wire_shared *shared = w->shared;
  if (!wire_wait(&shared->rings, w->rings, REST_NS)) {
    memory_release();
    memory_trim();
    memory_keep();
    wire_wait(&shared->rings, w->rings, 0);
  }
  w->rings++;
}

// False where the daemon says what it does not say.
static bool receive_job(worker *w, rpc_request *request) {
  wire_shared *shared = w->shared;
  wait_for_ring(w);
  w->speaks = false;
  w->job = shared->job;
  size_t length = shared->length;
  if (length > w->capacity) {
    free(w->text);
    w->capacity = length < KEPT_BYTES ? KEPT_BYTES : length;
    w->text = malloc(w->capacity);
    if (!w->text) return false;
  }
  if (length <= WIRE_TEXT) {
    if (length) memcpy(w->text, shared->text, length);
  } else {
    wire_head head;
    take_bytes(w, &head, sizeof head);
    if (head.kind != WIRE_JOB || head.length != length) return false;
    take_bytes(w, w->text, length);
  }
  atomic_store(&shared->begun, w->job.serial);
  return w->job.method < METHOD_COUNT && wire_request(&w->job, w->text, length, request);
}

_Noreturn void worker_run(int fd, wire_shared *shared) {
  worker *w = calloc(1, sizeof *w);
  if (!w) _exit(1);
  w->stream.fd = fd;
  w->shared = shared;
  for (rpc_request request; receive_job(w, &request);) {
    answer(w, &request);
    if (w->capacity <= KEPT_BYTES) continue;
    free(w->text);
    w->text = NULL;
    w->capacity = 0;
  }
  _exit(1);
}
