// SPDX-License-Identifier: Apache-2.0
// $/progress: what clients that gave a token hear of a request while it runs, and never after its reply.
#include "server/server.h"

enum { NOTE_BYTES = 1 << 16 };

typedef struct note {
  shape_strbuf *out;
  const server_job *job;
  uint64_t elapsed_ms, steps;
} note;

static void write_note(void *data) {
  const note *n = data;
  json_slice token = n->job->control.token;
  json_writer w;
  json_writer_init(&w, n->out);
  json_begin_object(&w);
  json_put_string(&w, "jsonrpc", "2.0");
  json_put_string(&w, "method", "$/progress");
  json_key(&w, "params");
  json_begin_object(&w);
  json_key(&w, "token");
  json_raw(&w, token.text, token.length);
  json_key(&w, "value");
  json_begin_object(&w);
  json_put_int(&w, "elapsed_ms", (int64_t)n->elapsed_ms);
  json_put_int(&w, "steps", (int64_t)n->steps);
  json_end_object(&w);
  json_end_object(&w);
  json_end_object(&w);
}

void progress_tell(server *s, server_job *job, uint64_t now) {
  connection *c = job->conn;
  uint64_t since = job->progressed ? job->progressed : job->received;
  // A client that reads slowly receives fewer messages, not more.
  if (!s->config.progress || (now - since) / 1000000 < s->config.progress || c->out.backlog) return;
  job->progressed = now;
  server_reply *reply = reply_new(NOTE_BYTES);
  if (!reply) return;
  note n = {.out = &reply->out,
            .job = job,
            .elapsed_ms = (now - job->received) / 1000000,
            .steps = atomic_load_explicit(&job->control.steps, memory_order_relaxed)};
  if (arena_protect(&reply->arena, write_note, &n) != SHAPE_OK) {
    reply_free(reply);
    return;
  }
  connection_send(c, reply, reply);
  // Should this close the connection, its jobs stay in the list that the caller walks.
  connection_flush(c);
}
