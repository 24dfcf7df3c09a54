// SPDX-License-Identifier: Apache-2.0
// libshape-client: asks the daemon `shaped` about tensor shapes. Needs libc; loads OpenSSL 3 for TLS.
//
// Blocking: shape_client_open, then shape_client_call as often as you like, then shape_client_close.
// Poll-driven: shape_client_send queues requests, poll shape_client_fd for what shape_client_wants says, then
// shape_client_work moves the bytes and shape_client_next hands out the replies, in any order: match them by id.
// One client belongs to one thread at a time; clients share nothing. See proto/PROTOCOL.md for methods and parameters.
#ifndef SHAPE_CLIENT_H
#define SHAPE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct shape_client shape_client;

// A piece of JSON, owned by its document; length 0: there is none.
typedef struct shape_json {
  const char *text;
  size_t length;
} shape_json;

typedef enum shape_client_status {
  SHAPE_CLIENT_OK,
  SHAPE_CLIENT_REFUSED,       // the daemon answered with an error: see reply->error
  SHAPE_CLIENT_AGAIN,         // next: no whole reply is there yet
  SHAPE_CLIENT_DEADLINE,      // the time is over; the request was cancelled
  SHAPE_CLIENT_ABSENT,        // no daemon answers at the address
  SHAPE_CLIENT_DISCONNECTED,  // the connection ended; requests without a reply are lost
  SHAPE_CLIENT_INVALID,       // a parameter of a function is wrong
  SHAPE_CLIENT_MEMORY,
  SHAPE_CLIENT_DENIED,  // the daemon does not trust us, or we do not trust the daemon
} shape_client_status;

typedef struct shape_client_options {
  // The path of a Unix socket; 127.0.0.1:PORT or [::1]:PORT (numbers only; ./name:1 is a path); or tls://HOST:PORT, where
  // HOST is a name, a number or a number of IPv6 in brackets. NULL: that in $SHAPED_SOCKET; else shaped.sock in
  // $XDG_RUNTIME_DIR (without it in /tmp/shaped-UID), or where there is none the service's /run/shaped/shaped.sock. Of
  // the last two it is verified that they, and what answers there, are the user's or the service's own.
  const char *address;
  int timeout_ms;    // of connecting, and of calls that name no other; 0: none
  size_t max_reply;  // bytes; 0: 1 GiB
  bool reconnect;    // a call that may be repeated is, once, when its connection broke
} shape_client_options;

// What a tls:// address needs; the connection is TLS 1.3 and the daemon's certificate is always verified. NULL: what the
// environment variable in brackets says. An empty text: nothing, whatever the environment says.
typedef struct shape_client_tls {
  const char *
      ca;  // [SHAPED_TLS_CA] PEM file of the authorities that are trusted; nothing: those of the system
  const char *
      certificate;  // [SHAPED_TLS_CERT] PEM file of the client's own, with those that lead to its authority
  const char *key;  // [SHAPED_TLS_KEY] PEM file of its key, without a pass phrase
  const char *
      token;  // what the daemon's `token-file` lists; NULL: the first in the file [SHAPED_TOKEN_FILE]
  const char *name;  // what the daemon's certificate has to be for; NULL: the HOST of the address
} shape_client_tls;

typedef struct shape_client_reply {
  uint64_t id;               // 0: the daemon could not determine which request it answers
  shape_json result, error;  // one of them has length 0; valid until the next call with this client
} shape_client_reply;

// What an error says; texts that do not fit are cut.
typedef struct shape_client_error {
  int code;        // of JSON-RPC
  char name[40];   // the name to test for, such as "deadline"; see proto/errors.def
  char path[160];  // the parameter that is wrong, or ""
  char message[1024];
  bool retryable;  // whether the same request may succeed later
} shape_client_error;

// --- connections. *client is there (and must be closed) also when opening fails, unless memory ran out, so that
// shape_client_message can say why. `options` may be NULL. Over TLS opening ends when both sides trust each other: with a
// handshake and a first request, `initialize`. SHAPE_CLIENT_INVALID, too, where there is no OpenSSL 3.
shape_client_status shape_client_open(const shape_client_options *options, shape_client **client);
// With settings of TLS; `tls` is copied, and NULL means the environment alone. Other addresses need none of it.
shape_client_status shape_client_open_tls(const shape_client_options *options,
                                          const shape_client_tls *tls, shape_client **client);
void shape_client_close(shape_client *client);
// Drops the connection, and all requests without a reply, and makes a new one.
shape_client_status shape_client_reconnect(shape_client *client);
// Why the last function failed.
const char *shape_client_message(const shape_client *client);
// Where the daemon is thought to be: as options.address has it.
const char *shape_client_address(const shape_client *client);

// --- blocking. `params` is JSON on one line, length 0 for none. timeout_ms: 0 is that of the options, below 0 none.
// INVALID while requests of shape_client_send have no reply.
shape_client_status shape_client_call(shape_client *client, const char *method, shape_json params,
                                      int timeout_ms, shape_client_reply *reply);

// --- poll-driven; nothing here blocks
enum { SHAPE_CLIENT_READ = 1, SHAPE_CLIENT_WRITE = 2 };
shape_client_status shape_client_send(shape_client *client, const char *method, shape_json params,
                                      uint64_t *id);
// Asks for the end of a request. It still gets its one reply.
shape_client_status shape_client_cancel(shape_client *client, uint64_t id);
int shape_client_fd(const shape_client *client);  // -1: not connected
unsigned shape_client_wants(const shape_client *client);
// Moves what can be moved now. DISCONNECTED: replies that came before the end can still be had with shape_client_next.
shape_client_status shape_client_work(shape_client *client);
// The next reply: OK, REFUSED or AGAIN.
shape_client_status shape_client_next(shape_client *client, shape_client_reply *reply);

// --- reading and writing JSON, as far as requests and replies need it
shape_json shape_json_member(shape_json object, const char *key);
shape_json shape_json_item(shape_json array, size_t index);  // looks from the first one on
// The item after one of the array, and its first after an item of length 0: in all one pass over the array.
shape_json shape_json_next(shape_json array, shape_json item);
bool shape_json_is(shape_json json, const char *text);  // the very bytes
// Both return the whole length, as snprintf does, and write at most `size` bytes, a 0 at the end included.
// shape_json_string: the text of a string; anything else is copied unchanged.
size_t shape_json_string(shape_json json, char *out, size_t size);
size_t shape_json_quote(const char *text, size_t length, char *out, size_t size);
void shape_client_read_error(shape_json error, shape_client_error *out);

#ifdef __cplusplus
}
#endif

#endif
