// SPDX-License-Identifier: Apache-2.0
// Pages for machines that watch the daemon.
#include "server/http.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/server/daemon.h"

static int open_client(daemon *d) {
  int ends[2];
  cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
  server_listener listener = {.owner = &d->s, .role = LISTENS_FOR_HTTP, .fd = -1};
  http_accept(&listener, ends[1]);
  return ends[0];
}

// All that comes until the end, in d->heard.
static const char *hear_all(daemon *d, int fd) {
  size_t used = 0;
  for (ssize_t n = -1; n;) {
    n = recv(fd, d->heard + used, DAEMON_HEARD - 1 - used, MSG_DONTWAIT);
    if (n > 0) used += (size_t)n;
    if (n < 0) daemon_step(d);
  }
  d->heard[used] = 0;
  return d->heard;
}

static const char *get(daemon *d, const char *request) {
  int fd = open_client(d);
  cr_assert_eq(send(fd, request, strlen(request), MSG_NOSIGNAL), (ssize_t)strlen(request));
  shutdown(fd, SHUT_WR);
  hear_all(d, fd);
  close(fd);
  return d->heard;
}

Test(http, requests_and_their_pages) {
  static const struct {
    const char *request, *status, *body;
  } ROWS[] = {
      {"GET /healthz HTTP/1.1\r\n\r\n", "200 OK", "alive\n"},
      {"GET /healthz?a=1 HTTP/1.0\n\n", "200 OK", "alive\n"},
      {"GET /healthz HTTP/1.1\r\nHost: a\r\nX: /metrics\r\n\r\n", "200 OK", "alive\n"},
      {"HEAD /healthz HTTP/1.1\r\n\r\n", "200 OK", ""},
      {"GET /readyz HTTP/1.1\r\n\r\n", "200 OK", "ready\n"},
      {"POST /healthz HTTP/1.1\r\n\r\n", "405 Method Not Allowed", "only GET and HEAD\n"},
      {"GET / HTTP/1.1\r\n\r\n", "404 Not Found", "there are /metrics, /healthz and /readyz\n"},
      {"GET /health HTTP/1.1\r\n\r\n", "404 Not Found",
       "there are /metrics, /healthz and /readyz\n"},
      {"GET /healthz\r\n\r\n", "400 Bad Request", "this is no HTTP request\n"},
      {"GET /healthz FTP/1.1\r\n\r\n", "400 Bad Request", "this is no HTTP request\n"},
      {" /healthz HTTP/1.1\r\n\r\n", "400 Bad Request", "this is no HTTP request\n"},
      {"\r\n\r\n", "400 Bad Request", "this is no HTTP request\n"},
  };
  daemon *d = daemon_start("");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const char *page = get(d, ROWS[i].request), *body = strstr(page, "\r\n\r\n");
    cr_assert(body && strncmp(page, "HTTP/1.1 ", 9) == 0, "row %zu: %s", i, page);
    cr_expect_eq(strncmp(page + 9, ROWS[i].status, strlen(ROWS[i].status)), 0, "row %zu: %s", i,
                 page);
    cr_expect_str_eq(body + 4, ROWS[i].body, "row %zu", i);
  }
  daemon_end(d);
}

Test(http, the_length_of_the_metrics_is_said) {
  daemon *d = daemon_start("");
  d->s.metrics.messages = 77;
  const char *page = get(d, "GET /metrics HTTP/1.1\r\n\r\n");
  const char *length = strstr(page, "Content-Length: "), *body = strstr(page, "\r\n\r\n");
  cr_assert(length && body);
  cr_expect_eq(strtoul(length + 16, NULL, 10), strlen(body + 4));
  cr_expect(strstr(body, "messages_total 77\n"), "%s", body);
  daemon_end(d);
}

Test(http, it_says_why_it_is_not_ready) {
  daemon *d = daemon_start("--max-queue 1");
  d->s.pool.queued = 1;
  const char *page = get(d, "GET /readyz HTTP/1.1\r\n\r\n");
  cr_expect(strstr(page, " 503 ") && strstr(page, "\r\n\r\nthe queue is full\n"), "%s", page);
  d->s.pool.queued = 0;
  d->s.drain.draining = true;
  page = get(d, "GET /readyz HTTP/1.1\r\n\r\n");
  cr_expect(strstr(page, " 503 ") && strstr(page, "\r\n\r\ndraining\n"), "%s", page);
  page = get(d, "GET /healthz HTTP/1.1\r\n\r\n");
  cr_expect(strstr(page, " 200 OK"), "%s", page);
  daemon_end(d);
}

Test(http, a_request_has_a_length) {
  daemon *d = daemon_start("");
  char request[6000] = "GET /healthz HTTP/1.1\r\nX: ";
  memset(request + strlen(request), 'x', sizeof request - 1 - strlen(request));
  const char *page = get(d, request);
  cr_expect(strstr(page, " 431 "), "%s", page);
  daemon_end(d);
}

Test(http, the_oldest_makes_room) {
  daemon *d = daemon_start("--max-peer-http 2");
  int fds[3];
  for (int i = 0; i < 3; i++) fds[i] = open_client(d);
  cr_expect_str_eq(hear_all(d, fds[0]), "");
  for (int i = 1; i < 3; i++) {
    static const char GET[] = "GET /healthz HTTP/1.1\r\n\r\n";
    cr_assert_eq(write(fds[i], GET, sizeof GET - 1), (ssize_t)sizeof GET - 1);
    shutdown(fds[i], SHUT_WR);
    cr_expect(strstr(hear_all(d, fds[i]), "alive"), "client %d", i);
  }
  for (int i = 0; i < 3; i++) close(fds[i]);
  daemon_end(d);
}

Test(http, what_is_open_ends) {
  daemon *d = daemon_start("");
  int first = open_client(d), second = open_client(d);
  http_stop(&d->s);
  cr_expect_null(d->s.http_clients);
  cr_expect_str_eq(hear_all(d, first), "");
  cr_expect_str_eq(hear_all(d, second), "");
  close(first), close(second);
  daemon_end(d);
}
