// SPDX-License-Identifier: Apache-2.0
// A daemon inside of a fuzz target: its loop is turned by the target, so one input is one story from start to end.
#ifndef TESTS_FUZZ_SUPPORT_DAEMON_H
#define TESTS_FUZZ_SUPPORT_DAEMON_H

#include "server/server.h"

typedef struct heard_text {
  char *data;  // malloc'ed
  size_t length, capacity;
} heard_text;

server *fuzz_daemon(void);  // one worker, small limits, sockets in a new folder
// A client of the socket `path` from its connection to its end. The first byte of the input says how large the pieces
// are that the rest is sent in, and whether the client waits for its replies (true) or just goes. `is_busy` says
// whether anything of it is left in the daemon; what stays for 40 s is a fault.
bool fuzz_talk(server *s, const char *path, const uint8_t *data, size_t size,
               bool (*is_busy)(const server *s), heard_text *heard);

#endif
