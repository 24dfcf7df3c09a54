// SPDX-License-Identifier: Apache-2.0
#include "tests/support/session_host.h"

#include <stdlib.h>
#include <string.h>

static bool add(void *data, shape_session *session, bool shared, char id[SESSION_ID_SIZE],
                rpc_failure *failure) {
  session_host *h = data;
  (void)shared;  // there is one client
  unsigned at = 0;
  while (at < HOSTED_SESSIONS && h->open[at]) at++;
  if (at == HOSTED_SESSIONS) {
    rpc_fail(failure, RPC_MEMORY, "both are open");
    return false;
  }
  h->open[at] = session;
  h->taken[at] = true;
  memset(id, 'A' + (int)at, SESSION_ID_SIZE - 1);
  id[SESSION_ID_SIZE - 1] = 0;
  return true;
}

static shape_session *take(void *data, json_slice id, rpc_failure *failure) {
  session_host *h = data;
  unsigned at = id.length && id.text[0] == 'B';
  if (h->open[at] && !h->taken[at]) {
    h->taken[at] = true;
    return h->open[at];
  }
  rpc_fail(failure, RPC_SESSION_UNKNOWN, "it is not open");
  return NULL;
}

// What was not taken is not given back: methods that do so are wrong.
static void give(void *data, shape_session *session, bool end) {
  session_host *h = data;
  unsigned at = 0;
  while (at < HOSTED_SESSIONS && h->open[at] != session) at++;
  if (at == HOSTED_SESSIONS || !h->taken[at]) abort();
  h->taken[at] = false;
  if (!end) return;
  shape_session_free(session);
  h->open[at] = NULL;
}

method_host session_host_make(session_host *host) {
  return (method_host){
      .data = host, .session_add = add, .session_take = take, .session_give = give};
}

void session_host_end(session_host *host) {
  for (unsigned i = 0; i < HOSTED_SESSIONS; i++) shape_session_free(host->open[i]);
  *host = (session_host){0};
}
