// SPDX-License-Identifier: Apache-2.0
// From messages to jobs and replies: batches, notifications, limits, cancellation, deadlines.
#include <string.h>
#include <unistd.h>

#include "tests/unit/server/daemon.h"

typedef struct exchange_row {
  const char *message, *reply;
} exchange_row;

Test(dispatch, messages_and_their_replies) {
  static const exchange_row ROWS[] = {
      {"{'jsonrpc': '2.0', 'id': 1, 'method': 'server/ping', 'params': [7]}",
       "{'jsonrpc': '2.0', 'id': 1, 'result': [7]}"},
      {"{'jsonrpc': '2.0', 'id': 'a', 'method': 'none'}", "there is no method \\'none\\'"},
      {"{'jsonrpc': '2.0', 'id': 1}", "'code': 'invalid-request'"},
      {"{'jsonrpc': '2.0', 'id': 1, 'method': 'ops/list', 'params': {}}", "'stablehlo.add'"},
      // Of a batch each has its reply, in the order of their ends; what needs none has none.
      {"[{'jsonrpc': '2.0', 'id': 1, 'method': 'server/ping'}, {'jsonrpc': '2.0', 'method': "
       "'server/ping'}, {'jsonrpc': '2.0', 'id': 2, 'method': 'none'}]",
       "'method-not-found'"},
  };
  daemon *d = daemon_with_client("");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    client_send(d->fd, ROWS[i].message);
    client_expect(d, d->fd, ROWS[i].reply);
  }
  cr_expect(d->heard[0] == '[' && d->heard[strlen(d->heard) - 1] == ']', "%s", d->heard);
  cr_expect_eq(d->s.metrics.notifications, 1);
  cr_expect_null(d->s.jobs.active);
  daemon_end(d);
}

Test(dispatch, notifications_have_no_reply) {
  static const char *const SILENT[] = {
      "{'jsonrpc': '2.0', 'method': 'server/ping'}",
      "{'jsonrpc': '2.0', 'method': 'ops/list'}",
      "{'jsonrpc': '2.0', 'method': '$/unknown'}",
      "{'jsonrpc': '2.0', 'method': 'none'}",
      "{'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': 5}}",
      "[{'jsonrpc': '2.0', 'method': 'server/ping'}]",
  };
  daemon *d = daemon_start("");
  int fd;
  daemon_connect(d, &fd);
  for (size_t i = 0; i < sizeof SILENT / sizeof *SILENT; i++) client_send(fd, SILENT[i]);
  client_ask(fd, 9, "server/ping", "{}");
  client_expect(d, fd, "'id': 9");
  daemon_wait(d, !d->s.jobs.active);
  client_ask(fd, 10, "server/ping", "{}");
  client_expect(d, fd, "'id': 10");
  close(fd);
  daemon_end(d);
}

// Jobs wait in their queue while it is blocked.
static daemon *start_blocked(const char *options) {
  daemon *d = daemon_with_client(options);
  pool_block(&d->s.pool, &d->c->queue, true);
  return d;
}

Test(dispatch, a_request_is_cancelled_by_its_id) {
  daemon *d = start_blocked("");
  client_ask(d->fd, 1, "ops/list", "{}");
  client_ask(d->fd, 2, "ops/list", "{}");
  daemon_wait(d, d->c->in_flight == 2);
  client_send(d->fd, "{'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': 3}}");
  client_send(d->fd, "{'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': 2}}");
  client_expect(d, d->fd, "'id': 2, 'error': {'code': -32800");
  cr_expect(d->c->in_flight == 1 && d->s.metrics.cancelled_queued == 1);
  pool_block(&d->s.pool, &d->c->queue, false);
  client_expect(d, d->fd, "'id': 1, 'result'");
  daemon_end(d);
}

Test(dispatch, a_request_that_waits_too_long_is_late) {
  daemon *d = start_blocked("--deadline 20");
  client_ask(d->fd, 1, "ops/list", "{}");
  client_expect(d, d->fd, "'code': 'deadline'");
  cr_expect_null(d->s.jobs.active);
  daemon_end(d);
}

Test(dispatch, what_is_too_much_at_a_time_is_refused) {
  static const struct {
    const char *option, *limit;
  } ROWS[] = {{"--max-in-flight 1", "'limit': 'max-in-flight', 'value': 1"},
              {"--max-peer-in-flight 1", "'limit': 'max-peer-in-flight', 'value': 1"},
              {"--max-queue 1", "'limit': 'max-queue', 'value': 1"}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    daemon *d = start_blocked(ROWS[i].option);
    client_ask(d->fd, 1, "ops/list", "{}");
    client_ask(d->fd, 2, "ops/list", "{}");
    client_expect(d, d->fd, ROWS[i].limit);
    client_ask(d->fd, 3, "server/ping", "{}");  // of the loop: it is none of those
    client_expect(d, d->fd, "'id': 3, 'result'");
    daemon_end(d);
  }
}

Test(dispatch, while_draining_workers_have_no_more) {
  daemon *d = start_blocked("");
  client_ask(d->fd, 1, "ops/list", "{}");
  daemon_wait(d, d->c->in_flight == 1);
  d->s.drain.draining = true;
  client_ask(d->fd, 2, "ops/list", "{}");
  client_expect(d, d->fd, "'id': 2, 'error'");
  cr_expect(strstr(d->heard, "draining"), "%s", d->heard);
  d->s.drain.draining = false;
  daemon_end(d);
}

Test(dispatch, what_is_no_message_has_an_error_without_an_id) {
  daemon *d = daemon_with_client("");
  rpc_failure failure;
  rpc_fail(&failure, RPC_SIZE, "too %s", "large");
  dispatch_failure(d->c, &failure);
  connection_flush(d->c);
  client_expect(d, d->fd, "'id': null, 'error': {'code': ");
  cr_expect(strstr(d->heard, "too large"), "%s", d->heard);
  cr_expect_eq(d->s.metrics.errors[RPC_SIZE], 1);
  daemon_end(d);
}
