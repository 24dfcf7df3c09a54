// SPDX-License-Identifier: Apache-2.0
// One connection, two buffers. The socket never blocks; a blocking call is a poll-driven one with a wait in it.
#include "clients/c/shape_client.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clients/c/socket.h"
#include "clients/c/tls.h"

enum { ROOM = 65536 };

typedef struct buffer {
  char *data;  // bytes [start, end) are still to be sent, or to be read
  size_t start, end, capacity;
} buffer;

struct shape_client {
  client_address address;
  client_tls *tls;  // NULL: the address is none of TLS
  int fd, timeout_ms;
  bool reconnect;
  bool invalid;  // the address, or the settings of TLS, cannot be used
  bool deaf;     // the daemon reads no more; what it said before may still be there
  size_t max_reply;
  uint64_t last_id;
  uint64_t abandoned;  // replies up to this id are not wanted
  size_t waiting;      // requests without a reply
  size_t scanned;      // bytes of `in` known to hold no end of line
  buffer in, out;
  char message[256];
};

static shape_client_status fail(shape_client *c, shape_client_status status, const char *format,
                                ...) __attribute__((format(printf, 3, 4)));

static shape_client_status fail(shape_client *c, shape_client_status status, const char *format,
                                ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->message, sizeof c->message, format, arguments);
  va_end(arguments);
  return status;
}

// --- buffers

static bool reserve(buffer *b, size_t more) {
  if (b->start == b->end) b->start = b->end = 0;
  if (b->capacity - b->end >= more) return true;
  // Moving bytes only where that frees at least half keeps the work per byte constant.
  if (b->start >= b->capacity / 2 && b->capacity - (b->end - b->start) >= more) {
    memmove(b->data, b->data + b->start, b->end - b->start);
    b->end -= b->start;
    b->start = 0;
    return true;
  }
  size_t capacity = b->capacity ? b->capacity : ROOM;
  while (capacity - b->end < more) {
    if (capacity > SIZE_MAX / 2) return false;
    capacity *= 2;
  }
  char *data = realloc(b->data, capacity);
  if (!data) return false;
  b->data = data;
  b->capacity = capacity;
  return true;
}

static void append(buffer *b, const char *text, size_t length) {
  if (length) memcpy(b->data + b->end, text, length);
  b->end += length;
}

// --- connections

static void hang_up(shape_client *c) {
  if (c->tls && c->fd >= 0) client_tls_end(c->tls);
  if (c->fd >= 0) close(c->fd);
  c->fd = -1;
  c->waiting = 0;
  c->out.start = c->out.end = 0;
}

static int64_t deadline_of(const shape_client *c, int timeout_ms) {
  if (!timeout_ms) timeout_ms = c->timeout_ms;
  return timeout_ms > 0 ? client_now() + timeout_ms : -1;
}

const char *shape_client_message(const shape_client *c) { return c->message; }
const char *shape_client_address(const shape_client *c) { return c->address.name; }

// --- poll-driven

int shape_client_fd(const shape_client *c) { return c->fd; }

unsigned shape_client_wants(const shape_client *c) {
  if (c->fd < 0) return 0;
  bool writes =
      (c->out.end > c->out.start && !c->deaf) || (c->tls && client_tls_wants_write(c->tls));
  return SHAPE_CLIENT_READ | (writes ? SHAPE_CLIENT_WRITE : 0);
}

shape_client_status shape_client_send(shape_client *c, const char *method, shape_json params,
                                      uint64_t *id) {
  char head[512];
  if (c->fd < 0) return fail(c, SHAPE_CLIENT_DISCONNECTED, "it is not connected");
  int length =
      snprintf(head, sizeof head, "{\"jsonrpc\": \"2.0\", \"id\": %llu, \"method\": \"%s\"%s",
               (unsigned long long)c->last_id + 1, method, params.length ? ", \"params\": " : "");
  if (length < 0 || (size_t)length >= sizeof head) {
    return fail(c, SHAPE_CLIENT_INVALID, "the name of the method is too long");
  }
  if (strpbrk(method, "\"\\\n"))
    return fail(c, SHAPE_CLIENT_INVALID, "this is not the name of a method");
  if (params.length && memchr(params.text, '\n', params.length)) {
    return fail(c, SHAPE_CLIENT_INVALID, "the parameters have more than one line");
  }
  if (!reserve(&c->out, (size_t)length + params.length + 2)) {
    return fail(c, SHAPE_CLIENT_MEMORY, "out of memory");
  }
  append(&c->out, head, (size_t)length);
  append(&c->out, params.text, params.length);
  append(&c->out, "}\n", 2);
  c->last_id++;
  c->waiting++;
  if (id) *id = c->last_id;
  return SHAPE_CLIENT_OK;
}

