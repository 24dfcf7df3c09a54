// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/connect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "clients/cli/options.h"

// --- the socket

static bool default_path(char *path, size_t size) {
  const char *given = getenv("SHAPED_SOCKET"), *folder = getenv("XDG_RUNTIME_DIR");
  int length;
  if (given && *given) {
    length = snprintf(path, size, "%s", given);
  } else if (folder && *folder) {
    length = snprintf(path, size, "%s/shaped.sock", folder);
  } else {
    length = snprintf(path, size, "/tmp/shaped-%ld.sock", (long)getuid());
  }
  return length > 0 && (size_t)length < size;
}

bool daemon_open(daemon_link *link, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char made[sizeof address.sun_path];
  *link = (daemon_link){.fd = -1};
  if (!path && !default_path(made, sizeof made)) path = "";
  if (!path) path = made;
  size_t length = strlen(path);
  if (!length || length >= sizeof address.sun_path) {
    fprintf(stderr, "shape: the path of a socket has 1 to %zu bytes\n",
            sizeof address.sun_path - 1);
    return false;
  }
  memcpy(address.sun_path, path, length + 1);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
    fprintf(stderr, "shape: no daemon answers at %s: %s\n", path, strerror(errno));
    if (fd >= 0) close(fd);
    return false;
  }
  link->fd = fd;
  return true;
}

void daemon_close(daemon_link *link) {
  if (link->fd >= 0) close(link->fd);
  free(link->data);
  *link = (daemon_link){.fd = -1};
}

static bool broken(const char *why) {
  fprintf(stderr, "shape: the connection to the daemon broke: %s\n", why);
  return false;
}

static bool send_all(daemon_link *link, const char *data, size_t length) {
  while (length) {
    ssize_t n = send(link->fd, data, length, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    // A daemon that refuses a message may close before it has read it all; its reply says why.
    if (n < 0 && errno == EPIPE) return true;
    if (n < 0) return broken(strerror(errno));
    data += n;
    length -= (size_t)n;
  }
  return true;
}

// The next line; *length is without its end.
static bool receive_line(daemon_link *link, char **line, size_t *length) {
  link->start = link->end = 0;
  size_t scanned = 0;
  for (;;) {
    char *end = link->data ? memchr(link->data + scanned, '\n', link->end - scanned) : NULL;
    if (end) {
      *line = link->data;
      *length = (size_t)(end - link->data);
      return true;
    }
    scanned = link->end;
    if (link->end == link->capacity) {
      size_t capacity = link->capacity ? 2 * link->capacity : 65536;
      char *more = realloc(link->data, capacity);
      if (!more) return broken("out of memory");
      link->data = more;
      link->capacity = capacity;
    }
    ssize_t n = recv(link->fd, link->data + link->end, link->capacity - link->end, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return broken(strerror(errno));
    if (n == 0) return broken("it was closed without an answer");
    link->end += (size_t)n;
  }
}

// --- requests

json_slice daemon_member(json_slice object, const char *key) {
  json_cursor c;
  json_slice name;
  shape_arena arena;
  json_slice found = {"", 0};
  // Keys of replies have no escapes, so nothing is put into the arena.
  arena_init(&arena, 1);
  cursor_init(&c, &arena, object.text, object.length);
  if (!cursor_enter(&c, '{')) return found;
  for (bool first = true; cursor_next_key(&c, first, &name); first = false) {
    cursor_peek(&c);
    const char *from = c.at;
    cursor_skip(&c);
    if (slice_is(name, key) && !c.failed) found = (json_slice){from, (size_t)(c.at - from)};
  }
  return found;
}

static bool send_request(daemon_link *link, const char *method, json_slice params) {
  char head[512];
  int length =
      snprintf(head, sizeof head, "{\"jsonrpc\": \"2.0\", \"id\": %llu, \"method\": \"%s\"%s",
               (unsigned long long)++link->next_id, method, params.length ? ", \"params\": " : "");
  if (length < 0 || (size_t)length >= sizeof head)
    return broken("the name of the method is too long");
  return send_all(link, head, (size_t)length) && send_all(link, params.text, params.length) &&
         send_all(link, "}\n", 2);
}

bool daemon_call(daemon_link *link, const char *method, json_slice params, daemon_reply *reply) {
  json_slice line;
  char *text = NULL;
  if (!send_request(link, method, params) || !receive_line(link, &text, &line.length)) return false;
  line.text = text;
  reply->result = daemon_member(line, "result");
  reply->error = daemon_member(line, "error");
  if (reply->result.length || reply->error.length) return true;
  return broken("the answer is no JSON-RPC reply");
}

// A JSON string in the arena; empty where it is none.
static json_slice string_of(shape_arena *arena, json_slice json) {
  json_cursor c;
  json_slice out;
  cursor_init(&c, arena, json.text, json.length);
  return cursor_string(&c, &out) ? out : (json_slice){"", 0};
}

typedef struct error_work {
  const char *command;
  json_slice error;
  shape_arena arena;
  int status;
} error_work;

static void print_error(void *data) {
  error_work *w = data;
  json_slice message = string_of(&w->arena, daemon_member(w->error, "message"));
  json_slice code = string_of(&w->arena, daemon_member(daemon_member(w->error, "data"), "code"));
  fprintf(stderr, "shape %s: the daemon says: %.*s\n", w->command, (int)message.length,
          message.text);
  w->status = EXIT_NO_ANSWER;
  if (slice_is(code, "invalid") || slice_is(code, "method-not-found")) w->status = EXIT_USAGE;
  if (slice_is(code, "cancelled")) w->status = EXIT_INTERRUPTED;
  if (slice_is(code, "draining") || slice_is(code, "too-many-connections"))
    w->status = EXIT_NO_DAEMON;
}

int daemon_error(const char *command, json_slice error) {
  error_work w = {.command = command, .error = error, .status = EXIT_NO_ANSWER};
  arena_init(&w.arena, 0);
  arena_protect(&w.arena, print_error, &w);
  arena_destroy(&w.arena);
  return w.status;
}
