// SPDX-License-Identifier: Apache-2.0
#include "server/exchange.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <uv.h>

#include "server/member.h"

enum {
  LOOKUP_BYTES = 1 << 20,
  LOOK_NS = 4000000  // between two copies of the control of a job that runs
};

// --- members of the parameters

bool exchange_session_id(const rpc_request *request, char id[SESSION_ID_SIZE]) {
  member m;
  shape_arena arena;
  arena_init(&arena, LOOKUP_BYTES);
  bool found =
      member_find(&arena, request->params, "session", &m) && m.text.length == SESSION_ID_SIZE - 1;
  if (found) memcpy(id, m.text.text, SESSION_ID_SIZE - 1);
  id[SESSION_ID_SIZE - 1] = 0;
  arena_destroy(&arena);
  return found;
}

// The token of $/progress is taken from the request itself: the worker says only that there is one.
static void look_for_token(exchange *x) {
  member m;
  shape_arena arena;
  arena_init(&arena, LOOKUP_BYTES);
  bool found = member_find(&arena, x->job->request.params, "progress_token", &m);
  json_slice t = m.json;
  bool plain = found && t.length && !memchr(t.text, '\n', t.length) &&
               (m.text.length || strspn(t.text, "-0123456789.eE+") >= t.length);
  arena_destroy(&arena);
  if (plain) method_wants_progress(&x->job->control, t);
}

// --- the control of the job

static void copy_control(exchange *x) {
  method_control *job = &x->job->control, *worker = &x->process->shared->control;
  int stop = atomic_load(&job->stop);
  if (stop != SHAPE_OK && !x->stop_seen) {
    x->stop_seen = uv_hrtime();
    atomic_store(&worker->stop, stop);
  }
  atomic_store_explicit(&job->steps, atomic_load_explicit(&worker->steps, memory_order_relaxed),
                        memory_order_relaxed);
  atomic_store_explicit(&job->deadline_ms,
                        atomic_load_explicit(&worker->deadline_ms, memory_order_relaxed),
                        memory_order_relaxed);
  if (x->looked_for_token || !atomic_load_explicit(&worker->wants_progress, memory_order_relaxed))
    return;
  x->looked_for_token = true;
  look_for_token(x);
}

static bool watch(void *data, bool waited) {
  exchange *x = data;
  (void)waited;
  copy_control(x);
  return !x->stop_seen || (uv_hrtime() - x->stop_seen) / 1000000 < EXCHANGE_KILL_MS;
}

static void reset_control(exchange *x) {
  method_control_init(&x->process->shared->control);
  copy_control(x);
}

// --- calls. False: the worker is gone, or did what it may not do (then `end` says so).

static bool invalid(exchange *x) {
  x->end = EXCHANGE_INVALID;
  return false;
}

static bool send_result(exchange *x, rpc_code code, uint64_t value, const void *data,
                        size_t length) {
  const wire_head head = {.kind = WIRE_RESULT, .code = code, .value = value};
  return wire_send(&x->process->stream, &head, data, length, NULL, 0);
}

static bool send_failure(exchange *x, const rpc_failure *failure) {
  wire_failure out = {{0}, {0}};
  snprintf(out.message, sizeof out.message, "%s", failure->message);
  if (failure->limit) snprintf(out.limit, sizeof out.limit, "%s", failure->limit);
  return send_result(x, failure->code, failure->limit_value, &out, sizeof out);
}

// What a session takes, as the worker says; the sums of the table of sessions do not overflow by it.
static void take_bytes(worker_process *p, uint64_t said) {
  enum { SHIFT = 40 };
  uint64_t most = p->memory ? p->memory : UINT64_C(1) << SHIFT;
  p->session_bytes = said < most ? said : most;
}

static bool add_session(exchange *x, const wire_head *head) {
  const method_host *host = &x->job->host;
  char id[SESSION_ID_SIZE];
  rpc_failure failure;
  if (!host->session_add || !x->fresh || x->added) return invalid(x);
  take_bytes(x->process, head->value);
  x->added =
      host->session_add(host->data, (struct shape_session *)x->process, head->flags, id, &failure);
  return x->added ? send_result(x, RPC_OK, 0, id, sizeof id) : send_failure(x, &failure);
}

// A session that this process does not hold: the host says why, unless it is there by now.
static bool take_session(exchange *x, json_slice id) {
  const method_host *host = &x->job->host;
  rpc_failure failure;
  if (!host->session_take) return invalid(x);
  struct shape_session *session = host->session_take(host->data, id, &failure);
  if (session) {
    host->session_give(host->data, session, false);
    rpc_fail(&failure, RPC_SESSION_BUSY, "%s", rpc_code_message(RPC_SESSION_BUSY));
  }
  return send_failure(x, &failure);
}

