// SPDX-License-Identifier: Apache-2.0
// Messages taken apart into requests. Copying and reading one of tens of megabytes takes longer than other clients should
// wait for the loop: that is done by a thread of libuv's, at whose end the loop goes on. Not by a worker: those may all be
// busy, and what follows the message may cancel what keeps them so. Until then the connection reads nothing, so its
// messages keep their order, the reader's buffer stays as it is, and a connection has one such message at a time.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "server/server.h"

enum { LARGE_BYTES = 1 << 20 };  // some milliseconds

typedef struct split_work {
  uv_work_t uv;
  connection *conn;
  const char *text;
  size_t length;
  uint32_t most;
  bool validates;
  json_limits limits;
  dispatch_run run;
  rpc_failure failure;
  bool good;
} split_work;

static void take_apart(split_work *w) {
  server_message *m = w->run.message = message_new(w->text, w->length);
  const json_limits *limits = w->validates ? &w->limits : NULL;
  if (m)
    w->good =
        rpc_split(&m->arena, m->text, w->length, w->most, limits, &w->run.requests, &w->failure);
}

// The copy is the message's now; until here its length was counted for it. False: there was no memory for one.
static bool count(split_work *w) {
  server_message *m = w->run.message;
  flow_release(w->conn, w->length);
  if (m) flow_count_message(w->conn, m, w->length + m->arena.bytes);
  return m != NULL;
}

// What the iteration has no time for waits for the next one.
static void hand_on(split_work *w) {
  assert(!w->conn->run);
  connection *c = w->conn;
  if (!count(w)) {
    connection_close(c);
    return;
  }
  if (!w->good) {
    dispatch_failure(c, &w->failure);
  } else {
    while (!dispatch_requests(c, &w->run)) {
      c->run = malloc(sizeof *c->run);
      if (!c->run) continue;
      *c->run = w->run;
      connection_later(c);
      return;
    }
  }
  flow_message_release(w->run.message);
}

bool split_continue(connection *c) {
  if (!c->run) return true;
  if (!dispatch_requests(c, c->run)) return false;
  flow_message_release(c->run->message);
  free(c->run);
  c->run = NULL;
  return true;
}

static void on_thread(uv_work_t *work) { take_apart(work->data); }

static void on_done(uv_work_t *work, int status) {
  (void)status;
  split_work *w = work->data;
  connection *c = w->conn;
  assert(c->held || c->closing);
  if (!c->closing) {
    hand_on(w);
  } else if (count(w)) {
    flow_message_release(w->run.message);
  }
  free(w);
  if (!c->run) connection_resume(c);
}

void split_message(connection *c, const char *text, size_t length) {
  assert(!c->run && !c->held);
  server *s = c->owner;
  split_work here = {
      .conn = c, .text = text, .length = length, .most = (uint32_t)s->config.max_batch};
  s->metrics.messages++;
  flow_count(c, length);
  here.validates = dispatch_validates(c, length, &here.limits);
  split_work *w = length < LARGE_BYTES ? NULL : malloc(sizeof *w);
  if (w) {
    *w = here;
    w->uv.data = w;
    if (work_begin(s, &w->uv, on_thread, on_done)) {
      c->held = true;
      return;
    }
    free(w);
  }
  take_apart(&here);
  hand_on(&here);
}
