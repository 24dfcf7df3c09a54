// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const uint64_t PATIENCE_NS = 40000000000;

server *fuzz_daemon(void) {
  static const char *const OPTIONS[] = {"shaped", "--workers",     "1",      "--max-message",
                                        "256k",   "--max-steps",   "100000", "--max-memory",
                                        "64M",    "--log-level",   "error",  "--max-batch",
                                        "16",     "--max-backlog", "1M"};
  enum { COUNT = sizeof OPTIONS / sizeof *OPTIONS };
  char *argv[COUNT + 1], error[512], folder[] = "/tmp/shaped-fuzz.XXXXXX";
  config_line line;
  server *s = calloc(1, sizeof *s);
  signal(SIGPIPE, SIG_IGN);  // as main() of the daemon does: clients go while they are written to
  for (int i = 0; i < COUNT; i++) argv[i] = (char *)OPTIONS[i];
  if (!s || !mkdtemp(folder) || !config_read(&s->config, COUNT, argv, &line, error, sizeof error) ||
      !server_configure_log(&s->log, &s->config, error, sizeof error) || !handles_open(s)) {
    abort();
  }
  snprintf(s->config.socket, sizeof s->config.socket, "%s/s", folder);
  snprintf(s->config.http, sizeof s->config.http, "%s/h", folder);
  s->sessions = sessions_new(&s->config, &SESSIONS_HERE);
  s->profiles = profiles_open(&s->config, error, sizeof error);
  if (!s->sessions || !listen_all(s, error, sizeof error) || !pool_start(&s->pool, 1, &s->wake))
    abort();
  return s;
}

// A socket that does not block.
static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) abort();
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  memcpy(address.sun_path, path, strlen(path) + 1);
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

// Turns the loop after each piece; false as hear.
static bool say(server *s, int fd, const uint8_t *data, size_t size, size_t piece,
                heard_text *heard) {
  while (size) {
    size_t length = size < piece ? size : piece;
    ssize_t n = send(fd, data, length, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN) return false;
    if (n > 0) data += n, size -= (size_t)n;
    uv_run(&s->loop, UV_RUN_NOWAIT);
    if (!hear(fd, heard)) return false;
  }
  return true;
}

bool fuzz_talk(server *s, const char *path, const uint8_t *data, size_t size,
               bool (*is_busy)(const server *s), heard_text *heard) {
  unsigned how = data[0];
  bool polite = how & 64;
  int fd = connect_to(path);
  uv_run(&s->loop, UV_RUN_NOWAIT);
  bool open = say(s, fd, data + 1, size - 1, (how & 63) ? how & 63 : size, heard);
  if (polite) {
    shutdown(fd, SHUT_WR);
  } else {
    close(fd);
  }
  uint64_t end = uv_hrtime() + PATIENCE_NS;
  while (is_busy(s)) {
    if (uv_hrtime() > end) abort();  // it hangs
    uv_run(&s->loop, UV_RUN_NOWAIT);
    if (polite && open) open = hear(fd, heard);
  }
  uv_run(&s->loop, UV_RUN_NOWAIT);
  if (polite) {
    hear(fd, heard);
    close(fd);
  }
  return polite;
}
