// SPDX-License-Identifier: Apache-2.0
#include "server/job.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "server/workers.h"

server_reply *reply_new(size_t limit) {
  server_reply *reply = calloc(1, sizeof *reply);
  if (!reply) return NULL;
  arena_init(&reply->arena, limit);
  strbuf_init(&reply->out, &reply->arena);
  return reply;
}

void reply_free(server_reply *reply) {
  if (!reply) return;
  arena_destroy(&reply->arena);
  free(reply);
}

server_message *message_new(const char *text, size_t length) {
  server_message *message = malloc(sizeof *message + length);
  if (!message) return NULL;
  *message = (server_message){.references = 1};
  message->length = length;
  arena_init(&message->arena, 0);
  memcpy(message->text, text, length);
  return message;
}

void message_release(server_message *message) {
  assert(message->references > 0);
  if (--message->references) return;
  arena_destroy(&message->arena);
  free(message);
}

void job_answer(const method_row *row, const rpc_request *request, const method_limits *limits,
                const method_host *host, method_control *control, shape_strbuf *out,
                rpc_code *outcome) {
  shape_arena arena;
  arena_init(&arena, limits->memory);
  arena.fault.fail_at = limits->fail_at;
  arena.stop = &control->stop;
  if (!method_answer(&arena, row, request, limits, host, control, out, outcome)) out->length = 0;
  arena_destroy(&arena);
}

bool job_is_late(const server_job *job, uint64_t now) {
  assert(now >= job->received);
  uint64_t own = atomic_load_explicit(&job->control.deadline_ms, memory_order_relaxed);
  return now >= job->deadline || (own && (now - job->received) / 1000000 >= own);
}

void job_run(server_job *job, processor_stay *stay) {
  if (job->workers) {
    workers_answer(job->workers, job, stay);
  } else {
    job_answer(job->row, &job->request, &job->limits, &job->host, &job->control, &job->reply->out,
               &job->outcome);
  }
  job->finished = uv_hrtime();
}

typedef struct failure_work {
  server_job *job;
  const rpc_failure *failure;
} failure_work;

static void write_failure(void *data) {
  failure_work *w = data;
  rpc_write_error(&w->job->reply->out, w->job->request.id, w->failure);
}

void job_fail(server_job *job, const rpc_failure *failure) {
  failure_work work = {job, failure};
  assert(failure->code != RPC_OK);
  job->outcome = failure->code;
  job->reply->out.length = 0;
  if (job->request.id.length &&
      arena_protect(&job->reply->arena, write_failure, &work) != SHAPE_OK) {
    job->reply->out.length = 0;
  }
}
