// SPDX-License-Identifier: Apache-2.0
// The daemon inside a test: its loop, a worker thread, its sessions and profiles. Clients are ends of socket pairs, and
// the loop runs while a test waits for something.
#ifndef TESTS_UNIT_SERVER_DAEMON_H
#define TESTS_UNIT_SERVER_DAEMON_H

#include <criterion/criterion.h>

#include "server/server.h"

enum { DAEMON_HEARD = 1 << 20 };  // bytes of a reply

typedef struct daemon {
  server s;
  server_listener listener;  // of clients; nothing but daemon_connect brings any
  FILE *log;
  connection *c;  // of daemon_with_client, and its other end
  int fd;
  char heard[DAEMON_HEARD];
} daemon;

// `options` as on the command line, with single spaces between; the log has everything.
daemon *daemon_start(const char *options);
daemon *daemon_with_client(const char *options);
// Ends what clients have, and fails the test where the daemon still counts any of it.
void daemon_end(daemon *d);

void daemon_step(daemon *d);  // an iteration of the loop that waits for a millisecond at most
#define daemon_wait(d, condition)                                                                  \
  do {                                                                                             \
    for (int step_ = 0; step_ < 20000 && !(condition); step_++) daemon_step(d);                    \
    cr_assert(condition, "it never comes to that");                                                \
  } while (0)
bool daemon_logged(daemon *d, const char *part);

// A connection whose other end is *fd, which the caller closes.
connection *daemon_connect(daemon *d, int *fd);
enum { CLIENTS = 3 };
typedef struct daemon_clients {
  connection *c[CLIENTS];
  int fds[CLIENTS];
} daemon_clients;
daemon *daemon_with_clients(daemon_clients *out);
void clients_close(const daemon_clients *clients);
// Sends the text, in which ' is written for ", and a newline.
void client_send(int fd, const char *text);
void client_ask(int fd, int id, const char *method, const char *params);
// The next line that the client receives, until the next call; NULL: its connection has ended.
const char *client_hear(daemon *d, int fd);
// Fails the test where that line does not hold the part, in which ' is written for ".
void client_expect(daemon *d, int fd, const char *part);

#endif
