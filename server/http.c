// SPDX-License-Identifier: Apache-2.0
#include "server/http.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REQUEST_MAX = 4096, REST_MAX = 1 << 20, PAGE_MAX = 1 << 20, PATIENCE_MS = 5000 };

struct http_client {
  server_stream uv;
  uv_timer_t timer;
  server *owner;
  peer *peer;
  bool has_slot;
  http_client *before, *after;
  unsigned open;  // handles that were not closed yet
  bool closing;
  server_reply *reply;
  uv_write_t write;
  uv_shutdown_t end;
  size_t used;
  char request[REQUEST_MAX];
};

static void on_closed(uv_handle_t *handle) {
  http_client *c = handle->data;
  if (--c->open) return;
  reply_free(c->reply);
  peer_release(&c->owner->peers, c->peer);
  free(c);
}

static void close_client(http_client *c) {
  if (c->closing) return;
  server *s = c->owner;
  c->closing = true;
  if (c->before) {
    c->before->after = c->after;
  } else {
    s->http_clients = c->after;
  }
  if (c->after) c->after->before = c->before;
  if (c->has_slot) quota_give(&s->peers.use, &c->peer->use, QUOTA_HTTP, 1);
  uv_close(&c->uv.handle, on_closed);
  uv_close((uv_handle_t *)&c->timer, on_closed);
}

static void on_late(uv_timer_t *timer) { close_client(timer->data); }

static void on_rest_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)suggested;
  http_client *c = handle->data;
  *buffer = uv_buf_init(c->request, REQUEST_MAX);
}

static void on_rest(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer) {
  (void)buffer;
  http_client *c = stream->data;
  if (n > 0) c->used += (size_t)n;
  if (n < 0 || c->used > REST_MAX) close_client(c);
}

static void on_end(uv_shutdown_t *end, int status) {
  if (status < 0) close_client(end->data);
}

// Where a connection is closed with bytes that were not read, the system resets it, and the client may lose the answer.
static void on_written(uv_write_t *write, int status) {
  http_client *c = write->data;
  if (c->closing) return;
  c->end.data = c;
  if (status < 0 || uv_shutdown(&c->end, &c->uv.stream, on_end) ||
      uv_read_start(&c->uv.stream, on_rest_alloc, on_rest)) {
    close_client(c);
  }
}

// --- pages

static const char *readiness(server *s) {
  if (s->drain.draining) return "draining";
  metrics_refresh(s);
  return s->metrics.queued >= s->config.max_queue ? "the queue is full" : "ready";
}

typedef struct page {
  http_client *client;
  const char *status;  // "200 OK"
  const char *text;    // NULL: the metrics
  bool head;
} page;

static void write_page(void *data) {
  page *p = data;
  server *s = p->client->owner;
  shape_strbuf *out = &p->client->reply->out, body;
  strbuf_init(&body, out->arena);
  if (p->text) {
    strbuf_printf(&body, "%s\n", p->text);
  } else {
    metrics_refresh(s);
    metrics_write(&s->metrics, &body);
  }
  strbuf_printf(out,
                "HTTP/1.1 %s\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
                "Content-Length: %u\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
                p->status, body.length);
  if (!p->head) strbuf_add(out, body.data, body.length);
}

static void choose_page(http_client *c, page *p) {
  static const char NAMES[][9] = {"/metrics", "/healthz", "/readyz"};
  char *method = c->request, *path = strchr(method, ' ');
  *p = (page){.client = c, .status = "400 Bad Request", .text = "this is no HTTP request"};
  if (!path || path == method) return;
  *path++ = 0;
  size_t length = strcspn(path, " ?\r\n");
  const char *rest = path + strcspn(path, " \r\n");
  if (strncmp(rest, " HTTP/1.", 8) != 0) return;
  p->head = strcmp(method, "HEAD") == 0;
  if (!p->head && strcmp(method, "GET") != 0) {
    *p = (page){.client = c, .status = "405 Method Not Allowed", .text = "only GET and HEAD"};
    return;
  }
  p->status = "404 Not Found";
  p->text = "there are /metrics, /healthz and /readyz";
  for (unsigned i = 0; i < 3; i++) {
    if (strlen(NAMES[i]) != length || memcmp(NAMES[i], path, length) != 0) continue;
    p->status = "200 OK";
    p->text = i == 0 ? NULL : i == 1 ? "alive" : readiness(c->owner);
    if (i == 2 && strcmp(p->text, "ready") != 0) p->status = "503 Service Unavailable";
  }
}

