// SPDX-License-Identifier: Apache-2.0
// Messages taken apart: at once, or by a thread where they are large.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/server/daemon.h"

enum { LARGE = 3 << 20 };  // more than a message that is taken apart at once

static const char PART[] = "[[[[[[[[1, 2], {}";

// Reading stops while a message is taken apart, as after its last byte.
static void split_large(connection *c, const char *text) {
  uv_read_stop(&c->uv.stream);
  split_message(c, text, LARGE);
  cr_assert(c->held && c->bytes.held >= LARGE);
}

// A message that is none, of which a thread has to say so.
static char *large_message(void) {
  char *text = malloc(LARGE);
  cr_assert(text);
  memset(text, ' ', LARGE);
  memcpy(text, PART, sizeof PART - 1);
  return text;
}

Test(split, what_follows_a_large_message_waits_for_it, .timeout = 60) {
  daemon *d = daemon_with_client("");
  char *text = large_message();
  client_ask(d->fd, 2, "server/ping", "{}");
  split_large(d->c, text);
  client_expect(d, d->fd, "'code': 'parse-error'");
  client_expect(d, d->fd, "'id': 2, 'result': {}");
  cr_expect(!d->c->held && d->s.metrics.messages == 2);
  free(text);
  daemon_end(d);
}

Test(split, a_connection_that_ends_meanwhile_leaves_nothing, .timeout = 60) {
  daemon *d = daemon_with_client("");
  char *text = large_message();
  split_large(d->c, text);
  connection_close(d->c);
  daemon_wait(d, !d->s.peers.first);
  cr_expect_null(client_hear(d, d->fd), "there is no client any more that the error is for");
  free(text);
  daemon_end(d);
}

Test(split, messages_that_are_none_are_refused_and_the_next_is_read) {
  static const struct {
    const char *text, *part;
  } ROWS[] = {
      {"{'jsonrpc': '2.0', 'id': 1", "'code': 'parse-error'"},
      {"[]", "'code': 'invalid-request'"},
      {"3", "'code': 'invalid-request'"},
      {"[{'jsonrpc': '2.0', 'id': 1, 'method': 'server/ping'}, {}, {}]", "max-batch"},
  };
  daemon *d = daemon_with_client("--max-batch 2");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    client_send(d->fd, ROWS[i].text);
    client_expect(d, d->fd, ROWS[i].part);
    client_ask(d->fd, 7, "server/ping", "{'a': 1}");
    client_expect(d, d->fd, "'id': 7, 'result': {'a': 1}");
  }
  daemon_end(d);
}

Test(split, without_a_message_there_is_nothing_to_go_on_with) {
  daemon *d = daemon_with_client("");
  cr_expect(split_continue(d->c) && !d->c->run);
  daemon_end(d);
}