typedef struct profile_work {
  const method_host *host;
  shape_arena *arena;
  json_slice name, before, after, found;
  bool changed, kept;
  rpc_failure failure;
} profile_work;

static void get_profile(void *data) {
  profile_work *w = data;
  w->found = w->host->profile_get(w->host->data, w->arena, w->name);
}

static void replace(void *data, json_slice before, shape_strbuf *out) {
  profile_work *w = data;
  w->changed = before.length != w->before.length ||
               (before.length && memcmp(before.text, w->before.text, before.length) != 0);
  json_slice next = w->changed ? before : w->after;
  strbuf_add(out, next.text, next.length);
}

static void put_profile(void *data) {
  profile_work *w = data;
  w->kept = w->host->profile_update(w->host->data, w->arena, w->name, replace, w, &w->failure);
}

static bool answer_get(exchange *x, shape_arena *arena, json_slice name) {
  profile_work w = {.host = &x->job->host, .arena = arena, .name = name};
  if (arena_protect(arena, get_profile, &w) != SHAPE_OK) w.found.length = 0;
  return send_result(x, RPC_OK, 0, w.found.text, w.found.length);
}

static bool answer_put(exchange *x, shape_arena *arena, json_slice body) {
  wire_profile sizes;
  assert(body.length >= sizeof sizes);
  memcpy(&sizes, body.text, sizeof sizes);
  const char *at = body.text + sizeof sizes;
  size_t left = body.length - sizeof sizes;
  if (sizes.name > left || sizes.before > left - sizes.name) return invalid(x);
  profile_work w = {.host = &x->job->host, .arena = arena, .name = {at, sizes.name}};
  w.before = (json_slice){at + sizes.name, sizes.before};
  w.after = (json_slice){at + sizes.name + sizes.before, left - sizes.name - sizes.before};
  rpc_fail(&w.failure, RPC_MEMORY, "%s", rpc_code_message(RPC_MEMORY));
  if (arena_protect(arena, put_profile, &w) != SHAPE_OK) w.kept = false;
  if (!w.kept) return send_failure(x, &w.failure);
  return send_result(x, RPC_OK, w.changed ? WIRE_CHANGED_MEANWHILE : WIRE_KEPT, NULL, 0);
}

typedef struct body_work {
  exchange *x;
  shape_arena arena;
  size_t length;
  char *text;
} body_work;

static void make_room(void *data) {
  body_work *w = data;
  w->text = arena_alloc(&w->arena, w->length + 1);
}

static bool answer_call(exchange *x, const wire_head *head) {
  if (head->kind == WIRE_SESSION_ADD) return add_session(x, head);
  body_work w = {.x = x, .length = head->length};
  arena_init(&w.arena, x->job->limits.memory);
  bool good = arena_protect(&w.arena, make_room, &w) == SHAPE_OK &&
              wire_receive(&x->process->stream, w.text, w.length);
  json_slice body = {w.text, w.length};
  if (good && head->kind == WIRE_SESSION_TAKE) {
    good = take_session(x, body);
  } else if (good && !x->job->host.profile_get) {
    good = invalid(x);
  } else if (good) {
    good = head->kind == WIRE_PROFILE_GET ? answer_get(x, &w.arena, body)
                                          : answer_put(x, &w.arena, body);
  }
  arena_destroy(&w.arena);
  return good;
}

// --- the reply

typedef struct reply_work {
  shape_strbuf *out;
  size_t length;
} reply_work;

static void reserve_reply(void *data) {
  reply_work *w = data;
  strbuf_reserve(w->out, w->length);
}

// One line, of the envelope that belongs to the request. What it says inside is the worker's word, for the client that
// sent the request.
static bool reply_is_sound(const shape_strbuf *out, json_slice id) {
  static const char BEGIN[] = "{\"jsonrpc\": \"2.0\", \"id\": ";
  size_t begin = sizeof BEGIN - 1, length = out->length;
  if (!id.length) return !length;
  if (!length) return true;  // there was no memory for one
  return length > begin + id.length + 2 && memcmp(out->data, BEGIN, begin) == 0 &&
         memcmp(out->data + begin, id.text, id.length) == 0 &&
         memcmp(out->data + begin + id.length, ", ", 2) == 0 && out->data[length - 1] == '}' &&
         !memchr(out->data, '\n', length) && !memchr(out->data, '\0', length);
}

// The text from the socket, or from `shared`.
static bool take_reply(exchange *x, const wire_head *head, const char *shared) {
  worker_process *p = x->process;
  shape_strbuf *out = &x->job->reply->out;
  if (x->steps && !x->stop_seen && head->code == RPC_CANCELLED && shared) {
    x->end = EXCHANGE_LONGER;
    return true;
  }
  reply_work w = {out, head->length};
  if (arena_protect(out->arena, reserve_reply, &w) != SHAPE_OK) return invalid(x);
  if (!shared && !wire_receive(&p->stream, out->data, head->length)) return false;
  if (shared && head->length) memcpy(out->data, shared, head->length);
  out->length = (uint32_t)head->length;
  take_bytes(p, head->value);
  x->ended = head->flags == WIRE_ENDED;
  x->job->outcome = (rpc_code)head->code;
  if (p->stream.begin != p->stream.end || !reply_is_sound(out, x->job->request.id))
    return invalid(x);
  x->end = EXCHANGE_DONE;
  return true;
}