shape_client_status shape_client_cancel(shape_client *c, uint64_t id) {
  char text[128];
  if (c->fd < 0) return fail(c, SHAPE_CLIENT_DISCONNECTED, "it is not connected");
  int length = snprintf(
      text, sizeof text,
      "{\"jsonrpc\": \"2.0\", \"method\": \"$/cancelRequest\", \"params\": {\"id\": %llu}}\n",
      (unsigned long long)id);
  if (!reserve(&c->out, (size_t)length)) return fail(c, SHAPE_CLIENT_MEMORY, "out of memory");
  append(&c->out, text, (size_t)length);
  return SHAPE_CLIENT_OK;
}

static shape_client_status disconnected(shape_client *c, const char *why) {
  hang_up(c);
  return fail(c, SHAPE_CLIENT_DISCONNECTED, "%s", why);
}

static const char *reason(const shape_client *c) {
  return c->tls && errno == EPROTO ? client_tls_reason(c->tls) : strerror(errno);
}

static shape_client_status write_some(shape_client *c) {
  while (c->out.start < c->out.end && !c->deaf) {
    const char *data = c->out.data + c->out.start;
    size_t length = c->out.end - c->out.start;
    ssize_t n =
        c->tls ? client_tls_send(c->tls, data, length) : send(c->fd, data, length, MSG_NOSIGNAL);
    if (n >= 0) {
      c->out.start += (size_t)n;
    } else if (errno == EPIPE) {
      // A daemon that refuses a message may close before it has read it all; its reply says why.
      c->deaf = true;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR) {
      return disconnected(c, reason(c));
    }
  }
  return SHAPE_CLIENT_OK;
}

