// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/method.h"

#include "proto/methods/keys.h"
#include "proto/methods/session_method.h"

#include <stdio.h>
#include <string.h>

static const method_row ROWS[METHOD_COUNT] = {
#define X(name, function, placement, summary) {name, function, METHOD_##placement, summary},
#include "proto/methods.def"
#undef X
};

static const uint8_t LENGTHS[METHOD_COUNT] = {
#define X(name, function, placement, summary) sizeof(name) - 1,
#include "proto/methods.def"
#undef X
};

const method_row *method_find(const char *name, size_t length) {
  for (uint32_t i = 0; i < METHOD_COUNT; i++) {
    if (LENGTHS[i] == length && memcmp(ROWS[i].name, name, length) == 0) return &ROWS[i];
  }
  return NULL;
}

const method_row *method_at(uint32_t index) { return &ROWS[index]; }
uint32_t method_index(const method_row *row) { return (uint32_t)(row - ROWS); }

void method_control_init(method_control *control) {
  atomic_store(&control->stop, SHAPE_OK);
  atomic_store(&control->steps, 0);
  atomic_store(&control->deadline_ms, 0);
  atomic_store(&control->wants_progress, false);
  control->token = (json_slice){0};
}

void method_wants_progress(method_control *control, json_slice token) {
  if (!control) return;
  control->token = token;
  atomic_store_explicit(&control->wants_progress, true, memory_order_release);
}

typedef struct answer_work {
  const method_row *row;
  const rpc_request *request;
  method_call call;
  bool good;
} answer_work;

static bool validate(answer_work *work) {
  method_call *call = &work->call;
  json_slice text = work->request->text;
  const char *clean;
  size_t clean_length;
  json_error error;
  call->text = text.text;
  call->members = work->request->members;
  if (call->members) return true;
  json_members *members = arena_alloc(call->arena, sizeof *members);
  members->depth = JSON_MEMBERS_DEPTH;
  if (json_validate_members(call->arena, &call->limits->json, text.text, text.length, members,
                            &clean, &clean_length, &error)) {
    call->members = members;
    return true;
  }
  rpc_code code = error.status == SHAPE_SYNTAX ? RPC_PARSE_ERROR : rpc_of_status(error.status);
  rpc_fail(call->failure, code, "%s, at line %u, column %u of the request", error.message,
           error.line, error.column);
  if (error.status == SHAPE_DEPTH) {
    call->failure->limit = "max-depth";
    call->failure->limit_value = call->limits->json.depth;
  }
  return false;
}

static void run(void *data) {
  answer_work *work = data;
  if (!validate(work)) return;
  rpc_begin_result(work->call.out, work->request->id);
  if (!keys_check(&work->call, work->row) || !work->row->function(&work->call)) return;
  rpc_end_result(work->call.out);
  work->good = true;
}

void method_name_limit(rpc_failure *failure, const method_limits *limits,
                       const method_control *control) {
  uint64_t own = control ? atomic_load_explicit(&control->deadline_ms, memory_order_relaxed) : 0;
  const struct {
    rpc_code code;
    const char *name;
    uint64_t value;
  } rows[] = {{RPC_MEMORY, "max-memory", limits->memory},
              {RPC_BUDGET, "max-steps", limits->steps},
              {RPC_BITS, "max-bits", limits->bits},
              {RPC_REPLY_TOO_LARGE, "max-reply", limits->reply},
              {RPC_DEADLINE, "deadline", own && own < limits->deadline ? own : limits->deadline}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].code != failure->code) continue;
    failure->limit = rows[i].name;
    failure->limit_value = rows[i].value;
  }
}

// Inside the protection of the reply's arena: nothing that lies in the request's is used after it was left.
static void run_protected(void *data) {
  answer_work *work = data;
  shape_status status = arena_protect(work->call.arena, run, work);
  if (status == SHAPE_OK) return;
  rpc_fail(work->call.failure, rpc_of_status(status), "%s", shape_status_message(status));
  work->good = false;
}

static void write_failure(void *data) {
  answer_work *work = data;
  rpc_write_error(work->call.out, work->request->id, work->call.failure);
}

bool method_answer(shape_arena *arena, const method_row *row, const rpc_request *request,
                   const method_limits *limits, const method_host *host, method_control *control,
                   shape_strbuf *out, rpc_code *outcome) {
  rpc_failure failure = {.code = RPC_INTERNAL};
  answer_work work = {.row = row, .request = request};
  work.call = (method_call){.arena = arena,
                            .stop = control ? &control->stop : NULL,
                            .control = control,
                            .limits = limits,
                            .host = host,
                            .params = request->params,
                            .out = out,
                            .failure = &failure};
  arena_mark empty = arena_get_mark(out->arena);
  *outcome = RPC_OK;
  out->arena->stop = work.call.stop;
  if (arena_protect(out->arena, run_protected, &work) != SHAPE_OK) {
    shape_status stop = control ? (shape_status)atomic_load(&control->stop) : SHAPE_OK;
    rpc_code code = stop == SHAPE_OK ? RPC_REPLY_TOO_LARGE : rpc_of_status(stop);
    rpc_fail(&failure, code, "%s", rpc_code_message(code));
    work.good = false;
  }
  out->arena->stop = NULL;
  session_release(&work.call);
  shape_decider_free(work.call.decider);
  if (!work.good) {
    method_name_limit(&failure, limits, control);
    *outcome = failure.code;
    arena_rewind(out->arena, empty);
    strbuf_init(out, out->arena);
    if (arena_protect(out->arena, write_failure, &work) != SHAPE_OK) return false;
  }
  if (!request->id.length) out->length = 0;
  return true;
}
