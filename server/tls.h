// SPDX-License-Identifier: Apache-2.0
// TLS 1.3 for one listener, over memory: bytes of the network go in and come out as calls, the loop does the rest.
//
// A context holds the certificate, the authority of clients and the tokens; it is made from the options as a whole or not
// at all, and sessions keep what they were made with when another replaces it. A client needs a certificate where
// `tls-client-ca` is given, and a token, in its first request, where `token-file` is; one of them at least is. Tokens are
// compared by digest, in constant time, each with all. A certificate that a list of `tls-crl` revokes is none. Without OpenSSL contexts cannot be made, and nothing else is called.
#ifndef SERVER_TLS_H
#define SERVER_TLS_H

#include "server/config.h"

typedef struct tls_context tls_context;
typedef struct tls_session tls_session;

// What is kept of a token that a client has shown.
typedef struct tls_token {
  bool shown;
  unsigned char digest[32];
} tls_token;

enum { TLS_ROOM = 1 << 14 };

// NULL after filling `error`.
tls_context *tls_context_new(const server_config *config, char *error, size_t size);
void tls_context_free(tls_context *context);  // NULL: nothing
bool tls_needs_token(const tls_context *context);
// Whether the token is one of the file's; *shown is what to keep of it.
bool tls_knows_token(const tls_context *context, const char *token, size_t length,
                     tls_token *shown);
// Whether a client that showed this would still do: its certificate, if it showed one, where authorities or lists of
// revoked ones have changed; its token, where one is needed (NULL: it is still to come). True of a handshake that goes on
// and may end well; then it has to be asked again.
bool tls_still_good(const tls_context *context, const tls_session *session, const tls_token *token);

tls_session *tls_session_new(tls_context *context);  // NULL: no memory
void tls_session_free(tls_session *session);         // NULL: nothing
char *tls_room(tls_session *session);                // TLS_ROOM bytes for what the network brings
bool tls_established(const tls_session *session);

typedef enum tls_event { TLS_DATA, TLS_MORE, TLS_CLOSED, TLS_FAILED } tls_event;

bool tls_feed(tls_session *session, const char *data, size_t length);  // false: no memory
// Plain bytes that have arrived. FAILED: the session is over; what is to be sent then is an alert.
tls_event tls_read(tls_session *session, char *to, size_t room, size_t *length);
bool tls_write(tls_session *session, const char *data, size_t length);
// What is to be sent now: taken by the caller, who frees it. NULL with *length 0: nothing; with *length 1: no memory.
char *tls_take(tls_session *session, size_t *length);
// A name for the peer of a session whose handshake is over: "cert:" and a digest where it showed a certificate, else
// "token:" and one of the token.
void tls_name(const tls_session *session, const tls_token *token, char *to, size_t size);
// Why it failed, or whose certificate it is. `size` is at least 64.
const char *tls_reason(const tls_session *session, char *to, size_t size);
const char *tls_peer(const tls_session *session, char *to, size_t size);

#endif
