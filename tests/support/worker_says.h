// SPDX-License-Identifier: Apache-2.0
// The daemon's side of an exchange (server/exchange.h) with a worker that says given bytes, whatever it is asked.
#ifndef TESTS_SUPPORT_WORKER_SAYS_H
#define TESTS_SUPPORT_WORKER_SAYS_H

#include "server/exchange.h"

enum { SAID_MAX = 1 << 16 };  // bytes that a worker can say

typedef struct said_result {
  exchange_end end;
  rpc_code outcome;
  bool added, ended;
  server_reply *reply;  // reply_free it
} said_result;

typedef enum said_how {
  SAID_ON_SOCKET,       // then the socket ends
  SAID_IN_MEMORY,       // a wire_head and a reply, in shared memory
  SAID_BRIEFLY,         // the same, and it may give up
  SAID_AND_TAKEN_BACK,  // as in memory, and once that was seen, as if nothing were said
  SAID_NOTHING          // it is gone before it is asked
} said_how;

// What the worker asks for: sessions are counted, and there is one profile.
typedef struct said_host {
  uint64_t open;  // sessions
  char profile[SAID_MAX];
  size_t length;
} said_host;

// The request is {"jsonrpc": "2.0", "id": 7, "method": METHOD}. host: NULL: none.
said_result worker_says(const char *method, const void *bytes, size_t length, said_how how,
                        said_host *host);

#endif
