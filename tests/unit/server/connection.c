// SPDX-License-Identifier: Apache-2.0
// Connections: what is read of them, in what order, and when they end.
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/server/daemon.h"

Test(connection, a_client_that_sends_no_more_has_its_answers) {
  daemon *d = daemon_with_client("");
  client_ask(d->fd, 1, "ops/list", "{}");  // of a worker
  static const char LAST[] = "{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"server/ping\"}";
  cr_assert_eq(send(d->fd, LAST, strlen(LAST), 0), (ssize_t)strlen(LAST));
  shutdown(d->fd, SHUT_WR);
  const char *first = client_hear(d, d->fd);
  bool ping = strstr(first, "\"id\": 2") != NULL;
  client_expect(d, d->fd, ping ? "'id': 1" : "'id': 2");  // its line has no end
  cr_expect_null(client_hear(d, d->fd));
  daemon_end(d);
}

Test(connection, a_client_that_is_gone_is_not_answered) {
  daemon *d = daemon_with_client("");
  client_ask(d->fd, 1, "ops/list", "{}");
  close(d->fd);
  d->fd = -1;
  daemon_wait(d, !d->s.peers.first);
  cr_expect_null(d->s.connections.first);
  cr_expect(daemon_logged(d, "event=close conn=1"));
  daemon_end(d);
}

Test(connection, a_message_over_the_limit_is_passed_over) {
  daemon *d = daemon_with_client("--max-message 1024");
  char text[3000];
  memset(text, '[', sizeof text);
  text[sizeof text - 1] = 0;
  client_send(d->fd, text);
  client_expect(d, d->fd, "'limit': 'max-message', 'value': 1024");
  client_ask(d->fd, 1, "server/ping", "[]");
  client_expect(d, d->fd, "'id': 1, 'result': []");
  daemon_end(d);
}

Test(connection, headers_that_are_none_end_it) {
  daemon *d = daemon_with_client("");
  client_send(d->fd, "Content-Length: many\r\n\r");
  daemon_wait(d, !d->s.connections.first);
  client_hear(d, d->fd);  // headers of the reply
  cr_expect(daemon_logged(d, "outcome=parse-error"));
  daemon_end(d);
}

// As while it is read, when the iteration has no time for more of it.
static void wait_for_next_iteration(connection *c) {
  uv_read_stop(&c->uv.stream);
  connection_later(c);
}

Test(connection, what_waits_for_the_next_iteration_goes_on_in_its_order) {
  daemon_clients all;
  daemon *d = daemon_with_clients(&all);
  for (int i = 0; i < CLIENTS; i++) {
    client_ask(all.fds[i], i, "server/ping", "{}");
  }
  for (int i = CLIENTS - 1; i >= 0; i--) wait_for_next_iteration(all.c[i]);
  cr_assert(d->s.held.peers == all.c[0]->peer && all.c[0]->peer->held_first == all.c[2]);
  cr_assert(all.c[0]->held && all.c[1]->held && all.c[2]->held);
  connection_continue(&d->s);
  cr_expect(!all.c[2]->held, "at least the first one goes on in each");
  for (int i = 0; i < CLIENTS; i++) {
    client_expect(d, all.fds[i], "'result': {}");
    cr_expect(!all.c[i]->held);
  }
  cr_expect_null(d->s.held.peers);
  clients_close(&all);
  daemon_end(d);
}

Test(connection, one_that_waits_ends_only_when_it_goes_on) {
  daemon *d = daemon_with_client("");
  wait_for_next_iteration(d->c);
  connection_close(d->c);
  connection_close(d->c);  // once more is nothing
  cr_expect_eq(d->s.metrics.connections, 0);
  cr_expect_not_null(d->s.peers.first);
  daemon_wait(d, !d->s.peers.first);
  cr_expect_null(client_hear(d, d->fd));
  daemon_end(d);
}

Test(connection, while_draining_one_without_work_ends) {
  daemon *d = daemon_start("");
  int fd;
  connection *c = daemon_connect(d, &fd);
  connection_maybe_finish(c);
  cr_expect_not(c->closing, "it may ask something");
  d->s.drain.draining = true;
  c->held = true;
  connection_maybe_finish(c);
  cr_expect_not(c->closing, "its message is being read");
  c->held = false;
  connection_maybe_finish(c);
  cr_expect(c->closing);
  close(fd);
  daemon_wait(d, !d->s.peers.first);
  daemon_end(d);
}
