// SPDX-License-Identifier: Apache-2.0
// A daemon inside of a fuzz target: its loop is turned by the target, so one input is one story from start to end.
#ifndef TESTS_FUZZ_SUPPORT_DAEMON_H
#define TESTS_FUZZ_SUPPORT_DAEMON_H

#include "server/server.h"

typedef struct heard_text {
  char *data;  // malloc'ed
  size_t length, capacity;
} heard_text;

server *fuzz_daemon(void);                  // one worker, small limits, sockets in a new folder
int fuzz_connect(const char *path);         // a socket that does not block
bool fuzz_hear(int fd, heard_text *heard);  // false when the daemon has ended the connection
bool fuzz_say(server *s, int fd, const uint8_t *data, size_t size, size_t piece,
              heard_text *heard);  // turns the loop after each piece; false as fuzz_hear

#endif
