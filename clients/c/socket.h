// SPDX-License-Identifier: Apache-2.0
// Addresses of daemons, and connecting to them before a deadline.
#ifndef SHAPE_CLIENT_SOCKET_H
#define SHAPE_CLIENT_SOCKET_H

#include <netinet/in.h>
#include <sys/un.h>

#include "clients/c/shape_client.h"

typedef struct client_address {
  union {
    struct sockaddr any;
    struct sockaddr_un local;
    struct sockaddr_in ip4;
    struct sockaddr_in6 ip6;
  } socket;
  socklen_t length;
  char name[160];
} client_address;

// Reads what shape_client_options calls an address. False: `why` says what is wrong.
bool client_address_of(const char *text, client_address *address, char *why, size_t size);
// A connected socket that does not block; -1 with errno. `deadline` is in milliseconds of client_now; below 0: none.
int client_connect(const client_address *address, int64_t deadline);
int64_t client_now(void);
// Waits for poll events; false with errno: ETIMEDOUT, or what poll says.
bool client_wait(int fd, short events, int64_t deadline);

#endif
