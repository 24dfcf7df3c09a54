// SPDX-License-Identifier: Apache-2.0
// What methods know about the server.
#include <string.h>
#include <unistd.h>

#include "tests/unit/server/daemon.h"

Test(host, workers_may_not_call_what_reads_the_loops_state) {
  daemon *d = daemon_with_client("");
  method_host loop = server_host(d->c), worker = server_worker_host(d->c);
  cr_expect(loop.write_limits && loop.write_stats && loop.data == d->c);
  cr_expect(!worker.write_limits && !worker.write_stats && worker.data == d->c);
  cr_expect(worker.session_add && worker.session_take && worker.session_give);
  cr_expect_eq(!worker.profile_get, !d->s.profiles);
  profile_store *profiles = d->s.profiles;
  session_table *sessions = d->s.sessions;
  d->s.profiles = NULL;
  d->s.sessions = NULL;
  worker = server_worker_host(d->c);
  cr_expect(!worker.session_add && !worker.session_take && !worker.session_give);
  cr_expect(!worker.profile_get && !worker.profile_update);
  d->s.profiles = profiles;
  d->s.sessions = sessions;
  daemon_end(d);
}

Test(host, counts_are_those_of_the_requests) {
  static const char *const PARTS[] = {
      "'draining': false",
      "'workers': 1",
      "'isolated': false",
      "'in_flight': 0, 'in_flight_max': 1",
      "'connections': {'open': 2, 'accepted': 2, 'refused': 0, 'cut': 0}",
      "'peers': 1",
      "'sessions': {'open': 0, 'bytes': 0, 'expired': 0, 'evicted': 0}",
      "'methods': {'ops/list': {'answered': 1, 'failed': 0, 'p50_us': ",
      "'server/ping': {'answered': 1, 'failed': 0, ",
      "'errors': {'method-not-found': 1}",
  };
  daemon *d = daemon_start("");
  int fd, other;
  daemon_connect(d, &fd);
  daemon_connect(d, &other);
  client_ask(fd, 1, "server/ping", "{}");
  client_expect(d, fd, "'id': 1");
  client_ask(fd, 2, "none", "{}");
  client_expect(d, fd, "'id': 2");
  client_ask(fd, 3, "ops/list", "{}");
  client_expect(d, fd, "'id': 3");
  for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
    client_ask(fd, 4, "server/stats", "{}");
    client_expect(d, fd, PARTS[i]);
  }
  close(fd), close(other);
  daemon_end(d);
}

Test(host, clients_hear_of_the_limits) {
  daemon *d = daemon_with_client("--max-batch 12");
  client_ask(d->fd, 1, "initialize", "{}");
  client_expect(d, d->fd, "'max-batch': 12");
  daemon_end(d);
}

Test(host, profiles_are_the_peers) {
  static const char OBSERVED[] = "{'profile': 'p', 'observations': [{'dims': {'S0': 8}}]}";
  daemon *d = daemon_with_client("");
  if (!d->s.profiles) cr_skip("this program was built without SQLite");
  client_ask(d->fd, 1, "profile/observe", OBSERVED);
  client_expect(d, d->fd, "'values': [[8, 1]]");
  client_ask(d->fd, 2, "profile/observe", OBSERVED);
  client_expect(d, d->fd, "'values': [[8, 2]]");
  shape_arena arena;
  arena_init(&arena, 0);
  cr_expect_gt(profiles_get(d->s.profiles, &arena, d->c->peer->name, (json_slice){"p", 1}).length,
               0);
  cr_expect_eq(profiles_get(d->s.profiles, &arena, "uid:none", (json_slice){"p", 1}).length, 0);
  arena_destroy(&arena);
  daemon_end(d);
}