static shape_client_status read_some(shape_client *c) {
  for (;;) {
    if (!reserve(&c->in, ROOM / 2)) {
      disconnected(c, "out of memory");
      return SHAPE_CLIENT_MEMORY;
    }
    char *to = c->in.data + c->in.end;
    size_t room = c->in.capacity - c->in.end;
    // The room is that of a record at least, so that nothing stays where poll does not see it.
    ssize_t n = c->tls ? client_tls_recv(c->tls, to, room) : recv(c->fd, to, room, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return SHAPE_CLIENT_OK;
    if (n < 0) return disconnected(c, reason(c));
    if (n == 0) return disconnected(c, "it was closed without an answer");
    c->in.end += (size_t)n;
    if (memchr(c->in.data + c->in.end - n, '\n', (size_t)n)) return SHAPE_CLIENT_OK;
    if (c->in.end - c->in.start > c->max_reply) return disconnected(c, "a reply is over the limit");
  }
}

shape_client_status shape_client_work(shape_client *c) {
  if (c->fd < 0) return fail(c, SHAPE_CLIENT_DISCONNECTED, "it is not connected");
  shape_client_status status = write_some(c);
  return status == SHAPE_CLIENT_OK ? read_some(c) : status;
}

static bool next_line(shape_client *c, shape_json *line) {
  if (c->in.start == c->in.end) return false;
  const char *from = c->in.data + c->in.start;
  size_t length = c->in.end - c->in.start;
  const char *end = memchr(from + c->scanned, '\n', length - c->scanned);
  c->scanned = end ? 0 : length;
  if (!end) return false;
  *line = (shape_json){from, (size_t)(end - from)};
  c->in.start += line->length + 1;
  return true;
}

shape_client_status shape_client_next(shape_client *c, shape_client_reply *reply) {
  shape_json line;
  while (next_line(c, &line)) {
    shape_json id = shape_json_member(line, "id");
    reply->result = shape_json_member(line, "result");
    reply->error = shape_json_member(line, "error");
    reply->id =
        id.length && id.text[0] >= '0' && id.text[0] <= '9' ? strtoull(id.text, NULL, 10) : 0;
    if (!reply->result.length && !reply->error.length) {
      return disconnected(c, "the answer is no JSON-RPC reply");
    }
    if (reply->id && reply->id <= c->abandoned) continue;
    if (c->waiting) c->waiting--;
    return reply->result.length ? SHAPE_CLIENT_OK : SHAPE_CLIENT_REFUSED;
  }
  return SHAPE_CLIENT_AGAIN;
}

// --- blocking

// Methods that change nothing in the daemon may be asked twice.
static bool repeatable(const char *method) {
  return strncmp(method, "session/", 8) != 0 && strncmp(method, "profile/", 8) != 0;
}

static shape_client_status give_up(shape_client *c, uint64_t id) {
  // The reply that still comes is dropped by shape_client_next.
  if (shape_client_cancel(c, id) == SHAPE_CLIENT_OK) write_some(c);
  c->abandoned = id;
  c->waiting = 0;
  return fail(c, SHAPE_CLIENT_DEADLINE, "the deadline passed");
}

static shape_client_status exchange(shape_client *c, const char *method, shape_json params,
                                    int64_t deadline, shape_client_reply *reply) {
  uint64_t id;
  shape_client_status status = shape_client_send(c, method, params, &id);
  while (status == SHAPE_CLIENT_OK) {
    status = shape_client_work(c);
    shape_client_status got = shape_client_next(c, reply);
    if (got != SHAPE_CLIENT_AGAIN) return got;
    if (status != SHAPE_CLIENT_OK) break;
    short events = POLLIN;
    if (shape_client_wants(c) & SHAPE_CLIENT_WRITE) events |= POLLOUT;
    if (!client_wait(c->fd, events, deadline)) {
      return errno == ETIMEDOUT ? give_up(c, id) : disconnected(c, strerror(errno));
    }
  }
  return status;
}

// --- connecting

// The first request over TLS: it shows the token, and its reply that the daemon takes what the client has shown.
static shape_client_status introduce(shape_client *c, int64_t deadline) {
  char params[2 * CLIENT_TOKEN_MAX + 64];
  const char *token = client_tls_token(c->tls);
  shape_client_reply reply;
  shape_client_error error;
  int length = snprintf(params, sizeof params, "{");
  if (token) {
    length += snprintf(params + length, sizeof params - (size_t)length, "\"token\": ");
    size_t left = sizeof params - (size_t)length - 1;
    size_t quoted = shape_json_quote(token, strlen(token), params + length, left);
    if (quoted >= left) return fail(c, SHAPE_CLIENT_INVALID, "the token is too long");
    length += (int)quoted;
  }
  params[length++] = '}';
  shape_client_status status =
      exchange(c, "initialize", (shape_json){params, (size_t)length}, deadline, &reply);
  memset(params, 0, sizeof params);
  if (status == SHAPE_CLIENT_REFUSED) {
    shape_client_read_error(reply.error, &error);
    hang_up(c);
    return fail(c, SHAPE_CLIENT_DENIED, "%s", error.message);
  }
  if (status == SHAPE_CLIENT_DISCONNECTED) return SHAPE_CLIENT_DENIED;
  if (status != SHAPE_CLIENT_OK) hang_up(c);
  return status == SHAPE_CLIENT_DEADLINE ? SHAPE_CLIENT_ABSENT : status;
}

static shape_client_status connect_until(shape_client *c, int64_t deadline) {
  hang_up(c);
  c->in.start = c->in.end = c->scanned = 0;
  c->deaf = false;
  c->abandoned = c->last_id;
  c->fd = client_connect(&c->address, deadline, c->message, sizeof c->message);
  if (c->fd < 0) return errno == EPROTO ? SHAPE_CLIENT_DENIED : SHAPE_CLIENT_ABSENT;
  if (!c->tls) return SHAPE_CLIENT_OK;
  if (client_tls_begin(c->tls, c->fd, deadline)) return introduce(c, deadline);
  shape_client_status status = errno == EPROTO ? SHAPE_CLIENT_DENIED : SHAPE_CLIENT_ABSENT;
  fail(c, status, "%s", reason(c));
  hang_up(c);
  return status;
}

shape_client_status shape_client_open_tls(const shape_client_options *options,
                                          const shape_client_tls *tls, shape_client **client) {
  static const shape_client_options none = {.address = NULL};
  if (!options) options = &none;
  shape_client *c = *client = calloc(1, sizeof *c);
  if (!c) return SHAPE_CLIENT_MEMORY;
  c->fd = -1;
  c->timeout_ms = options->timeout_ms;
  c->reconnect = options->reconnect;
  c->max_reply = options->max_reply ? options->max_reply : (size_t)1 << 30;
  c->invalid = !client_address_of(options->address, &c->address, c->message, sizeof c->message);
  if (!c->invalid && c->address.tls) {
    c->tls = client_tls_new(tls, c->address.host, c->message, sizeof c->message);
    c->invalid = !c->tls;
  }
  return c->invalid ? SHAPE_CLIENT_INVALID : connect_until(c, deadline_of(c, 0));
}

shape_client_status shape_client_open(const shape_client_options *options, shape_client **client) {
  return shape_client_open_tls(options, NULL, client);
}

void shape_client_close(shape_client *c) {
  if (!c) return;
  hang_up(c);
  client_tls_free(c->tls);
  free(c->in.data);
  free(c->out.data);
  free(c);
}

shape_client_status shape_client_reconnect(shape_client *c) {
  return c->invalid ? SHAPE_CLIENT_INVALID : connect_until(c, deadline_of(c, 0));
}

shape_client_status shape_client_call(shape_client *c, const char *method, shape_json params,
                                      int timeout_ms, shape_client_reply *reply) {
  int64_t deadline = deadline_of(c, timeout_ms);
  bool again = c->reconnect && repeatable(method);
  if (c->waiting) return fail(c, SHAPE_CLIENT_INVALID, "requests wait for their replies");
  if (c->fd < 0 && c->reconnect && !c->invalid) {
    again = false;
    shape_client_status status = connect_until(c, deadline);
    if (status != SHAPE_CLIENT_OK) return status;
  }
  shape_client_status status = exchange(c, method, params, deadline, reply);
  if (status != SHAPE_CLIENT_DISCONNECTED || !again) return status;
  status = connect_until(c, deadline);
  return status == SHAPE_CLIENT_OK ? exchange(c, method, params, deadline, reply) : status;
}
