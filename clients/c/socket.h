// SPDX-License-Identifier: Apache-2.0
// Addresses of daemons, and connecting to them before a deadline.
#ifndef SHAPE_CLIENT_SOCKET_H
#define SHAPE_CLIENT_SOCKET_H

#include <netinet/in.h>
#include <sys/un.h>

#include "clients/c/shape_client.h"

typedef struct client_address {
  bool
      tls;  // of a daemon beyond this machine: the name and the port are looked up at each connecting
  bool found;  // nothing named it: it is to be seen whose it is, see trust.h
  char host[256], port[8];
  union {
    struct sockaddr any;
    struct sockaddr_un local;
    struct sockaddr_in ip4;
    struct sockaddr_in6 ip6;
  } socket;
  socklen_t length;  // of the socket's; 0: no valid address, or one of TLS
  char name[288];    // as messages name it; empty: no valid address
} client_address;

// Reads what shape_client_options calls an address. False: `why` says what is wrong.
bool client_address_of(const char *text, client_address *address, char *why, size_t size);
// A connected socket that does not block; -1 after filling `why`, with errno EPROTO where the other end is not to be
// trusted. `deadline` is in milliseconds of client_now; below 0:
// none. Looking a name up takes as long as the system's resolver does.
int client_connect(const client_address *address, int64_t deadline, char *why, size_t size);
int64_t client_now(void);
// Waits for poll events; false with errno: ETIMEDOUT, or what poll says.
bool client_wait(int fd, short events, int64_t deadline);

#endif
