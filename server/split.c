// SPDX-License-Identifier: Apache-2.0
// Messages taken apart into requests. Copying and reading one of tens of megabytes takes longer than other clients should
// wait for the loop: that is done by a thread of libuv's, at whose end the loop goes on. Not by a worker: those may all be
// busy, and what stands behind the message may cancel what keeps them so. Until then the connection reads nothing, so its
// messages keep their order, the reader's buffer stays as it is, and a connection has one such message at a time.
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
  server_message *message;
  rpc_message out;
  rpc_failure failure;
  bool good;
} split_work;

static void split(void *data) {
  split_work *w = data;
  w->good =
      rpc_split(&w->message->arena, w->message->text, w->length, w->most, &w->out, &w->failure);
}

static void take_apart(split_work *w) {
  w->message = message_new(w->text, w->length);
  if (!w->message) return;
  if (arena_protect(&w->message->arena, split, w) == SHAPE_OK) return;
  rpc_fail(&w->failure, RPC_MEMORY, "the server is out of memory");
  w->good = false;
}

static void hand_on(split_work *w) {
  if (!w->message) {
    connection_close(w->conn);
    return;
  }
  if (w->good) {
    dispatch_requests(w->conn, w->message, &w->out);
  } else {
    dispatch_failure(w->conn, &w->failure);
  }
  message_release(w->message);
}

static void on_thread(uv_work_t *work) { take_apart(work->data); }

static void on_done(uv_work_t *work, int status) {
  (void)status;
  split_work *w = work->data;
  connection *c = w->conn;
  if (!c->closing) {
    hand_on(w);
  } else if (w->message) {
    message_release(w->message);
  }
  free(w);
  connection_resume(c);
}

void split_message(connection *c, const char *text, size_t length) {
  server *s = c->owner;
  split_work here = {
      .conn = c, .text = text, .length = length, .most = (uint32_t)s->config.max_batch};
  s->metrics.messages++;
  split_work *w = length < LARGE_BYTES ? NULL : malloc(sizeof *w);
  if (w) {
    *w = here;
    w->uv.data = w;
    if (uv_queue_work(&s->loop, &w->uv, on_thread, on_done) == 0) {
      c->splitting = true;
      return;
    }
    free(w);
  }
  take_apart(&here);
  hand_on(&here);
}
