// SPDX-License-Identifier: Apache-2.0
// The listener for machines that watch the daemon: GET of /metrics (Prometheus), /healthz (the loop runs) and /readyz
// (requests are taken). One request a connection, on the loop; it says nothing of programs and takes nothing in.
//
// Limits: 4 KiB of request and 1 MiB that is passed over after the answer, 5 seconds, max-http connections; beyond that
// the oldest one ends. It stays up while the daemon drains, so that /readyz can say so, and holds nothing up at the end.
#ifndef SERVER_HTTP_H
#define SERVER_HTTP_H

#include "server/server.h"

void http_accept(server_listener *listener, int fd);  // takes the descriptor
void http_stop(server *s);                            // closes what is open

#endif