static void answer(http_client *c, page *p) {
  uv_read_stop(&c->uv.stream);
  c->reply = reply_new(PAGE_MAX);
  if (!c->reply || arena_protect(&c->reply->arena, write_page, p) != SHAPE_OK) {
    close_client(c);
    return;
  }
  uv_buf_t buffer = uv_buf_init(c->reply->out.data, c->reply->out.length);
  c->write.data = c;
  if (uv_write(&c->write, &c->uv.stream, &buffer, 1, on_written)) close_client(c);
}

// --- reading

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)suggested;
  http_client *c = handle->data;
  assert(c->used < REQUEST_MAX);
  *buffer = uv_buf_init(c->request + c->used, (unsigned)(REQUEST_MAX - 1 - c->used));
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer) {
  (void)buffer;
  http_client *c = stream->data;
  page p;
  if (n == UV_ENOBUFS) {
    p = (page){.client = c,
               .status = "431 Request Header Fields Too Large",
               .text = "the request is too long"};
    answer(c, &p);
    return;
  }
  if (n < 0) close_client(c);
  if (n <= 0) return;
  c->used += (size_t)n;
  c->request[c->used] = 0;
  // The headers say nothing that we need, but a client may want to send them before it reads.
  if (!strstr(c->request, "\r\n\r\n") && !strstr(c->request, "\n\n")) return;
  choose_page(c, &p);
  answer(c, &p);
}

// Where all are taken the oldest goes, so that /healthz is answered in any case: the oldest of that peer,
// or (NULL) of the one that has the most.
static void drop_client(server *s, const peer *of) {
  http_client *oldest = NULL;
  for (http_client *c = s->http_clients; c; c = c->after) {
    if (!c->has_slot || (of && c->peer != of)) continue;
    uint64_t most = oldest ? oldest->peer->use.used[QUOTA_HTTP] : 0;
    if (of || c->peer->use.used[QUOTA_HTTP] >= most) oldest = c;  // the newest are first
  }
  if (oldest) close_client(oldest);
}

static void take_slot(http_client *c) {
  server *s = c->owner;
  quota_limit over = quota_excess(&s->config, &s->peers.use, &c->peer->use, QUOTA_HTTP, 1);
  if (over.option) drop_client(s, over.peer ? c->peer : NULL);
  quota_take(&s->peers.use, &c->peer->use, QUOTA_HTTP, 1);
  c->has_slot = true;
}

void http_accept(server_listener *listener, int fd) {
  server *s = listener->owner;
  char name[PEER_NAME_SIZE];
  http_client *c = calloc(1, sizeof *c);
  peer_name_of(fd, name);
  if (c) c->peer = peer_get(&s->peers, name);
  if (!c || !c->peer || stream_init(s, &c->uv, listener->tcp)) {
    peer_release(&s->peers, c ? c->peer : NULL);
    free(c);
    close(fd);
    accept_failed(listener, UV_ENOMEM);
    return;
  }
  uv_timer_init(&s->loop, &c->timer);
  c->uv.handle.data = c->timer.data = c;
  c->owner = s;
  c->open = 2;
  c->after = s->http_clients;
  if (c->after) c->after->before = c;
  s->http_clients = c;
  bool open = stream_open(&c->uv, fd);
  if (!open) close(fd);
  if (open) take_slot(c);
  if (!open || uv_timer_start(&c->timer, on_late, PATIENCE_MS, 0) ||
      uv_read_start(&c->uv.stream, on_alloc, on_read)) {
    close_client(c);
  }
}

void http_stop(server *s) {
  while (s->http_clients) close_client(s->http_clients);
}