static bool take_shared(exchange *x) {
  const wire_shared *shared = x->process->shared;
  wire_head head;
  memcpy(&head, &shared->head, sizeof head);
  if (head.kind != WIRE_REPLY || head.length > WIRE_ROOM ||
      !wire_head_valid(&head, x->job->limits.reply)) {
    return invalid(x);
  }
  return take_reply(x, &head, shared->reply);
}

static bool receive_all(exchange *x) {
  wire_head head;
  for (;;) {
    if (!wire_receive(&x->process->stream, &head, sizeof head)) return false;
    if (!wire_head_valid(&head, x->job->limits.reply)) return invalid(x);
    if (head.kind == WIRE_REPLY) return take_reply(x, &head, NULL);
    if (!answer_call(x, &head)) return false;
  }
}

static void fail(exchange *x) {
  rpc_failure failure;
  int stop = atomic_load(&x->job->control.stop);
  if (x->end == EXCHANGE_DIED && x->stop_seen && stop != SHAPE_OK) x->end = EXCHANGE_STOPPED;
  rpc_code code = x->end == EXCHANGE_STOPPED ? rpc_of_status((shape_status)stop) : RPC_WORKER_DIED;
  rpc_fail(&failure, code, "%s", rpc_code_message(code));
  method_name_limit(&failure, &x->job->limits, &x->job->control);
  job_fail(x->job, &failure);
}

static void end(exchange *x) {
  worker_process *p = x->process;
  bool begun = atomic_load(&p->shared->begun) == p->serial;
  if (x->end == EXCHANGE_DIED && !begun && !x->stop_seen) x->end = EXCHANGE_ABSENT;
  bool fails = x->end != EXCHANGE_DONE && x->end != EXCHANGE_ABSENT && x->end != EXCHANGE_LONGER;
  if (fails) fail(x);
  p->stream.idle = NULL;
}

bool exchange_begin(exchange *x) {
  server_job *job = x->job;
  worker_process *p = x->process;
  wire_shared *shared = p->shared;
  json_slice text = job->request.text;
  shared->job = (wire_job){.serial = ++p->serial,
                           .method = method_index(job->row),
                           .has_sessions = job->host.session_take != NULL,
                           .has_profiles = job->host.profile_get != NULL,
                           .reply_fail_at = job->reply->arena.fault.fail_at,
                           .limits = job->limits};
  shared->job.limits.abandon_at = x->steps;
  wire_job_from(&job->request, &shared->job);
  shared->length = text.length;
  if (text.length <= WIRE_TEXT) memcpy(shared->text, text.text, text.length);
  x->end = EXCHANGE_DIED;
  x->state = WIRE_ASKED;
  reset_control(x);
  p->stream.idle = watch;
  p->stream.idle_data = x;
  job->reply->arena.fault.fail_at = 0;  // that is for the worker
  atomic_store(&shared->state, WIRE_ASKED);
  atomic_fetch_add(&shared->rings, 1);
  wire_wake(&shared->rings);
  const wire_head head = {.kind = WIRE_JOB};
  if (text.length <= WIRE_TEXT || wire_send(&p->stream, &head, text.text, text.length, NULL, 0))
    return true;
  end(x);
  return false;
}

// Whether the worker has said something, within that time.
static bool has_answer(exchange *x, uint64_t wait_ns) {
  atomic_uint *state = &x->process->shared->state;
  if (wire_wait(state, WIRE_ASKED, wait_ns)) x->state = atomic_load(state);
  return x->state != WIRE_ASKED;
}

bool exchange_ready(exchange *x, uint64_t wait_ns) {
  return has_answer(x, wait_ns) && x->state == WIRE_ANSWERED;
}

static bool is_gone(const worker_process *p) {
  char byte;
  return recv(p->stream.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

// False: it is gone, or went on for too long.
static bool wait_for_answer(exchange *x) {
  while (x->state == WIRE_ASKED && !has_answer(x, LOOK_NS)) {
    if (!watch(x, true)) return false;
    // What it said before it died counts.
    if (is_gone(x->process)) return has_answer(x, 1);
  }
  return true;
}

void exchange_finish(exchange *x) {
  if (wait_for_answer(x) && (x->state == WIRE_ANSWERED ? take_shared(x) : receive_all(x)))
    copy_control(x);
  end(x);
}
