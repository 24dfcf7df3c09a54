// SPDX-License-Identifier: Apache-2.0
// Who may connect, and how often.
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/server/daemon.h"

static int accept_one(daemon *d, bool last) {
  int ends[2];
  cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
  connection_accept(&d->listener, ends[1], last);
  return ends[0];
}

Test(admit, connections_beyond_the_limit_of_their_peer_are_told_so) {
  daemon *d = daemon_start("--max-peer-connections 2");
  int first, second, third;
  daemon_connect(d, &first);
  connection *c = daemon_connect(d, &second);
  daemon_connect(d, &third);
  client_expect(d, third, "'limit': 'max-peer-connections', 'value': 2");
  cr_expect_null(client_hear(d, third));
  cr_expect(d->s.metrics.connections == 2 && d->s.metrics.connections_refused == 1);
  cr_expect_eq(d->s.metrics.connections_accepted, 3);
  connection_close(c);
  int fourth = accept_one(d, false);
  client_ask(fourth, 1, "server/ping", "{}");
  client_expect(d, fourth, "'result'");
  close(first), close(second), close(third), close(fourth);
  daemon_end(d);
}

Test(admit, the_last_descriptor_is_for_saying_so) {
  daemon *d = daemon_start("");
  int fd = accept_one(d, true);
  client_expect(d, fd, "the server cannot open more files");
  cr_expect_null(client_hear(d, fd));
  cr_expect_eq(d->s.metrics.connections_refused, 1);
  close(fd);
  daemon_end(d);
}

Test(admit, what_is_no_socket_is_no_client) {
  daemon *d = daemon_start("");
  int ends[2];
  cr_assert_eq(pipe(ends), 0);
  close(ends[0]);
  close(ends[1]);
  connection_accept(&d->listener, ends[1], false);  // no descriptor at all
  daemon_wait(d, !d->s.peers.first);
  cr_expect_eq(d->s.metrics.connections_accepted, 0);
  cr_expect_eq(d->s.metrics.accepts_failed, 1);
  daemon_end(d);
}

Test(admit, credentials_have_a_time) {
  daemon *d = daemon_with_client("--login 1000");
  cr_expect_not(connection_check_login(d->c, d->c->accepted + 5000), "it needs none");
  d->c->login.untrusted = true;
  cr_expect(connection_check_login(d->c, d->c->accepted + 999) && !d->c->closing);
  cr_expect(connection_check_login(d->c, d->c->accepted + 1000) && d->c->closing);
  cr_expect_eq(d->s.metrics.connections_denied, 1);
  cr_expect(daemon_logged(d, "event=deny conn=1 why=\"no credentials in time\""));
  daemon_end(d);
}

Test(admit, a_slot_is_given_back_once) {
  daemon *d = daemon_with_client("");
  cr_assert(d->c->has_slot && d->c->slot == QUOTA_CONNECTIONS);
  cr_assert_eq(d->s.peers.use.used[QUOTA_CONNECTIONS], 1);
  connection_free_slot(d->c);
  connection_free_slot(d->c);
  cr_expect_eq(d->s.peers.use.used[QUOTA_CONNECTIONS], 0);
  daemon_end(d);
}
