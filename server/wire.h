// SPDX-License-Identifier: Apache-2.0
// What the daemon and a worker process say to each other: over memory that they share and, where that is too small, over
// a stream socket.
//
//   daemon -> worker   the job, in shared memory, and a ring; a text beyond WIRE_TEXT bytes follows over the socket
//   worker -> daemon   ANSWERED: the reply is in shared memory; or SPEAKS: over the socket come calls (profiles, sessions),
//                      each answered by a RESULT, then one REPLY
//
// To wait for a word of memory costs a fraction of what a socket does, and most requests and replies are small. Both ends
// are one program, so a head is a struct as it lies in memory. The daemon trusts no byte of it: kinds, codes and lengths
// are copied, then checked (wire_head_valid), and a worker that says anything else is ended.
#ifndef SERVER_WIRE_H
#define SERVER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/methods/method.h"

typedef enum wire_kind {
  WIRE_JOB,  // the text of a request
  WIRE_RESULT,
  WIRE_REPLY,
  WIRE_SESSION_ADD,   // value: bytes that it takes, flags: 1: it is shared. RESULT: the id
  WIRE_SESSION_TAKE,  // of an id that the worker does not have. RESULT: why not
  WIRE_PROFILE_GET,   // of a name. RESULT: the text
  WIRE_PROFILE_PUT  // a wire_profile, the name, the text before, the text after. RESULT: a wire_kept
} wire_kind;

enum { WIRE_ENDED = 1 };  // flags of a REPLY: the session is closed
typedef enum wire_kept { WIRE_KEPT, WIRE_CHANGED_MEANWHILE } wire_kept;

typedef struct wire_head {
  uint32_t kind, code;  // wire_kind, rpc_code
  uint64_t length;      // of the bytes that follow
  uint64_t value, flags;
} wire_head;

typedef struct wire_job {
  uint64_t serial;  // not 0, another for each job
  uint32_t method;
  uint32_t id_at, id_length;
  uint64_t params_at, params_length;
  bool has_sessions, has_profiles;
  uint64_t reply_fail_at;  // for tests, as fail_at of the limits
  method_limits limits;
} wire_job;

typedef struct wire_profile {
  uint64_t name, before;  // lengths
} wire_profile;

// A RESULT whose code is not RPC_OK; its value is that of the limit.
typedef struct wire_failure {
  char message[256], limit[32];
} wire_failure;

enum { WIRE_TEXT = 1 << 13, WIRE_ROOM = 1 << 16 };
enum { WIRE_IDLE, WIRE_ASKED, WIRE_ANSWERED, WIRE_SPEAKS };

// Memory that the daemon and one worker share.
typedef struct wire_shared {
  method_control control;       // of the job
  atomic_uint_least64_t begun;  // the serial of the last job that the worker has taken
  atomic_uint rings;            // jobs so far
  atomic_uint state;            // of the last one
  wire_job job;
  uint64_t length;  // of the text of the request
  char text[WIRE_TEXT];
  wire_head head;  // of the reply
  char reply[WIRE_ROOM];
} wire_shared;

// Waits while the word has that value, for so long (0: for ever). False: it still has.
bool wire_wait(atomic_uint *word, unsigned value, uint64_t nanoseconds);
void wire_wake(atomic_uint *word);

// What a worker may say; `most`: the maximum of bytes of a reply.
bool wire_head_valid(const wire_head *head, uint64_t most);

// The request of a job, as slices of `text`; false where the job does not describe one.
bool wire_request(const wire_job *job, const char *text, size_t length, rpc_request *out);
void wire_job_from(const rpc_request *request, wire_job *out);

typedef struct wire_stream {
  int fd;
  size_t begin, end;  // of what was read and not taken
  uint32_t pieces;
  char buffer[1 << 14];
  // Called where nothing moved for the time-out of the socket (waited), and from time to time where bytes come in small
  // pieces; false: give up. NULL: wait on.
  bool (*idle)(void *data, bool waited);
  void *idle_data;
} wire_stream;

// Sends a head, with `length` of it set, and what follows. False: the other end is gone, or `idle` gave up.
bool wire_send(wire_stream *s, const wire_head *head, const void *first, size_t first_length,
               const void *second, size_t second_length);
bool wire_receive(wire_stream *s, void *to, size_t length);

#endif
