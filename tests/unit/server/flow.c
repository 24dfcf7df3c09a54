// SPDX-License-Identifier: Apache-2.0
// Backpressure: what is counted on whose account, and who waits.
#include <string.h>
#include <unistd.h>

#include "tests/unit/server/daemon.h"

static uint64_t used(const daemon *d, quota_kind kind) { return d->s.peers.use.used[kind]; }

Test(flow, a_message_is_a_quarter_of_the_room_at_most) {
  static const struct {
    uint64_t message, peer, all, most;
  } ROWS[] = {{1000, 1 << 20, 1 << 20, 1000},
              {1 << 20, 1 << 20, 1 << 21, 1 << 18},
              {1 << 20, 1 << 21, 1 << 20, 1 << 18},
              {1 << 18, 1 << 20, 1 << 20, 1 << 18}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    server_config config = {.max_message = ROWS[i].message,
                            .max_peer_buffered = ROWS[i].peer,
                            .max_buffered = ROWS[i].all};
    cr_expect_eq(flow_message_limit(&config), ROWS[i].most, "row %zu", i);
  }
}

Test(flow, what_is_counted_is_given_back) {
  daemon *d = daemon_with_client("");
  size_t before = d->c->bytes.held;
  flow_count(d->c, 1000);
  cr_expect(d->c->bytes.held == before + 1000 && used(d, QUOTA_BYTES) == before + 1000);
  server_message *m = message_new("{}", 2);
  flow_count_message(d->c, m, 500);
  m->references = 2;
  flow_message_release(m);
  cr_expect_eq(d->c->bytes.held, before + 1500, "another job has it");
  flow_message_release(m);
  cr_expect_eq(d->c->bytes.held, before + 1000);
  flow_release(d->c, 1000);
  cr_expect_eq(used(d, QUOTA_BYTES), before);
  daemon_end(d);
}

Test(flow, replies_count_as_unread_once_they_are_sent) {
  daemon *d = daemon_with_client("");
  size_t before = d->c->bytes.held;
  server_reply *r = reply_new(1 << 16);
  flow_reply_free(NULL);
  flow_count_reply(d->c, r);
  size_t counted = r->counted;
  cr_expect(counted > 0 && d->c->bytes.held == before + counted && used(d, QUOTA_UNREAD) == 0);
  flow_sent(d->c, r);
  cr_expect(d->c->bytes.unread == counted && used(d, QUOTA_UNREAD) == counted);
  flow_reply_free(r);
  cr_expect(d->c->bytes.held == before && d->c->bytes.unread == 0 && used(d, QUOTA_UNREAD) == 0);
  daemon_end(d);
}

Test(flow, what_a_connection_holds_moves_to_another_peer) {
  daemon *d = daemon_with_client("");
  peer *other = peer_get(&d->s.peers, "token:1");
  flow_count(d->c, 700);
  uint64_t all = used(d, QUOTA_BYTES);
  flow_move(d->c, other);
  cr_expect_eq(other->use.used[QUOTA_BYTES], d->c->bytes.held);
  cr_expect_eq(d->c->peer->use.used[QUOTA_BYTES], 0);
  cr_expect_eq(used(d, QUOTA_BYTES), all);
  peer *first = d->c->peer;
  d->c->peer = other;
  flow_move(d->c, first);
  d->c->peer = first;
  flow_release(d->c, 700);
  peer_release(&d->s.peers, other);
  daemon_end(d);
}

Test(flow, those_without_room_pause_in_their_order) {
  daemon_clients all;
  daemon *d = daemon_with_clients(&all);
  for (int i = 0; i < CLIENTS; i++) {
    uv_read_stop(&all.c[i]->uv.stream);  // as where a connection pauses
    flow_pause(all.c[i]);
    flow_pause(all.c[i]);
  }
  cr_expect_eq(d->s.metrics.pauses, CLIENTS);
  cr_expect(d->s.flow.first == all.c[0] && d->s.flow.last == all.c[2]);
  flow_unpause(all.c[1]);
  flow_unpause(all.c[1]);
  cr_expect(all.c[0]->pause.after == all.c[2] && all.c[2]->pause.before == all.c[0] &&
            !all.c[1]->pause.on);
  flow_continue(&d->s);
  daemon_wait(d, !d->s.flow.first);
  cr_expect(!all.c[0]->pause.on && !all.c[2]->pause.on && !d->s.flow.last);
  client_ask(all.fds[2], 1, "server/ping", "{}");
  client_expect(d, all.fds[2], "'result'");
  clients_close(&all);
  daemon_end(d);
}

Test(flow, without_room_a_connection_is_not_read_until_there_is) {
  daemon *d = daemon_start("--max-buffered 1M --max-peer-buffered 1M");
  int fd, other;
  connection *holder = daemon_connect(d, &other), *c = daemon_connect(d, &fd);
  cr_expect(!flow_full(c) && !flow_blocked(c));
  flow_count(holder, 1 << 20);
  cr_expect(!flow_full(c), "a little is always granted");
  flow_count(c, QUOTA_FREE_BYTES + 1);
  cr_expect(flow_full(c) && flow_blocked(c));
  server_reply *r = reply_new(1 << 16);
  cr_expect_str_eq(flow_excess(c, r).option, "max-peer-buffered");
  reply_free(r);
  client_ask(fd, 1, "server/ping", "{}");
  daemon_wait(d, c->pause.on);
  cr_expect_eq(d->s.metrics.messages, 0);
  flow_release(holder, 1 << 20);
  flow_release(c, QUOTA_FREE_BYTES + 1);
  client_expect(d, fd, "'id': 1, 'result'");
  close(fd), close(other);
  daemon_end(d);
}

Test(flow, a_message_that_does_not_come_to_its_end_is_cut_off) {
  daemon *d = daemon_with_client("--stall 50");
  cr_assert_eq(write(d->fd, "{\"a\": [", 7), 7);
  client_expect(d, d->fd, "'limit': 'stall', 'value': 50");
  cr_expect_null(client_hear(d, d->fd));
  cr_expect_eq(d->s.metrics.connections_cut, 1);
  daemon_end(d);
}
