// SPDX-License-Identifier: Apache-2.0
// TLS 1.3 over a connected socket that does not block, for daemons beyond this machine.
//
// The daemon's certificate has to lead to an authority that is trusted and to be for the host of the address; there is no
// way to go on without that. A program needs no handler of SIGPIPE. Nothing is shared between clients. Without OpenSSL
// client_tls_new says so, and nothing else here is called.
#ifndef SHAPE_CLIENT_TLS_H
#define SHAPE_CLIENT_TLS_H

#include <sys/types.h>

#include "clients/c/shape_client.h"

typedef struct client_tls client_tls;

enum { CLIENT_TOKEN_MAX = 1024 };

// `host` is what the certificate has to be for, where the settings name nothing else. NULL after filling `why`.
client_tls *client_tls_new(const shape_client_tls *settings, const char *host, char *why,
                           size_t size);
void client_tls_free(client_tls *tls);  // NULL: nothing. The socket stays the caller's.
const char *client_tls_token(const client_tls *tls);  // NULL: none
// Shakes hands. False with errno: EPROTO (client_tls_reason says why), ETIMEDOUT or what the socket says.
bool client_tls_begin(client_tls *tls, int fd, int64_t deadline);
void client_tls_end(client_tls *tls);  // says that nothing more comes, if the socket takes it now

// As send and recv of such a socket: EAGAIN, and EPROTO besides.
ssize_t client_tls_send(client_tls *tls, const char *data, size_t length);
ssize_t client_tls_recv(client_tls *tls, char *to, size_t room);
bool client_tls_wants_write(
    const client_tls *tls);  // receiving goes on once the socket takes bytes
const char *client_tls_reason(const client_tls *tls);

#endif
