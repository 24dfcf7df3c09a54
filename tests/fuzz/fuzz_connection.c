// SPDX-License-Identifier: Apache-2.0
// A whole connection: bytes arrive at a daemon in pieces, the loop and a worker do what they do, and the connection ends
// with nothing under way and nothing left. What a client of lines hears is JSON, line by line. The first byte of the
// input says how large the pieces are, and whether the client says that it is done or just goes.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PATIENCE_NS = 1000000000 };

typedef struct heard_text {
  char *data;
  size_t length, capacity;
} heard_text;

static server *new_server(void) {
  static const char *const OPTIONS[] = {"shaped", "--workers",     "1",      "--max-message",
                                        "256k",   "--max-steps",   "100000", "--max-memory",
                                        "64M",    "--log-level",   "error",  "--max-batch",
                                        "16",     "--max-backlog", "1M"};
  enum { COUNT = sizeof OPTIONS / sizeof *OPTIONS };
  char *argv[COUNT + 1], error[512], folder[] = "/tmp/shaped-fuzz.XXXXXX";
  config_line line;
  server *s = calloc(1, sizeof *s);
  for (int i = 0; i < COUNT; i++) argv[i] = (char *)OPTIONS[i];
  if (!s || !mkdtemp(folder) || !config_read(&s->config, COUNT, argv, &line, error, sizeof error) ||
      !server_configure_log(&s->log, &s->config, error, sizeof error) || !handles_open(s)) {
    abort();
  }
  snprintf(s->config.socket, sizeof s->config.socket, "%s/s", folder);
  s->profiles = profiles_open(&s->config, error, sizeof error);
  if (!listen_all(s, error, sizeof error) || !pool_start(&s->pool, 1, &s->wake)) abort();
  return s;
}

static int connect_to(const server *s) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  memcpy(address.sun_path, s->config.socket, strlen(s->config.socket) + 1);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) abort();
  fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

// False when the daemon has ended the connection.
static bool hear(int fd, heard_text *heard) {
  for (;;) {
    if (heard->capacity - heard->length < 65536) {
      heard->capacity = 2 * heard->capacity + 131072;
      heard->data = realloc(heard->data, heard->capacity);
      if (!heard->data) abort();
    }
    ssize_t n = recv(fd, heard->data + heard->length, heard->capacity - heard->length, 0);
    if (n <= 0) return n < 0 && errno == EAGAIN;
    heard->length += (size_t)n;
  }
}

static void say(server *s, int fd, const uint8_t *data, size_t size, size_t piece,
                heard_text *heard) {
  while (size) {
    size_t length = size < piece ? size : piece;
    ssize_t n = send(fd, data, length, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN) return;
    if (n > 0) data += n, size -= (size_t)n;
    uv_run(&s->loop, UV_RUN_NOWAIT);
    if (!hear(fd, heard)) return;
  }
}

static void check_lines(const heard_text *heard) {
  shape_arena arena;
  const char *clean, *at = heard->data, *stop = heard->data + heard->length, *end;
  size_t length;
  json_error error;
  const json_limits limits = {0, JSON_DEPTH_MOST};
  arena_init(&arena, 0);
  for (; at < stop; at = end + 1) {
    end = memchr(at, '\n', (size_t)(stop - at));
    if (!end) break;  // the client went away in the middle of it
    if (!json_gate(&arena, &limits, at, (size_t)(end - at), &clean, &length, &error)) abort();
  }
  arena_destroy(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static server *s;
  if (!s) s = new_server();
  if (!size) return 0;
  unsigned how = data[0];
  heard_text heard = {0};
  int fd = connect_to(s);
  uv_run(&s->loop, UV_RUN_NOWAIT);
  say(s, fd, data + 1, size - 1, (how & 63) ? how & 63 : size, &heard);
  bool polite = how & 64, open = true;
  if (polite) {
    shutdown(fd, SHUT_WR);
  } else {
    close(fd);
  }
  uint64_t end = uv_hrtime() + 20ull * PATIENCE_NS;
  while (s->connections || s->active || s->metrics.in_flight) {
    if (uv_hrtime() > end) abort();  // it hangs
    uv_run(&s->loop, UV_RUN_NOWAIT);
    if (polite && open) open = hear(fd, &heard);
  }
  if (polite) {
    hear(fd, &heard);
    close(fd);
  }
  size_t blank = 1;
  while (blank < size && strchr(" \t\r\n", data[blank])) blank++;
  bool headers = blank < size && ((data[blank] | 32) >= 'a' && (data[blank] | 32) <= 'z');
  if (!headers) check_lines(&heard);
  free(heard.data);
  return 0;
}
