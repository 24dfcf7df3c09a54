// SPDX-License-Identifier: Apache-2.0
#include "server/job.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

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
  message->references = 1;
  message->length = length;
  arena_init(&message->arena, 0);
  memcpy(message->text, text, length);
  return message;
}

void message_release(server_message *message) {
  if (--message->references) return;
  arena_destroy(&message->arena);
  free(message);
}

void job_run(server_job *job) {
  shape_arena arena;
  job->started = uv_hrtime();
  arena_init(&arena, job->limits.memory);
  arena.fault.fail_at = job->limits.fail_at;
  arena.stop = &job->control.stop;
  if (!method_answer(&arena, job->row, &job->request, &job->limits, &job->host, &job->control,
                     &job->reply->out, &job->outcome)) {
    job->reply->out.length = 0;
  }
  arena_destroy(&arena);
  job->finished = uv_hrtime();
}
